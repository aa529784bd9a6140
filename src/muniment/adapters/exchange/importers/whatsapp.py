"""WhatsApp: the text file of an exported chat, in the spellings of its platforms."""

import re
from collections.abc import Iterator
from typing import Final

from muniment.adapters.exchange.foreign_record import Found, Skipped, texts
from muniment.adapters.exchange.source_files import SourceFiles
from muniment.model.errors import InputError

INVISIBLE: Final = {0x200E: None, 0x200F: None, 0x202A: None, 0x202C: None, 0xFEFF: None}
DATE: Final = (
    r"(?P<a>\d{1,4})(?:[./-]|年|년)\s?(?P<b>\d{1,2})(?:[./-]|月|월)\s?(?P<c>\d{1,4})(?:[.,،]|日|일)?"
    r"\s+(?:(?:à|às|um|om|a las|alle)\s+)?(?:(?P<part>오전|오후|午前|午後|上午|下午)\s?)?"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d))?"
    r"\s*(?P<half>[AaPp]\.?\s?[Mm]\.?|[صم](?=\s))?"
)
LATER: Final = ("P", "p", "م", "오후", "午後", "下午")  # how the second half of a day begins
HEAD: Final = re.compile(rf"^(?:\[{DATE}\]\s|{DATE.replace('(?P<', '(?P<x')}\s+-\s)(?P<rest>.*)$")
SAID: Final = re.compile(r"^(?P<who>[^:]{1,100}):\s(?P<words>.*)$", re.DOTALL)
OMITTED: Final = re.compile(
    r"^(<[^>]{3,40}>|(image|video|audio|sticker|GIF|document|Contact card) omitted"
    r"|.*\(file attached\)|\S+\.\w{2,4} \([^()]{3,40}\))$"
)
DELETED: Final = frozenset(
    {
        "This message was deleted",
        "You deleted this message",
        "Diese Nachricht wurde gelöscht",
        "Du hast diese Nachricht gelöscht",
        "Se eliminó este mensaje",
        "Eliminaste este mensaje",
        "Ce message a été supprimé",
        "Vous avez supprimé ce message",
        "Questo messaggio è stato eliminato",
        "Hai eliminato questo messaggio",
        "Mensagem apagada",
        "Você apagou esta mensagem",
        "Dit bericht is verwijderd",
        "Данное сообщение удалено",
    }
)
EDITED: Final = re.compile(
    r"<(?:This message was edited|Diese Nachricht wurde bearbeitet|Se editó este mensaje"
    r"|Ce message a été modifié|Questo messaggio è stato modificato|Mensagem editada)\.?>$"
)
OWN: Final = "\x01"  # before words that nobody wrote: those of the app
MESSAGE_CHARACTERS_MAX: Final = 1 << 20
YEAR_LETTERS: Final = 4
MONTHS: Final = 12
HALF_DAY: Final = 12


def read(files: SourceFiles) -> Iterator[Found]:
    for name in files.names("*.txt"):
        month_first = _month_first(name, map(plain, files.lines(name)))
        yield from _chat(name, map(plain, files.lines(name)), month_first=month_first)


def plain(line: str) -> str:
    """A line without marks of direction; the one that begins the app's own words is kept apart."""
    return line.replace(": \u200e", f": {OWN}").translate(INVISIBLE).replace("\u202f", " ")


def _chat(name: str, lines: Iterator[str], *, month_first: bool) -> Iterator[Found]:
    said: list[str] = []
    held: tuple[int, dict[str, str]] | None = None
    for number, line in enumerate(lines, start=1):
        head = _head(line)
        if head:
            if held:
                yield from _message(name, held, said, month_first=month_first)
            held, said = (number, head), [head.get("rest", "")]
        elif held and sum(map(len, said)) < MESSAGE_CHARACTERS_MAX:
            said.append(line)
        elif held:
            yield Skipped(place=f"{name}:{number}", reason="too_long")
        elif line.strip():
            yield Skipped(place=f"{name}:{number}", reason="before_the_first_message")
    if held:
        yield from _message(name, held, said, month_first=month_first)


def _head(line: str) -> dict[str, str] | None:
    found = HEAD.match(line)
    if found is None:
        return None
    return {name.removeprefix("x"): value for name, value in found.groupdict().items() if value}


def _month_first(name: str, lines: Iterator[str]) -> bool:
    """As the dates themselves tell; where none does, AM and PM are an American clock's.

    In India, Britain and Australia, where days come first, they are written small.
    """
    first: dict[str, str] = {}
    later = False
    for head in filter(None, map(_head, lines)):
        first = first or head
        if int(head["a"]) > MONTHS:
            return False
        later = later or int(head["b"]) > MONTHS
    if not first:
        raise InputError(f"{name!r} is not a WhatsApp chat: no line begins with a time")
    return later or first.get("half", "").isupper()


def _message(
    name: str, held: tuple[int, dict[str, str]], said: list[str], *, month_first: bool
) -> Iterator[Found]:
    number, head = held
    place, found = f"{name}:{number}", SAID.match("\n".join(said))
    if found is None:
        yield Skipped(place=place, reason="notice")
        return
    words = EDITED.sub("", found["words"].removeprefix(OWN).strip()).strip()
    if OMITTED.match(words):
        yield Skipped(place=place, reason="media")
    elif words.rstrip(".") in DELETED:
        yield Skipped(place=place, reason="deleted")
    elif found["words"].startswith(OWN):
        yield Skipped(place=place, reason="notice")
    else:
        at = _moment(head, month_first=month_first)
        chat = name.rpartition("/")[2].removesuffix(".txt")
        who = found["who"].strip()
        yield from texts(place, words, id=f"{at} {who} {words}", speaker=who, session=chat, at=at)


def _moment(head: dict[str, str], *, month_first: bool) -> str:
    if len(head["a"]) == YEAR_LETTERS:
        year, month, day = head["a"], head["b"], head["c"]
    else:
        day, month = (head["b"], head["a"]) if month_first else (head["a"], head["b"])
        year = head["c"] if len(head["c"]) == YEAR_LETTERS else f"20{head['c']}"
    hour = int(head["hour"])
    half = head.get("half") or head.get("part")
    if half:
        hour = hour % HALF_DAY + (HALF_DAY if half.startswith(LATER) else 0)
    clock = f"{hour:02d}:{head['minute']}:{head.get('second', '00')}"
    return f"{year}-{int(month):02d}-{int(day):02d}T{clock}Z"

"""WhatsApp: the text file of an exported chat, in the spellings of its platforms."""

import re
from collections.abc import Iterator
from typing import Final

from muniment.adapters.exchange.foreign_record import Found, Skipped, texts
from muniment.adapters.exchange.source_files import SourceFiles, decoded
from muniment.model.errors import InputError

INVISIBLE: Final = {0x200E: None, 0x200F: None, 0x202A: None, 0x202C: None, 0xFEFF: None}
DATE: Final = (
    r"(?P<a>\d{1,4})[./-](?P<b>\d{1,2})[./-](?P<c>\d{2,4}),?\s+"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d))?\s*(?P<half>[AaPp]\.?[Mm]\.?)?"
)
HEAD: Final = re.compile(rf"^(?:\[{DATE}\]\s|{DATE.replace('(?P<', '(?P<x')}\s+-\s)(?P<rest>.*)$")
SAID: Final = re.compile(r"^(?P<who>[^:]{1,100}):\s(?P<words>.*)$", re.DOTALL)
OMITTED: Final = re.compile(
    r"^(<[^>]{3,40}>|(image|video|audio|sticker|GIF|document|Contact card) omitted"
    r"|.*\(file attached\))$"
)
DELETED: Final = frozenset({"This message was deleted", "You deleted this message"})
YEAR_LETTERS: Final = 4
MONTHS: Final = 12
HALF_DAY: Final = 12


def read(files: SourceFiles) -> Iterator[Found]:
    for name in files.names("*.txt"):
        with files.open(name) as data:
            text = decoded(data.read())
        yield from _chat(name, text.translate(INVISIBLE).replace("\u202f", " "))


def _chat(name: str, text: str) -> Iterator[Found]:
    lines = text.splitlines()
    heads = [_head(line) for line in lines]
    if not any(heads):
        raise InputError(f"{name!r} is no chat of WhatsApp: no line begins with a time")
    month_first = _month_first([each for each in heads if each])
    said: list[str] = []
    held: tuple[int, dict[str, str]] | None = None
    for number, (line, head) in enumerate(zip(lines, heads, strict=True), start=1):
        if head:
            if held:
                yield from _message(name, held, said, month_first=month_first)
            held, said = (number, head), [head.get("rest", "")]
        elif held:
            said.append(line)
        elif line.strip():
            yield Skipped(place=f"{name}:{number}", reason="before_the_first_message")
    if held:
        yield from _message(name, held, said, month_first=month_first)


def _head(line: str) -> dict[str, str] | None:
    found = HEAD.match(line)
    if found is None:
        return None
    return {name.removeprefix("x"): value for name, value in found.groupdict().items() if value}


def _month_first(heads: list[dict[str, str]]) -> bool:
    """As the dates themselves tell; where none does, a clock of twelve hours is an American one."""
    if any(int(each["a"]) > MONTHS for each in heads):
        return False
    return any(int(each["b"]) > MONTHS for each in heads) or "half" in heads[0]


def _message(
    name: str, held: tuple[int, dict[str, str]], said: list[str], *, month_first: bool
) -> Iterator[Found]:
    number, head = held
    place, found = f"{name}:{number}", SAID.match("\n".join(said))
    if found is None:
        yield Skipped(place=place, reason="notice")
        return
    words = found["words"].removesuffix("<This message was edited>").strip()
    if OMITTED.match(words):
        yield Skipped(place=place, reason="media")
    elif words.rstrip(".") in DELETED:
        yield Skipped(place=place, reason="deleted")
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
    if "half" in head:
        hour = hour % HALF_DAY + (HALF_DAY if head["half"][0] in "Pp" else 0)
    clock = f"{hour:02d}:{head['minute']}:{head.get('second', '00')}"
    return f"{year}-{int(month):02d}-{int(day):02d}T{clock}Z"

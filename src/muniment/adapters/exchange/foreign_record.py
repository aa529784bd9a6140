"""Foreign record: what a file of another program holds, as words to remember or a value to keep."""

import hashlib
import math
import re
from collections.abc import Iterator
from typing import Final

import msgspec

from muniment.model import canonical_json, ids, scope
from muniment.model.errors import InputError
from muniment.model.kinds.handles import METADATA_BYTES_MAX, TAG_CHARACTERS_MAX, TAGS_MAX

MOMENT: Final = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?:[.,](\d{1,9}))?"
    r"\s*(Z|UTC|[+-]\d\d:?\d\d)?)?"
)
MILLISECONDS: Final = 100_000_000_000  # a number this large counts milliseconds, not seconds
MONTHS: Final = 12
CLOCK_MOST: Final = (24, 59, 60)  # midnight ends a day too, and a leap second a minute
LAST_MS: Final = 253_402_300_799_999  # of the year 9999
PIECE_CHARACTERS: Final = 8_000  # of one memory: what is longer is kept in pieces
NAME_CHARACTERS: Final = 200
AGENTS: Final = frozenset({"assistant", "ai", "agent", "bot", "model", "chatgpt", "claude"})
TOOLS: Final = frozenset({"tool", "function", "ipython", "tool_result"})
SYSTEMS: Final = frozenset({"system", "developer"})
CONTROL: Final = {code: None for code in range(32) if chr(code) not in "\t\n\r"}

# Why something in a file became no memory.
NO_WORDS: Final = "no_words"
NOT_TEXT: Final = "not_text"
NOT_READABLE: Final = "not_readable"
USER_MALFORMED: Final = "user_malformed"  # whose it is cannot be anybody's name
METADATA: Final = "metadata"  # what is known beside the words, and cannot be kept beside them
UNKNOWN_SHAPE: Final = "unknown_shape"
REASON: Final = re.compile(r"[a-z][a-z0-9_.-]{0,39}")
OTHER_BRANCH: Final = "other_branch"  # what an edit took the place of


class ImportedText(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to remember: the words, whose they are, and when they were said."""

    key: str  # the same words of the same place always have the same one: they are kept once
    text: str
    origin: str = "user"
    user: str = ""
    source: str = ""  # the source of what came from outside
    speaker: str = ""  # by name, where several talk
    session: str = ""  # the talk it belongs to
    at: str = ""  # fixed-width UTC text, or empty
    tags: tuple[str, ...] = ()
    metadata: dict[str, object] | None = None  # what else the file says of it, by name
    expires: str = ""  # when it stops being recalled


class ImportedDocument(msgspec.Struct, frozen=True, kw_only=True):
    """One value to be kept under its name: it is no sentence, and is not made one."""

    namespace: tuple[str, ...]
    name: str
    value: object
    user: str = ""


class Skipped(msgspec.Struct, frozen=True, kw_only=True):
    """Something in a file that became no memory, and why."""

    place: str
    reason: str


def reason_told(reason: str) -> str:
    """A reason as it is reported: some are kinds that a file names, and it may name anything."""
    return reason if REASON.fullmatch(reason) else UNKNOWN_SHAPE


Found = ImportedText | ImportedDocument | Skipped


def texts(place: str, words: object, **given: object) -> Iterator[Found]:
    """Words as memories: in pieces where they are long, and never what is none."""
    if words is None or (isinstance(words, str) and not words.strip()):
        yield Skipped(place=place, reason=NO_WORDS)
        return
    clean = plain(words)
    if not clean:
        yield Skipped(place=place, reason=NOT_TEXT)
        return
    called = str(given.pop("id", "") or place)
    labels, known = tags(given.pop("tags", None)), named(given.pop("metadata", None))
    if known and not is_kept(known):
        yield Skipped(place=place, reason=METADATA)
        known = {}
    fields = {name: _field(name, value) for name, value in given.items()}
    for n, piece in enumerate(pieces(clean)):
        digest = hashlib.sha256(msgspec.json.encode([called, n, piece, fields.get("user", "")]))
        yield ImportedText(
            key=f"import:{digest.hexdigest()}",
            text=piece,
            tags=labels,
            metadata=known or None,
            **fields,
        )


def tags(told: object) -> tuple[str, ...]:
    """Labels of another program: each once, without what is no text."""
    labels = (plain(each)[:TAG_CHARACTERS_MAX].strip() for each in listed(told))
    return tuple(dict.fromkeys(each for each in labels if each))[:TAGS_MAX]


def is_kept(metadata: dict[str, object]) -> bool:
    """Whether an object can stand beside a text: JSON, not too deep, and of bounded size."""
    try:
        spelled = canonical_json.encode(canonical_json.admit(metadata))
    except InputError:
        return False
    return len(spelled) <= METADATA_BYTES_MAX


def is_person(told: object) -> bool:
    """Whether it is a name that somebody's memory can have."""
    try:
        return bool(scope.name(told, "user"))
    except InputError:
        return False


def beside(told: dict[str, object], *names: str) -> dict[str, object]:
    """What a record says of its words in its metadata and in these fields, where it does."""
    fields = {name: told[name] for name in names if told.get(name) not in (None, "", [], {})}
    return fields | named(told.get("metadata"))


def plain(words: object) -> str:
    """A text that can be read: without control characters; empty where it is none."""
    if not isinstance(words, str):
        return ""
    try:
        words.encode()
    except UnicodeEncodeError:  # half a character
        return ""
    return words.translate(CONTROL).strip()


def pieces(text: str) -> Iterator[str]:
    """A long text by its paragraphs, then by its sentences, then wherever it must be."""
    while len(text) > PIECE_CHARACTERS:
        part = text[:PIECE_CHARACTERS]
        cut = max(part.rfind("\n\n"), 0) or part.rfind("\n") or part.rfind(". ")
        cut = cut if cut > PIECE_CHARACTERS // 2 else PIECE_CHARACTERS
        piece, text = text[:cut].strip(), text[cut:].strip()
        if piece:
            yield piece
    if text:
        yield text


def moment(told: object) -> str:
    """A time of another program as ours, in UTC; empty when it is none."""
    if isinstance(told, bool) or told is None:
        return ""
    if isinstance(told, int | float):
        return _counted(told)
    if not isinstance(told, str):
        return ""
    if re.fullmatch(r"\d{9,13}(\.\d+)?", told.strip()):
        return _counted(float(told))
    found = MOMENT.search(told)
    if found is None:
        return ""
    year, month, day, hour, minute, second, part, zone = found.groups()
    thousandths = f"{part or '0':0<3}"[:3]
    if not _is_real(found):
        return ""
    text = f"{year}-{month}-{day}T{hour or '00'}:{minute or '00'}:{second or '00'}.{thousandths}Z"
    try:
        return ids.time_text(ids.time_ms(text) - _offset_ms(zone))
    except (ValueError, IndexError, OverflowError):
        return ""


def _is_real(found: re.Match[str]) -> bool:
    """Whether there is such a day and time: no other one is made of what is none."""
    year, month, day, *clock = (int(each or 0) for each in found.groups()[:6])
    there_is = 1 <= month <= MONTHS and ids.civil(ids.days(year, month, day)) == (year, month, day)
    return there_is and all(n <= most for n, most in zip(clock, CLOCK_MOST, strict=True))


def _counted(told: float) -> str:
    if not math.isfinite(told) or told <= 0:
        return ""
    milliseconds = int(told if told >= MILLISECONDS else told * 1000)
    return ids.time_text(milliseconds) if milliseconds <= LAST_MS else ""


def _offset_ms(zone: str | None) -> int:
    if not zone or zone in {"Z", "UTC"}:
        return 0
    digits = zone[1:].replace(":", "")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return minutes * 60_000 * (-1 if zone[0] == "-" else 1)


def origin_of(role: object) -> str:
    """On whose word, by the name of a role."""
    name = str(role or "").strip().lower()
    if name in AGENTS:
        return "agent"
    if name in TOOLS:
        return "tool"
    return "system" if name in SYSTEMS else "user"


def listed(value: object) -> list[object]:
    """A list; of anything else, nothing."""
    return value if isinstance(value, list) else []


def named(value: object) -> dict[str, object]:
    """An object; of anything else, an empty one."""
    return value if isinstance(value, dict) else {}


def _field(name: str, value: object) -> str:
    if name in {"at", "expires"}:
        return moment(value)
    spelled = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    return plain(spelled)[:NAME_CHARACTERS]

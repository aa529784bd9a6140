"""Files of other memories as sayings: who said what when, one reader for each format."""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from muniment.model import ids
from muniment.model.errors import InputError

MOMENT: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?(?:\.(\d{1,6}))?")
SPOKEN: Final = re.compile(
    r"^\s*(?:\[(?P<at>[^\]]{1,40})\]\s*)?(?P<who>[^:\n]{1,64}):\s+(?P<said>\S.*)$"
)
OURS: Final = "muniment"
EPISODE: Final = "episode"
AGENTS: Final = frozenset({"assistant", "ai", "agent", "bot", "model"})
TOOLS: Final = frozenset({"tool", "function"})
SYSTEMS: Final = frozenset({"system", "developer"})


class ImportedText(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to remember: the words, whose they are, and when they were said."""

    key: str  # the same line always has the same one, so that it is kept once
    text: str
    origin: str = "user"
    user: str = ""
    source: str = ""  # the source of what came from outside
    speaker: str = ""  # by name, where several talk
    session: str = ""  # the talk it belongs to
    at: str = ""  # fixed-width UTC text, or empty


Reader = Callable[[bytes], Iterator[ImportedText]]


def read(path: Path, form: str) -> list[ImportedText]:
    """Everything a file says; a line that cannot be read is named with its number."""
    if form not in READERS:
        raise InputError(f"there is no format {form!r}; there are {', '.join(READERS)}")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path.name!r}: {error.strerror}") from None
    return list(READERS[form](data))


def exported(data: bytes) -> Iterator[ImportedText]:
    """What `muniment export` wrote."""
    for number, told in _lines(data):
        if "manifest" in told:
            continue
        if not isinstance(told.get("kind"), str):
            raise InputError(
                f"line {number}: it says no kind; a line of ours is like"
                ' {"kind": "episode", "text": "…"}, and --from names another format'
            )
        if told["kind"] != EPISODE:
            continue  # facts and items have verbs of their own; `left_out` counts them
        yield _saying(number, told, text=told.get("text"), origin=told.get("origin") or "user")


def left_out(path: Path, form: str) -> dict[str, int]:
    """What an export of ours holds that is no sentence, by kind: it is not imported."""
    kinds: dict[str, int] = {}
    for _, told in _lines(path.read_bytes()) if form == OURS else ():
        kind = str(told.get("kind") or "")
        if kind and kind != EPISODE:
            kinds[kind] = kinds.get(kind, 0) + 1
    return dict(sorted(kinds.items()))


def mem0(data: bytes) -> Iterator[ImportedText]:
    """What mem0's `get_all` returns: a list of memories, or an object that holds it."""
    told = _json(data)
    memories = told.get("results", told.get("memories")) if isinstance(told, dict) else told
    for number, each in enumerate(_objects(memories), start=1):
        at = each.get("updated_at") or each.get("created_at")
        yield _saying(
            number,
            each,
            text=each.get("memory") or each.get("text"),
            user=str(each.get("user_id") or ""),
            at=at,
        )


def langgraph(data: bytes) -> Iterator[ImportedText]:
    """Items of a LangGraph store, one JSON object a line or a list: namespace, key, value."""
    for number, each in _rows(data):
        value = each.get("value")
        text = value.get("text") or value.get("content") if isinstance(value, dict) else value
        words = text if isinstance(text, str) else msgspec.json.encode(value).decode()
        yield _saying(number, each, text=words, at=each.get("updated_at") or each.get("created_at"))


def mcp_memory(data: bytes) -> Iterator[ImportedText]:
    """The file of the MCP reference memory server: entities with observations, and relations."""
    for number, each in _rows(data):
        if each.get("type") == "entity":
            named = f"{each.get('name')} ({each.get('entityType')})"
            for place, told in enumerate(_list(each.get("observations"))):
                yield _saying(number, each, text=f"{named}: {told}", extra=str(place))
        elif each.get("type") == "relation":
            words = f"{each.get('from')} {each.get('relationType')} {each.get('to')}"
            yield _saying(number, each, text=words)
        else:
            raise InputError(f"line {number}: neither an entity nor a relation")


def transcript(data: bytes) -> Iterator[ImportedText]:
    """A chat: JSON with role and content, or lines of `Name: words`, perhaps with a time before.

    It is one session, unless its lines say which of several they belong to.
    """
    if _is_json(data):
        rows = list(_rows(data))
        talk = _talk(msgspec.json.encode([row for _, row in rows[:1]], order="sorted"))
        for number, each in rows:
            text = each.get("content") or each.get("text")
            words = text if isinstance(text, str) else msgspec.json.encode(text).decode()
            who = str(each.get("role") or each.get("speaker") or "user")
            at, session = each.get("timestamp"), each.get("session") or talk
            yield _saying(number, each, text=words, origin=_origin(who), at=at, session=session)
        return
    yield from _spoken(data, _talk(data.lstrip().split(b"\n", 1)[0]))


READERS: Final[dict[str, Reader]] = {
    OURS: exported,
    "mem0": mem0,
    "langgraph": langgraph,
    "mcp": mcp_memory,
    "transcript": transcript,
}


def moment(text: object) -> str:
    """A time of another program as ours: fixed width, taken to be UTC; empty when it is none."""
    found = MOMENT.search(text) if isinstance(text, str) else None
    if found is None:
        return ""
    year, month, day, hour, minute, second, part = found.groups()
    milliseconds = f"{part or '0':0<3}"[:3]
    told = f"{year}-{month}-{day}T{hour}:{minute}:{second or '00'}.{milliseconds}Z"
    try:
        return ids.time_text(ids.time_ms(told))
    except (ValueError, IndexError):
        return ""


def _saying(number: int, told: dict[str, object], **fields: object) -> ImportedText:
    text = fields.get("text")
    if not isinstance(text, str) or not text.strip():
        raise InputError(f"line {number}: there are no words in it")
    extra = str(fields.get("extra", ""))
    digest = hashlib.sha256(msgspec.json.encode([told, extra], order="sorted")).hexdigest()
    return ImportedText(
        key=f"import:{digest}",
        text=text,
        origin=str(fields.get("origin") or "user"),
        user=str(fields.get("user") or told.get("user") or ""),
        source=str(told.get("source") or ""),
        speaker=str(fields.get("speaker") or told.get("speaker") or ""),
        session=str(fields.get("session") or told.get("session") or ""),
        at=moment(fields.get("at") or told.get("at")),
    )


def _talk(begin: bytes) -> str:
    """A name for a chat by what it begins with: when it has grown, it is still the same one."""
    return f"transcript {hashlib.sha256(begin).hexdigest()[:16]}"


def _spoken(data: bytes, talk: str) -> Iterator[ImportedText]:
    """A line without a name goes on with what was being said."""
    said: list[tuple[int, str, str, str]] = []
    for number, line in enumerate(_text(data).splitlines(), start=1):
        found = SPOKEN.match(line)
        if found:
            said.append((number, found["who"], found["said"], found["at"] or ""))
        elif line.strip() and said:
            place, who, words, at = said[-1]
            said[-1] = (place, who, f"{words}\n{line.strip()}", at)
        elif line.strip():
            raise InputError(f"line {number}: a transcript begins with `Name: words`")
    for number, who, words, at in said:
        told: dict[str, object] = {"n": number, "who": who, "said": words}
        name = "" if _origin(who) != "user" or who.lower() == "user" else who.strip()
        origin = _origin(who)
        yield _saying(number, told, text=words, origin=origin, at=at, speaker=name, session=talk)


def _is_json(data: bytes) -> bool:
    """A time in brackets begins a line of speech, not a list."""
    begin = data.lstrip()[:2]
    return begin[:1] == b"{" or (begin[:1] == b"[" and not begin[1:].isdigit())


def _origin(who: str) -> str:
    name = who.strip().lower()
    if name in AGENTS:
        return "agent"
    if name in TOOLS:
        return "tool"
    return "system" if name in SYSTEMS else "user"


def _rows(data: bytes) -> Iterator[tuple[int, dict[str, object]]]:
    """Objects of a list, or one a line."""
    if data.lstrip()[:1] == b"[":
        yield from enumerate(_objects(_json(data)), start=1)
    else:
        yield from _lines(data)


def _lines(data: bytes) -> Iterator[tuple[int, dict[str, object]]]:
    for number, line in enumerate(data.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            told = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"line {number}: {error}; --from names another format") from None
        if not isinstance(told, dict):
            raise InputError(f"line {number}: an object is wanted")
        yield number, told


def _objects(value: object) -> Iterable[dict[str, object]]:
    found = _list(value)
    if not all(isinstance(each, dict) for each in found):
        raise InputError("a list of objects is wanted")
    return found  # type: ignore[return-value]


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise InputError("a list is wanted")
    return value


def _json(data: bytes) -> object:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"this is no JSON: {error}; --from names another format") from None


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"this is no UTF-8 text: {error.reason}") from None

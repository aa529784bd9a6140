"""Message lists: what OpenAI's and Anthropic's APIs take, and transcripts of `Name: words`."""

import hashlib
import re
from collections.abc import Iterator
from typing import Final

import msgspec

from muniment.adapters.exchange import json_stream
from muniment.adapters.exchange.foreign_record import (
    Found,
    Skipped,
    listed,
    named,
    origin_of,
    texts,
)
from muniment.adapters.exchange.source_files import SourceFiles
from muniment.model.errors import InputError

SPOKEN: Final = re.compile(
    r"^\s*(?:\[(?P<at>[^\]]{1,40})\]\s*)?(?P<who>[^:\n]{1,64}):\s+(?P<said>\S.*)$"
)
TEXTS: Final = frozenset({"text", "input_text", "output_text"})
NAMES: Final = ("*.json", "*.jsonl", "*.txt", "*.md", "*.log")
SAID_CHARACTERS_MAX: Final = 1 << 20
TALK_LETTERS: Final = 16


def read(files: SourceFiles) -> Iterator[Found]:
    """JSON with role and content, or lines of speech; one session, unless lines say of several."""
    for name in files.names(*NAMES):
        with files.open(name) as data:
            begin = data.read(json_stream.CHUNK_BYTES).lstrip()
        if not is_json(begin):
            yield from spoken(name, files.lines(name))
            continue
        with files.open(name) as data:
            talk = ""
            for element in json_stream.elements(data, ("messages",), ("input",)):
                talk = talk or _talk(msgspec.json.encode(element.value, order="sorted"))
                yield from _row(f"{name}#{element.number}", element, talk)


def _row(place: str, element: json_stream.Element, talk: str) -> Iterator[Found]:
    told = named(element.value)
    if not told:
        yield Skipped(place=place, reason=element.reason or "no_object")
    elif isinstance(told.get("messages"), list):  # of a file for training: a talk on each line
        own = _talk(msgspec.json.encode(told, order="sorted"))
        for n, each in enumerate(listed(told["messages"]), start=1):
            yield from message(f"{place}.{n}", named(each), own)
    else:
        yield from message(place, told, talk)


def message(place: str, told: dict[str, object], talk: str) -> Iterator[Found]:
    """One message: its words, and what else it holds, which is told of and not remembered."""
    role = told.get("role") or told.get("speaker") or told.get("sender")
    if not isinstance(role, str) or not role:
        kind = told.get("type")
        yield Skipped(place=place, reason=kind if isinstance(kind, str) and kind else "no_role")
        return
    words, others = words_of(told.get("content") if "content" in told else told.get("text"))
    for kind in others:
        yield Skipped(place=place, reason=kind)
    if told.get("tool_calls") and not words:
        yield Skipped(place=place, reason="tool_call")
        return
    if not words and others:
        return
    yield from texts(
        place,
        words,
        id=f"{talk} {place.rpartition('#')[2]} {told.get('id') or ''}",
        origin=origin_of(role),
        speaker=told.get("name") or _name(told.get("speaker")),
        session=told.get("session") or talk,
        at=told.get("timestamp") or told.get("created_at") or told.get("at"),
    )


def _name(speaker: object) -> object:
    """Who says it, where that is somebody's name and not a role."""
    role = str(speaker or "")
    return "" if role.lower() == "user" or origin_of(role) != "user" else role


def words_of(content: object) -> tuple[str | None, list[str]]:
    """The words of a message's content, and the kinds of everything in it that is no text."""
    if isinstance(content, str):
        return content, []
    if not isinstance(content, list):
        return None, [] if content is None else ["not_text"]
    words: list[str] = []
    others: list[str] = []
    for part in content:
        told = named(part)
        kind = str(told.get("type") or "")
        if isinstance(part, str):
            words.append(part)
        elif kind in TEXTS and isinstance(told.get("text"), str):
            words.append(str(told["text"]))
        elif kind == "tool_result":
            found, more = words_of(told.get("content"))
            words += [found] if found else []
            others += more or ([] if found else [kind])
        else:
            others.append(kind if kind and kind not in TEXTS else "not_text")
    said = "\n".join(each for each in words if each.strip())
    return said or None, others


def spoken(name: str, lines: Iterator[str]) -> Iterator[Found]:
    """Lines of `Name: words`; a line without a name goes on with what was being said."""
    talk = ""
    said: list[str] = []
    head: tuple[int, str, str] | None = None
    for number, line in enumerate(lines, start=1):
        found = SPOKEN.match(line)
        if found:
            talk = talk or _talk(line.strip().encode())
            if head:
                yield from _speech(name, head, said, talk)
            head, said = (number, found["who"], found["at"] or ""), [found["said"]]
        elif line.strip() and head:
            said.append(line.strip())
            if sum(map(len, said)) > SAID_CHARACTERS_MAX:  # nobody says so much in one go
                yield from _speech(name, head, said, talk)
                head, said = (number, head[1], head[2]), []
        elif line.strip():
            raise InputError(f"line {number}: a transcript begins with `Name: words`")
    if head and said:
        yield from _speech(name, head, said, talk)


def _speech(name: str, head: tuple[int, str, str], said: list[str], talk: str) -> Iterator[Found]:
    number, who, at = head
    origin = origin_of(who)
    yield from texts(
        f"{name}:{number}",
        "\n".join(said),
        id=f"{talk} {number}",
        origin=origin,
        speaker="" if origin != "user" or who.strip().lower() == "user" else who.strip(),
        session=talk,
        at=at,
    )


def is_json(begin: bytes) -> bool:
    """A time in brackets begins a line of speech, not a list."""
    rest = begin.removeprefix(json_stream.MARK).lstrip()
    return rest[:1] == b"{" or (rest[:1] == b"[" and not rest[1:2].isdigit())


def _talk(begin: bytes) -> str:
    """A name for a chat by what it begins with: when it has grown, it is still the same one."""
    return f"transcript {hashlib.sha256(begin).hexdigest()[:TALK_LETTERS]}"

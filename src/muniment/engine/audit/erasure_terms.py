"""Search terms of an erasure: a person's own words that belong to nobody else.

A log says ids, times and codes in the open, for ever, and names nobody by them. Whoever has said
such a word has left nothing behind where the log says it too.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from muniment.log.entry import Line
from muniment.model.events import Received
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.policy import Policy

BYTES_MIN: Final = 8  # shorter texts occur by chance
CONTENT: Final = (
    "content",
    "metadata",
    "text",
    "texts",
    "summary",
    "summaries",
    "payload",
    "raw",
    "value",
    "justification",
    "query",
    "key",
    "detail",
)
WITHIN: Final = ("item", "messages", "offer", "command")
# A day, or a moment of one as far as it is told: every header begins with one.
MOMENT: Final = lazy_pattern(r"\d{4}-\d\d-\d\d(T[\d:.]*Z?)?")


def words(line: Line) -> list[str]:
    """What an event says in a person's words; names and ids say nothing by themselves."""
    event = line.event
    source = event.command if isinstance(event, Received) else event
    built = msgspec.to_builtins(source)
    told = [text for name in CONTENT if name in built for text in _texts(built[name])]
    return told + [text for name in WITHIN if name in built for text in _inner(built[name])]


def said_in_the_open(lines: Iterable[Line]) -> Iterator[str]:
    """Every word of the headers: ids, references, codes, times. A sentence is none of them."""
    for line in lines:
        yield line.header.id
        yield from _single(msgspec.json.decode(line.header.body))


def said_by_the_rules(policy: Policy) -> Iterator[str]:
    """The words of a policy, which lies beside the log as a file."""
    yield from _single(msgspec.to_builtins(policy))


def is_telling(text: str, in_the_open: frozenset[str]) -> bool:
    """Long enough, more than one plain word (which stands in many files by chance), no structure.

    What is sent on names where it goes behind a colon.
    """
    if len(text.encode()) < BYTES_MIN or (text.isascii() and text.isalpha()):
        return False
    is_structure = text in in_the_open or text.rpartition(":")[2] in in_the_open
    return not is_structure and not MOMENT.fullmatch(text)


def is_sought(needle: bytes, in_the_open: frozenset[str]) -> bool:
    """Whether a scan looks for what was written down; a key is no text, and always sought."""
    try:
        return is_telling(needle.decode(), in_the_open)
    except UnicodeDecodeError:
        return True


def _single(value: object) -> Iterator[str]:
    """Texts without a space, at any depth, the names of fields among them."""
    match value:
        case str():
            yield from [value] if value and not any(map(str.isspace, value)) else []
        case list() | tuple():
            for inner in value:
                yield from _single(inner)
        case dict():
            for name, inner in value.items():
                yield from _single(name)
                yield from _single(inner)
        case _:
            return


def _inner(value: object) -> list[str]:
    """The words inside an item or a message; its codes and counters stand in other files too."""
    match value:
        case dict():
            own = [value["text"]] if isinstance(value.get("text"), str) else []
            return own + [text for inner in value.values() for text in _inner(inner)]
        case list() | tuple():
            return [text for inner in value for text in _inner(inner)]
        case _:
            return []


def _texts(value: object) -> list[str]:
    match value:
        case str():
            return [value]
        case list() | tuple():
            return [text for inner in value for text in _texts(inner)]
        case dict():
            return [text for inner in value.values() for text in _texts(inner)]
        case _:
            return []

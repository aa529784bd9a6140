"""Document text: the searchable text of a JSON value."""

from collections.abc import Iterator
from typing import Final

from muniment.model import canonical_json

SPEAKER: Final = "speaker"
# What stands beside what is said: names of things and times, which nobody asks for in words.
NO_WORDS: Final = frozenset({"id", "role", "author", "timestamp", "session", SPEAKER})
NO_WORDS_ENDINGS: Final = ("_id", "_at")


def document_text(value: object) -> str:
    """Its texts, a line each, without names and times of things."""
    return "\n".join(_texts(canonical_json.release(value)))


def _texts(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for key, inner in value.items():
                if key not in NO_WORDS and not key.endswith(NO_WORDS_ENDINGS):
                    yield from _texts(inner)
        case list() | tuple():
            for inner in value:
                yield from _texts(inner)
        case _:
            return

"""Sentence splitting: each sentence gets a vector of its own."""

from collections.abc import Iterator
from typing import Final

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import known

SENTENCES_MAX: Final = 12
WORDS_MIN: Final = 4  # shorter ones belong to what follows

_ENDS = lazy_pattern(
    r"(?<=[.!?\u2026])\s+(?=[\"'\u201c(\[]?[^\Wa-z_])"
    r"|(?<=[\u3002\uff01\uff1f\u0964\u061f])\s*|\n+"
)
_MARKS = lazy_pattern("[.!?\u2026\u3002\uff01\uff1f\u0964\u061f\n]")  # none of which, no end


def split(text: str) -> list[str]:
    """In order; a short fragment is glued to the sentence after it, the last to the one before."""
    pieces = [piece.strip() for piece in _parts(text) if piece and not piece.isspace()]
    glued: list[str] = []
    waiting = ""
    for piece in pieces:
        joined = f"{waiting} {piece}".strip()
        if _is_short(joined):
            waiting = joined
        else:
            glued.append(joined)
            waiting = ""
    if waiting and glued:
        glued[-1] = f"{glued[-1]} {waiting}"
    elif waiting:
        glued.append(waiting)
    return glued[:SENTENCES_MAX]


def to_embed(text: str) -> list[str]:
    """The whole text, then its sentences if there are several: one vector for each."""
    found = split(text)
    return [text, *found] if len(found) > 1 else [text]


def _parts(text: str) -> Iterator[str]:
    start = 0
    for end in _ENDS.finditer(known(text)) if _MARKS.search(text) else ():
        yield text[start : end.start()]
        start = end.end()
    yield text[start:]


def _is_short(piece: str) -> bool:
    # Scripts without spaces have no words to count; there a sentence is a sentence.
    return piece.isascii() and len(piece.split()) < WORDS_MIN

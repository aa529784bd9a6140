"""Chunking: a long text is cut at ends of sentences, and joined again byte for byte."""

from collections.abc import Iterator, Sequence
from typing import Final

from muniment.model.text import sentences
from muniment.model.text.tokens import CHARACTERS_PER_TOKEN
from muniment.model.unicode14 import category

JOINER: Final = "\u200d"
STEPS_BACK_MAX: Final = 16  # so far a cut looks for a place between two letters


def cut(text: str, size_tokens: int) -> tuple[str, ...]:
    """Chunks of at most so many tokens, in order; a text that fits is one chunk."""
    room = size_tokens * CHARACTERS_PER_TOKEN
    if len(text) <= room:
        return (text,)
    chunks: list[str] = []
    held: list[str] = []
    length = 0
    for piece in _pieces(text, room):
        if held and length + len(piece) > room:
            chunks.append("".join(held))
            held, length = [], 0
        held.append(piece)
        length += len(piece)
    chunks.append("".join(held))
    return tuple(chunks)


def joined(chunks: Sequence[str]) -> str:
    """The text that was cut."""
    return "".join(chunks)


def _pieces(text: str, room: int) -> Iterator[str]:
    """Sentences; one that fits nowhere is cut at a space, or at worst between two letters."""
    for sentence in sentences.sentences(text):
        rest = sentence
        while len(rest) > room:
            place = _place(rest, room)
            yield rest[:place]
            rest = rest[place:]
        if rest:
            yield rest


def _place(text: str, room: int) -> int:
    space = text.rfind(" ", room // 2, room)
    if space >= 0:
        return space + 1
    for place in range(room, max(room - STEPS_BACK_MAX, 1), -1):
        if not _belongs_together(text[place - 1], text[place]):
            return place
    return room


def _belongs_together(left: str, right: str) -> bool:
    return category(right)[0] == "M" or JOINER in (left, right)

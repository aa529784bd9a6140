"""Text chunks: a long text is indexed in parts, so that all of it can be found."""

from functools import lru_cache
from typing import Final

from muniment.rules.memos import chunks

PART_TOKENS: Final = 300  # what is found, and shown, of a long text at once
PARTS_MAX: Final = 255  # of one text


@lru_cache(maxsize=64)  # an answer reads several parts of one text
def parts(text: str) -> tuple[str, ...]:
    """The pieces of a text in their order; one that is short is its own."""
    return chunks.cut(text, PART_TOKENS)[:PARTS_MAX]

"""Text similarity: share of common words, and fingerprints that find near-duplicates."""

from functools import lru_cache
from hashlib import blake2b
from typing import Final
from zlib import crc32

import msgspec

from muniment.model.text.tokens import tokens

WHOLE_PPM: Final = 1_000_000
# A mark is two minima over the words. Texts that share nine words of ten have one of two marks
# in common with 964 chances in 1000, those that share half of them with 438; strangers hardly
# ever. Texts of exactly the same words are found for sure: they share the first mark of all.
WORD: Final = 0xFFFFFFFF
# Odd factors spread the words differently for each minimum; any fixed ones would do.
FACTORS: Final = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F)


class Marks(msgspec.Struct, frozen=True, kw_only=True):
    """By which a text is found: one for the same words, two for likely twins."""

    same: str
    one: str
    other: str


@lru_cache(maxsize=1 << 10)  # what a text is compared with is what the next ones are, too
def words(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


def jaccard_ppm(one: frozenset[str], other: frozenset[str]) -> int:
    """Shared words of all words, in millionths; two texts without words are alike."""
    shared = len(one & other)
    together = len(one) + len(other) - shared
    return shared * WHOLE_PPM // together if together else WHOLE_PPM


@lru_cache(maxsize=1)
def marks(known: frozenset[str]) -> Marks | None:
    """The marks of a text, of its words; none where there are no words."""
    if not known:
        return None
    same = blake2b("\0".join(sorted(known)).encode(), digest_size=16).hexdigest()
    first = second = third = fourth = WORD
    for a, b, c, d in map(_spread, known):  # every memo comes by here: four looks for a least one
        first = a if a < first else first
        second = b if b < second else second
        third = c if c < third else third
        fourth = d if d < fourth else fourth
    return Marks(
        same=same, one=f"{first << 32 | second:016x}", other=f"{third << 32 | fourth:016x}"
    )


@lru_cache(maxsize=1 << 16)
def _spread(word: str) -> tuple[int, ...]:
    """Where each factor puts a word."""
    place = crc32(word.encode())
    return tuple([(place * factor) & WORD for factor in FACTORS])

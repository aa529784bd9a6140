"""How alike two texts are: shared words of all words, and marks by which likely twins are found."""

from typing import Final
from zlib import crc32

from muniment.model.text import tokens

WHOLE_PPM: Final = 1_000_000
# Each band is two minima. Texts that share nine words of ten meet in one of three bands with
# 993 chances in 1000, those that share half of their words with 578; strangers hardly ever.
BANDS: Final = 3
ROWS: Final = 2
WORD: Final = 0xFFFFFFFF
# Odd factors spread the words differently for each minimum; any fixed ones would do.
FACTORS: Final = (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1, 0xD3A2646D)


def words(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


def jaccard_ppm(one: frozenset[str], other: frozenset[str]) -> int:
    """Shared words of all words, in millionths; two texts without words are alike."""
    together = len(one | other)
    return WHOLE_PPM if not together else len(one & other) * WHOLE_PPM // together


def bands(text: str) -> tuple[str, ...]:
    """The marks of a text: likely twins share at least one of them."""
    hashes = [crc32(word.encode()) for word in words(text)]
    if not hashes:
        return ()
    minima = [min([(each * factor) & WORD for each in hashes]) for factor in FACTORS]
    return tuple(
        f"{band}:{minima[band * ROWS]:08x}{minima[band * ROWS + 1]:08x}" for band in range(BANDS)
    )

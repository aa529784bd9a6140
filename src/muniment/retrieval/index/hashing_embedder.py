"""Hashing embedder: words and their letter n-grams, hashed with a sign into int8."""

from typing import Final
from zlib import crc32

from muniment.model.text.tokens import tokens

DIMENSIONS: Final = 256
WORD_WEIGHT: Final = 1  # whole words count in the other score already
LETTERS: Final = 3  # of a part of a word: enough to recognise its other forms
LETTERS_WEIGHT: Final = 1
INT8_MAX: Final = 127


class HashingEmbedder:
    """Deterministic everywhere: the vector follows from the text alone."""

    name = "hashed-ngrams-1"
    dims = DIMENSIONS

    def embed(self, text: str) -> bytes:
        sums = [0] * DIMENSIONS
        for word in tokens(text):
            _add(sums, word, WORD_WEIGHT)
            framed = f"<{word}>"
            for start in range(len(framed) - LETTERS + 1):
                _add(sums, framed[start : start + LETTERS], LETTERS_WEIGHT)
        return quantised(sums)


def quantised(values: list[int]) -> bytes:
    """Whole numbers scaled to int8, rounded half away from zero."""
    largest = max(map(abs, values), default=0)
    if not largest:
        return bytes(len(values))
    scaled = [
        (1 if value > 0 else -1) * ((abs(value) * INT8_MAX * 2 + largest) // (largest * 2))
        for value in values
    ]
    return bytes(value % 256 for value in scaled)


def _add(sums: list[int], feature: str, weight: int) -> None:
    drawn = crc32(feature.encode())
    sums[drawn % DIMENSIONS] += weight if drawn >> 31 else -weight

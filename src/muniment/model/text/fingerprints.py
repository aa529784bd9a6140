"""Fingerprint: a short code that two texts of the same words in the same order share."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Final

from muniment.model.text.near_duplicates import worded

LENGTH: Final = 8  # bytes
LINES_MAX: Final = 128  # of one receipt: it is bounded, whatever was given out


def fingerprint(text: str) -> bytes:
    return blake2b(worded(text).encode(), digest_size=LENGTH).digest()


def of_lines(texts: Iterable[str]) -> bytes:
    """One behind another: of each text the whole, and each line where it has several."""
    codes = dict.fromkeys(fingerprint(line) for text in texts for line in _lines(text))
    return b"".join(tuple(codes)[:LINES_MAX])


def split(codes: bytes) -> Iterator[bytes]:
    return (codes[start : start + LENGTH] for start in range(0, len(codes), LENGTH))


def _lines(text: str) -> Iterator[str]:
    yield text
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        yield from lines

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


def holds(codes: bytes, code: bytes) -> bool:
    """Whether a code is one of several; where one ends and the next begins there is none."""
    place = codes.find(code)
    while place > 0 and place % LENGTH:
        place = codes.find(code, place + 1)
    return place >= 0


def _lines(text: str) -> Iterator[str]:
    yield text
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        yield from lines

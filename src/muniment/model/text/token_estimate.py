"""Token estimate: how many tokens of a language model a text takes, by o200k_base's vocabulary.

The package has a checksum of each token and its rank, made by `python -m bench token-table`, so the
same pairs are merged as by the tokenizer. A text is counted line by line: joined lines cost at most
the sum of what each costs with its line break.
"""

import sys
from array import array
from bisect import bisect_left
from functools import cache, lru_cache
from pkgutil import get_data
from typing import Final
from zlib import crc32

from muniment.model.lazy_pattern import lazy_pattern

TABLE: Final = "o200k.bin"
RANK_BITS: Final = 18  # of a row; above them stands what else is known of the token
NO_TOKEN: Final = 1 << RANK_BITS
LONGEST_PART: Final = 256  # of a piece, in characters: merging takes the square of it

# Marks belong to the word they stand on; in the blocks of India they lie in like places.
MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06ed\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e"
    "\u1056-\u1059\u17b4-\u17d3\u1ab0-\u1ace\u1dc0-\u1dff\u20d0-\u20f0\u302a-\u302f\u3099\u309a"
    "\ufe00-\ufe0f\ufe20-\ufe2f"
) + "".join(
    f"{chr(block + first)}-{chr(block + last)}"
    for block in range(0x0900, 0x0D80, 0x80)
    for first, last in ((0, 3), (0x3A, 0x3C), (0x3E, 0x4F), (0x51, 0x57), (0x62, 0x63))
)
CAPITAL: Final = "A-Z\u00c0-\u00d6\u00d8-\u00de\u0391-\u03a9\u0400-\u042f"
SMALL: Final = "a-z\u00df-\u00f6\u00f8-\u024f\u0370-\u0390\u03aa-\u03ff\u0430-\u058f"
HIGH: Final = rf"(?:(?![{SMALL}])[^\W\d_]|[{MARKS}])"  # a capital, or a letter without case
LOW: Final = rf"(?:(?![{CAPITAL}])[^\W\d_]|[{MARKS}])"
PIECE: Final = lazy_pattern(
    r"[^\r\n\w]?[A-Z]?[a-z]+(?=[\s.,:;!?\")])"  # most words, and nothing but them: for speed
    rf"|(?:[^\r\n\w]|_)?(?:{HIGH}*{LOW}+|{HIGH}+{LOW}*)(?:'(?i:s|t|re|ve|m|ll|d))?"
    r"|\d{1,3}| ?(?:[^\s\w]|_)+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+|\w"
)
LINE: Final = lazy_pattern(r"[^\n]*\n+|[^\n]+")
PATH: Final = lazy_pattern(r"/[^\W\d_]")  # its stroke goes to the signs that end the line before


def estimate_tokens(text: str) -> int:
    """How many tokens a text takes."""
    return sum(map(_of_line, LINE.findall(text)))


def line_tokens(line: str) -> int:
    """Tokens of a line and its line break."""
    return estimate_tokens(f"{line}\n")


def check(token: bytes) -> int:
    """What a row says of its token beside the checksum, so that another is not taken for it."""
    return len(token) | (token[-1] & 0x7F) << 7


@lru_cache(maxsize=4_096)
def _of_line(line: str) -> int:
    parts = (
        piece[start : start + LONGEST_PART]
        for piece in PIECE.findall(line)
        for start in range(0, len(piece), LONGEST_PART)
    )
    return sum(map(_of_part, parts)) + (PATH.match(line) is not None)


@lru_cache(maxsize=32_768)
def _of_part(piece: str) -> int:
    token = piece.encode(errors="replace")
    return 1 if len(token) == 1 or _rank(token) != NO_TOKEN else _merged(token)


def _merged(piece: bytes) -> int:
    """Byte pairs are merged, the one of the lowest rank first, until none is a token."""
    cuts = list(range(len(piece) + 1))
    ranks = [_rank(piece[cut : cut + 2]) for cut in cuts[:-2]]
    while ranks and (lowest := min(ranks)) != NO_TOKEN:
        at = ranks.index(lowest)
        del cuts[at + 1], ranks[at]
        if at < len(ranks):
            ranks[at] = _rank(piece[cuts[at] : cuts[at + 2]])
        if at:
            ranks[at - 1] = _rank(piece[cuts[at - 1] : cuts[at + 1]])
    return len(cuts) - 1


@lru_cache(maxsize=65_536)
def _rank(token: bytes) -> int:
    checksums, rows = _table()
    checksum = crc32(token)
    at = bisect_left(checksums, checksum)
    if at == len(checksums) or checksums[at] != checksum:
        return NO_TOKEN
    known, rank = divmod(rows[at], NO_TOKEN)
    return rank if known == check(token) else NO_TOKEN


@cache
def _table() -> tuple[memoryview, memoryview]:
    """Read once, when the first text is counted: checksums in order, and a row for each."""
    data = get_data(__name__, TABLE)
    assert data is not None, "the table comes with the package"
    numbers = memoryview(data).cast("I")
    if sys.byteorder == "big":
        turned = array("I", data)
        turned.byteswap()
        numbers = memoryview(turned)
    half = len(numbers) // 2
    return numbers[:half], numbers[half:]

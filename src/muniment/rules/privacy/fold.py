"""Text normalization for detection: digits, dashes, blanks, widths, and positions back.

Patterns look at the folded text; what they find is cut out of the text as it was written. By the
tables of Unicode 14.0, whatever the interpreter knows beyond them.
"""

import re
import unicodedata
from typing import Final

import msgspec

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import category, known, normalised

# A character that stands for a whole phrase tells no number; the work on a text stays bounded.
EXPANSION_MAX: Final = 3
UNSEEN_MARKS: Final = lazy_pattern("[\u034f\u115f\u1160\u17b4\u17b5\u3164\ufe00-\ufe0f\uffa0]")
# What joins the letter before it, where full-width and half-width forms are told apart.
JOINING: Final = "\u0300-\u036f\u3099\u309a\uff9e\uff9f"
# Letters of the languages that recall knows, and their quotation marks: folded to themselves.
PLAIN: Final = (
    "\x00-\x7f\u00c0-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0388-\u038a\u038c"
    "\u038e-\u03a1\u03a3-\u03ce\u0400-\u0482\u048a-\u04ff\u0621-\u063a\u0641-\u064a"
    "\u0905-\u0939\u093e-\u094d\u4e00-\u9fff\u3041-\u3096\u30a1-\u30fa\uac00-\ud7a3"
    "\u2018-\u201f\u3001\u3002€"
)
_MAY_FOLD = lazy_pattern(f"[^{PLAIN}]")
_CLUSTER = lazy_pattern(f"[^{JOINING}][{JOINING}]*|[{JOINING}]+", re.DOTALL)
_JOINS = lazy_pattern(f"[{JOINING}]")
_LONG_VOWEL_AMONG_DIGITS = lazy_pattern(r"(?<=[0-9])[\u30fc\uff70](?=[0-9])")


class FoldedText(msgspec.Struct, frozen=True, kw_only=True):
    """A text as the patterns see it; `starts` and `ends` lead back, and are empty where it kept
    its length.
    """

    text: str
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the folded text stands in the text as it was written."""
        return (self.starts[start], self.ends[end - 1]) if self.starts else (start, end)


class _Table(dict[int, str]):
    """What one character is folded to; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = _folded(chr(code))
        return self[code]


_TABLE = _Table()


def fold(text: str) -> FoldedText:
    """The text in one spelling, with the way back."""
    if text.isascii() or not _MAY_FOLD.search(text):
        return FoldedText(text=text)
    text = known(text)
    letters = set(text)
    if all(len(_TABLE[ord(letter)]) == 1 for letter in letters) and not _JOINS.search(text):
        return FoldedText(text=_joined_digits(text.translate(_TABLE)))
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for cluster in _CLUSTER.finditer(text):
        piece = cluster[0].translate(_TABLE)
        if len(cluster[0]) > 1:
            piece = normalised("NFC", piece)
        pieces.append(piece)
        starts += [cluster.start()] * len(piece)
        ends += [cluster.end()] * len(piece)
    return FoldedText(text=_joined_digits("".join(pieces)), starts=tuple(starts), ends=tuple(ends))


def _joined_digits(text: str) -> str:
    return _LONG_VOWEL_AMONG_DIGITS.sub("-", text)


def _folded(letter: str) -> str:
    kind = category(letter)
    if kind == "Cf" or UNSEEN_MARKS.match(letter):
        return ""
    if kind == "Nd":
        return str(unicodedata.decimal(letter))
    if kind == "Pd" or letter == "\u2212":
        return "-"
    if kind == "Zs":
        return " "
    plain = normalised("NFKC", letter)
    spaced = plain[:1] == " " and letter != " "  # an accent that stands alone
    return letter if spaced or not 0 < len(plain) <= EXPANSION_MAX else plain

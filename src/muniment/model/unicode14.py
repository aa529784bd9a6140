"""Unicode 14.0: properties of each character, independent of the interpreter's version.

Words, keys, redactions and frames decide what is logged, and a log is decided again where it is
proved. A newer Python knows more characters; it must not read an old text differently. What is
newer than 14.0 is no letter, no digit and no mark, has no case and joins nothing.
"""

import unicodedata
from bisect import bisect_right
from itertools import groupby
from typing import Final, Literal

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unassigned import BOUNDS

Form = Literal["NFC", "NFD", "NFKC", "NFKD"]

VERSION: Final = "14.0"
# Stands for each newer character where words and patterns are looked for: it will never be one.
STAND_IN: Final = 0xFFFF
# Blocks of pictures and nothing else: a newer one is a picture too, and shown like the others.
PICTURES: Final = range(0x1F300, 0x1FB00)
# Control, format (zero-width and bidi), surrogate, private and unassigned characters, and line
# separators: none of them can be seen.
UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
UNPRINTABLE: Final = UNSEEN | {"Zs"}

# What later versions say otherwise of characters that 14.0 had.
_CATEGORY_THEN: Final = {"\U0001171e": "Mn"}
_SMALL_SINCE: Final = frozenset("\u10fc\ua7f2\ua7f3\ua7f4\uab69")
_CAPITAL_SINCE: Final = frozenset("\u019b\u0264")

# May be newer: the empty places of the first plane, and beyond it all but the fullest runs, so
# that a text with none of them is known by one quick look.
_EMPTY = "".join(
    f"{chr(start)}-{chr(end - 1)}"
    for start, end in zip(BOUNDS[::2], BOUNDS[1::2], strict=False)
    if end <= 1 << 16
)
_BEYOND = "\U00010000-\U0001f2ff\U0001f6d8-\U0001f8ff\U0001fa54-\U0001ffff\U0002a6e0-\U0010ffff"
FEW: Final = 64  # letters: they are compared sooner than a pattern of all places is compiled
_MAY_BE_NEWER = lazy_pattern(f"[{_EMPTY}{_BEYOND}]")


def is_newer(letter: str) -> bool:
    """Whether Unicode 14.0 had nothing at this place."""
    return bisect_right(BOUNDS, ord(letter)) % 2 == 1


class _Known(dict[int, int]):
    def __missing__(self, code: int) -> int:
        self[code] = STAND_IN if is_newer(chr(code)) and code not in PICTURES else code
        return self[code]


class _Categories(dict[str, str]):
    def __missing__(self, letter: str) -> str:
        if is_newer(letter):
            self[letter] = "So" if ord(letter) in PICTURES else "Cn"
        else:
            self[letter] = _CATEGORY_THEN.get(letter) or unicodedata.category(letter)
        return self[letter]


_KNOWN = _Known()
_CATEGORIES = _Categories()


def known(text: str) -> str:
    """The text as every interpreter reads it, each character in its place; for looking only."""
    if _is_old(text):
        return text
    return text.translate(_KNOWN)


def _is_old(text: str) -> bool:
    """Whether nothing in it can be newer than 14.0; of most words the last letter tells that."""
    if text.isascii() or (len(text) < FEW and max(text) < _EMPTY[0]):
        return True
    return _MAY_BE_NEWER.search(text) is None


def category(letter: str) -> str:
    return _CATEGORIES[letter]


def is_mark(letter: str) -> bool:
    """Whether it belongs to the letter before it; what is none today was none then, but for few."""
    is_one = unicodedata.category(letter)[0] == "M" or letter in _CATEGORY_THEN
    return is_one and category(letter)[0] == "M"


def normalised(form: Form, text: str) -> str:
    """The text in a normal form; a newer character stays, and parts what stands beside it."""
    if _is_old(text):
        return unicodedata.normalize(form, text)
    runs = ((newer, "".join(letters)) for newer, letters in groupby(text, is_newer))
    return "".join(run if newer else unicodedata.normalize(form, run) for newer, run in runs)


def is_unseen(letter: str) -> bool:
    return category(letter) in UNSEEN


def is_printable(text: str) -> bool:
    """As `str.isprintable` says it with the tables of 14.0."""
    if text.isascii() or any(map(is_newer, text)):
        return text.isascii() and text.isprintable()
    return all(each == " " or category(each) not in UNPRINTABLE for each in text)


def is_small(letter: str) -> bool:
    """Whether it is one small letter."""
    return letter.islower() and letter not in _SMALL_SINCE


def has_no_case(word: str) -> bool:
    return all(each in _CAPITAL_SINCE or each.lower() == each.upper() for each in word)

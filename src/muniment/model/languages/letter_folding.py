"""Accent folding: one spelling of a text, whatever its case, its accents and its letters' forms."""

from typing import Final

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import known, normalised

# Marks that decorate a letter without changing the word: accents, and the vowel points of
# Hebrew and Arabic. The marks of Indian scripts are vowels and stay, and the short i of Cyrillic is
# a letter: half of all endings have it.
_ACCENTS = lazy_pattern(
    "(?!(?<=\u0438)\u0306)[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640]"
)
# How a letter or a picture is to be shown, and where a word may be broken: no part of the word.
UNSPOKEN: Final = lazy_pattern(
    "[\u00ad\u180b-\u180d\u200d\u2060\u20e3\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]"
)


def unaccented(text: str) -> str:
    """A text without case and accents, whose apostrophes still mean something."""
    if text.isascii():
        return text.casefold()
    return unmarked(normalised("NFKC", UNSPOKEN.sub("", known(text))).casefold())


def unmarked(text: str) -> str:
    """A text without accents."""
    return normalised("NFC", _ACCENTS.sub("", normalised("NFD", text)))

"""Sentence boundaries in any script, and the subject of a sentence.

Splitting loses nothing: the sentences of a text, put together again, are the text.
"""

import re
from typing import Final

from muniment.model.languages.tables.german import GERMAN
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.tokens import MARK, tokens
from muniment.model.unicode14 import is_small, known

# A full stop needs a space after it, or it stands inside a number; a fullwidth one does not.
_END = lazy_pattern(
    r"(?:[.!?…]+[\"'”’»)\]]*(?=\s)"
    r"|[。！？｡؟۔।॥።។။]+[」』”’）\"]*)\s*"
    r"|\s*\n\s*"
)
# The same of a line in ASCII: it begins with a mark, which is looked for first.
_END_OF_ASCII = lazy_pattern(r"[.!?][.!?]*[\"')\]]*(?=\s)\s*")
_LAST_WORD = lazy_pattern(r"(\w[\w.]*)\.+[\"'”’»)\]]*\s*$")
ABBREVIATIONS: Final = frozenset(
    {
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "st",
        "vs",
        "e.g",
        "i.e",
        "cf",
        "approx",
        "z.b",
        "bzw",
        "sr",
        "sra",
        "dra",
        "mme",
        "mlle",
        "sig",
        "dott",
        "dhr",
        "mevr",
    }
)
WORD_CHARACTERS_LOOKED_AT: Final = 24  # before a full stop: an abbreviation is short
_NAME = lazy_pattern(r"[^\W\d_][\w'’-]*")
_QUOTED = lazy_pattern(r"\"([^\"\n]{1,80})\"|“([^”\n]{1,80})”|«([^»\n]{1,80})»|「([^」\n]{1,80})」")
DAY_DIGITS: Final = 2
_MONTHS: Final = frozenset(
    form for row in (*GERMAN.months, *GERMAN.months_short) for form in row.split("|")
)
ONESELF: Final = frozenset({"I", "I'm", "I’m", "I'll", "I’ll", "I've", "I’ve", "I'd", "I’d"})
SHORT_WORD: Final = 3  # words this short say how, rarely what
# Scripts that set no spaces between words: a pair of letters stands for a word there.
_UNSPACED = lazy_pattern(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]"
)


def sentences(text: str) -> tuple[str, ...]:
    """The text in sentences, each with the white space after it."""
    found: list[str] = []
    start = 0
    seen = known(text)
    ends = _END_OF_ASCII if seen.isascii() and "\n" not in seen else _END
    for end in ends.finditer(seen):
        if _is_end(seen, end):
            found.append(text[start : end.end()])
            start = end.end()
    if start < len(text):
        found.append(text[start:])
    return tuple(found)


def _is_end(text: str, end: re.Match[str]) -> bool:
    mark = end[0].strip()
    if "\n" in end[0] or not mark.startswith(".") or len(mark) > 1:
        return True
    if is_small(text[end.end() : end.end() + 1]):
        return False
    before = _LAST_WORD.search(text[max(0, end.start() - WORD_CHARACTERS_LOOKED_AT) : end.end()])
    if before is None:
        return True
    word = before[1].lower()
    if word.isdecimal() and len(word) <= DAY_DIGITS and _is_month(text[end.end() :]):
        return False  # "am 12. September"
    is_initial = len(word) == 1 and before[1].isupper()
    return not is_initial and word not in ABBREVIATIONS


def _is_month(text: str) -> bool:
    """Whether a text begins with a month that is named behind the number of a day."""
    first = _NAME.match(text[:WORD_CHARACTERS_LOOKED_AT])
    return first is not None and first[0].lower() in _MONTHS


def terms(text: str) -> tuple[str, ...]:
    """The words that say what a text is about, in order; pairs of letters where none are spaced."""
    found: list[str] = []
    for word in tokens(MARK.sub(" ", text)):
        if _UNSPACED.search(word):
            found += [word[n : n + 2] for n in range(len(word) - 1)] or [word]
        elif len(word) > SHORT_WORD or not word.isascii():
            found.append(word)
    return tuple(found)


def numbers(text: str) -> tuple[str, ...]:
    """Every word with a digit in it, in order: amounts, dates, versions, codes."""
    return tuple(word for word in tokens(text) if any(letter.isdigit() for letter in word))


def names(text: str) -> tuple[str, ...]:
    """Every word that begins with a capital, in order, wherever it stands."""
    found = (each[0] for each in _NAME.finditer(MARK.sub(" ", known(text))))
    return tuple(word.lower() for word in found if word[0].isupper() and word not in ONESELF)


def quotes(text: str) -> tuple[str, ...]:
    """What stands between quotation marks, word for word."""
    return tuple(next(filter(None, each.groups())) for each in _QUOTED.finditer(text))


def values(sentence: str) -> tuple[str, ...]:
    """What must not be lost of a sentence: numbers, names inside of it, quotes, pseudonyms."""
    inside = known(sentence).lstrip(" \t\n\"'“«「(")
    first = _NAME.match(inside)
    rest = inside[first.end() :] if first else inside
    return (*numbers(sentence), *names(rest), *quotes(sentence), *MARK.findall(sentence))

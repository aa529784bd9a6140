"""Language detection: by the letters of a text, or by its function words.

"Hier" is German for here and French for yesterday. So a word counts as one of a language only in
a text that shows this language: by letters of its own, or by several of its small words and
everyday words, and more signs than there are of any other. A word with an accent is a sign of
whoever writes it, unless it has a capital: Zoë and Málaga are at home in every language.
The rest is read as English.
"""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from muniment.model.languages.language_table import Language, flat
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.tables.english import ENGLISH
from muniment.model.languages.vocabulary import english_words, vocabulary
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.tokens import plain_words
from muniment.model.unicode14 import known

FEW_WORDS: Final = range(2, 5)
OPENED: Final = ["\u00f1"]  # a question that opens with its sign is as Spanish as this letter
MARKS_MIN: Final = 2  # that are not English as well; one of them may be a name, or a title

# Any letter that a table has and ASCII has not.
_LETTERS = lazy_pattern(
    "[\u00aa\u00ba\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff\u0600-\u06ff\u0900-\u097f"
    "\u1f00-\u1fff\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\ufb50-\ufeff\uff21-\uffdc]"
)
_OPENING = lazy_pattern("[\u00bf\u00a1]")
_RUN = lazy_pattern("[a-z]+")
_WORD = lazy_pattern(r"\w+")  # with its accents
_PARTS = lazy_pattern(r"[\s\u0964.,!?;:\"()]+")


class LanguageReading(NamedTuple):
    """A text as the table of a language reads it."""

    language: Language
    text: str


@lru_cache(maxsize=256)  # words, statements and days of one text are each looked for by itself
def detect_languages(text: str) -> tuple[LanguageReading, ...]:
    """In the order in which they are read: those with letters of their own, then one of Latin."""
    plain = known(text)
    if plain.isascii() or not _LETTERS.search(plain):
        ascii_only = plain if plain.isascii() else plain.encode("ascii", "replace").decode("ascii")
        words = plain_words(ascii_only)
        # Most texts are English, and in a hurry.
        latin = ENGLISH if _foreign().isdisjoint(words) else _latin({*words})
        return (LanguageReading(latin, plain if latin.reads_case else flat(plain)),)
    folded = flat(plain)
    found = tuple(LanguageReading(each, folded) for each in OTHERS if _is_in(each, folded))
    if found and not _RUN.search(folded):
        return found
    accented = [word for word in _WORD.findall(plain) if word.islower() and not word.isascii()]
    accented += OPENED * len(_OPENING.findall(plain))
    latin = _latin({*_WORD.findall(plain.lower())}, accented)
    return (*found, LanguageReading(latin, plain if latin.reads_case else folded))


@cache
def _foreign() -> frozenset[str]:
    """Words of other languages that English has not."""
    return frozenset().union(*_own_words().values())


def shows_language(text: str) -> bool:
    """Whether a text shows one that is known: by letters of its own, or by one small word."""
    folded = flat(known(text))
    if any(re.search(each.letters, folded) for each in OTHERS):
        return True
    said = {*_WORD.findall(text.lower()), *_RUN.findall(folded)}
    return any(not each.signs.isdisjoint(said) for each in LATIN)


def is_foreign(text: str, languages: Container[str]) -> bool:
    """Whether a text shows a language, and none of these."""
    read = detect_languages(text)
    return not any(each.language.name in languages for each in read) and shows_language(text)


def possible_languages(text: str, read: Iterable[LanguageReading]) -> Iterator[Language]:
    """Those it is written in; a few words may show none, and may be of each that has as many."""
    for found in read:
        yield found.language
        if found.language is ENGLISH:
            yield from _instead_of_english(text)


@lru_cache(maxsize=256)  # what is over and what is disclosed are each looked for by itself
def _instead_of_english(text: str) -> tuple[Language, ...]:
    said = {*text.lower().split()}
    if len(ENGLISH.signs & said) > MARKS_MIN:
        return ()
    said.update(flat(text).split())
    shown = len(ENGLISH.signs & said)
    if shown > MARKS_MIN:  # they are English, whatever else they may be
        return ()
    return tuple(each for each in LATIN[1:] if len(each.signs & said) >= max(shown, 1))


def _latin(said: set[str], accented: Sequence[str] = ()) -> Language:
    """The one that most words are of; of two that have as many, neither is shown.

    A word with an accent is of who writes it so: "reunión" is not French, and "há" is Portuguese
    rather than "ha" Spanish. Small words are known without it.
    """
    # English has its cafés: who says several of its small words says them in English.
    if len(ENGLISH.signs & said) > MARKS_MIN:
        accented = ()
    bare = {word: word if word.isascii() else flat(word) for word in said}
    accents = [word for word in said if not word.isascii()]
    written = {each.name: _written_of(each, accented) for each in LATIN}
    shown = {each.name: _known_of(each, bare) for each in LATIN}
    spelled = {each.name: sum(word in _words()[each.name] for word in accents) for each in LATIN}
    signs = [(len(shown[n := each.name]) + spelled[n] + written[n], each) for each in LATIN]
    most = max(count for count, _ in signs)
    best, *others = (each for count, each in signs if count == most)
    own = sum(not _own_words()[best.name].isdisjoint((w, bare[w])) for w in shown[best.name])
    # A few words without an English one need no second; one by itself may be a name.
    least = 1 if len(said) in FEW_WORDS and not shown[ENGLISH.name] else MARKS_MIN
    return best if not others and own and own + written[best.name] >= least else ENGLISH


def _known_of(language: Language, bare: Mapping[str, str]) -> list[str]:
    """Which of these words a language has, each with itself without accents."""
    words, signs = _words()[language.name], language.signs
    return [word for word, plain in bare.items() if word in words or plain in signs]


@cache
def _words() -> Mapping[str, frozenset[str]]:
    """By the name of a language, its signs and its everyday words."""
    others = {each.name: each.signs | vocabulary(each.name) for each in LATIN}
    return others | {ENGLISH.name: ENGLISH.signs | english_words()}


@cache
def _own_words() -> Mapping[str, frozenset[str]]:
    """By the name of a language, words that English has not."""
    return {each.name: (each.marks - ENGLISH.marks) | vocabulary(each.name) for each in LATIN}


def _written_of(language: Language, words: Iterable[str]) -> int:
    """How many of these are written with its accents alone, and are none of its words."""
    accented = (word for word in words if word not in _words()[language.name])
    return sum(all(c.isascii() or c in language.accents for c in word) for word in accented)


def _is_in(language: Language, folded: str) -> bool:
    if not re.search(language.letters, folded):
        return False
    if language.not_letters and re.search(language.not_letters, folded):
        return False
    return not (language.shown_by and language.marks.isdisjoint(_PARTS.split(folded)))

"""Ended values: index terms for what a text says is over: left, sold, cancelled.

"Closed my Santander account and went to Monzo" has little of "Which bank am I with?", and it is the
newest answer. What tells is that it ends a value which an older answer gave: "I bank with
Santander". So a text has a term for each word that it ends, "ended santand", which nobody can
spell; whoever finds the older answer looks for the terms of its words.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from muniment.model.languages.language_table import Language, flat
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.word_pattern import possible
from muniment.model.lazy_pattern import lazy_pattern
from muniment.retrieval.languages.detect_language import LanguageReading, possible_languages
from muniment.retrieval.text import tokenizer

LETTERS_MAX: Final = 1000  # longer texts are documents, and tell of other people's affairs
WORDS_BEHIND: Final = 3  # telling ones behind "quit", "instead of"
LETTERS_EACH: Final = 6  # as many where each letter and each pair is a word
DIGITS: Final = "0123456789 "  # before the name of a month in some scripts
REACH: Final = 48  # letters that a phrase looks over
# The dot behind the number of a day parts nothing: "nicht am 8. Juni".
_CLAUSE = lazy_pattern(
    r"(?<!\b\d)(?<!\b\d\d)\.|\.(?! \w)|[,;:!?\n\u3002\uff0c\uff1b\uff01\uff1f\u3001\u060c]"
)


def ended_terms(read: Sequence[LanguageReading]) -> list[str]:
    """The terms of a text for what it says is over."""
    text = read[-1].text
    if len(text) > LETTERS_MAX:
        return []
    words = [
        word
        for language in possible_languages(text, read)
        for word in _ended(language, text if language.reads_case else flat(text))
    ]
    return list(dict.fromkeys(map(term, words)))


def term(word: str) -> str:
    """The term for a word, or for its stem, once it is over."""
    return term_of(tokenizer.stem(word))


def term_of(stem: str) -> str:
    """The same for a word that is stemmed already."""
    return f"ended {stem}"


def is_calendar_word(word: str) -> bool:
    """Whether a word without digits is the name of a day or a month, in any language."""
    return word in _calendar_words(of_ascii=word.isascii())


@cache
def _calendar_words(*, of_ascii: bool) -> frozenset[str]:
    return frozenset(
        word
        for language in (*LATIN, *OTHERS)
        for row in (*language.months, *language.months_short, *language.weekdays)
        for form in row.split("|")
        if form and not (of_ascii and tokenizer.is_far(form.strip(DIGITS) or form))
        for word in tokenizer.spelled(form)
    )


@cache
def calendar_stems(*, of_ascii: bool) -> frozenset[str]:
    """The same as the index has them, with every number that a date may have."""
    numbers = (*map(str, range(1, 32)), *(f"0{month}" for month in range(1, 10)))
    return frozenset(map(tokenizer.stem, (*_calendar_words(of_ascii=of_ascii), *numbers)))


def _ended(language: Language, text: str) -> Iterator[str]:
    each = 1 if language.gap == " " else LETTERS_EACH
    for pattern in possible(language.patterns(language.ends), text):
        for match in pattern.finditer(text):
            clause = clause_of(language, text[match.end() : match.end() + REACH])
            yield from _telling(language, clause)[: WORDS_BEHIND * each]
    for pattern in possible(language.patterns(language.is_over), text):
        for match in pattern.finditer(text):
            before = text[max(0, match.start() - REACH) : match.start()]
            clause = clause_of(language, before, last=True)
            yield from _subject(language, clause)[-language.words_before * each :]


def clause_of(language: Language, text: str, *, last: bool = False) -> str:
    """What stands directly behind a verb that ends something, or before it."""
    if last:
        return _clauses(language, text)[-1]
    part = _CLAUSE.split(text)[0]
    return next(filter(str.strip, _clauses(language, part)), "")  # "not to peanuts"


def is_telling(language: Language, word: str) -> bool:
    """Whether a word names something, and no time."""
    is_time = language.times.fullmatch(word) is not None
    return not is_time and _names_something(language.name, word)


def _clauses(language: Language, text: str) -> list[str]:
    parts = _CLAUSE.split(text)
    if not language.joins:
        return parts
    return [clause for part in parts for clause in re.split(f" (?:{language.joins}) ", part)]


def _subject(language: Language, clause: str) -> list[str]:
    """What a verb at the end tells of: in "Flocke ist letzte Woche gestorben" not the week."""
    adverbs = tokenizer.adverbs(of_ascii=clause.isascii())
    words = [each for each in _telling(language, clause) if each not in adverbs]
    return [each for each in words if not language.times.fullmatch(each)] or words


def _telling(language: Language, clause: str) -> list[str]:
    return [each for each in tokenizer.spelled(clause) if _names_something(language.name, each)]


@lru_cache(maxsize=1 << 14)
def _names_something(name: str, word: str) -> bool:
    language = _by_name()[name]
    if tokenizer.is_stop(word) or word in language.small_words:
        return False
    return not any(sign.fullmatch(word) for sign in language.patterns(language.tells_change))


@cache
def _by_name() -> Mapping[str, Language]:
    return {each.name: each for each in (*LATIN, *OTHERS)}

"""Document features: words, and whether a text asks, names a time or is a person's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final, Protocol, TypeAlias

from muniment.model.languages.language_table import YEAR, Language
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.tables.english import ENGLISH
from muniment.model.languages.word_marks import words_of
from muniment.model.languages.word_pattern import possible
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text.near_duplicates import QUESTION_MARKS
from muniment.retrieval import arrays as np
from muniment.retrieval.dates import date_mentions
from muniment.retrieval.languages import (
    compounds,
    disclosure,
    ended_values,
    holders,
    state_phrases,
    told_as_real,
)
from muniment.retrieval.languages.detect_language import LanguageReading, detect_languages
from muniment.retrieval.text import code_tokens, reference_codes, sentence_split, tokenizer

NOTE: Final = "note"  # the role of what an agent keeps of those whom it serves
ASKS: Final = 1
TELLS_TIME: Final = 2
BY_PERSON: Final = 4  # a user said it, or an agent noted it for them; not a machine
QUESTION_SHIFT: Final = 3  # above these: the number of its last sentence that asks, from 1 on
QUESTION: Final = 15 << QUESTION_SHIFT
TELLS_CHANGE: Final = 128  # it says itself that something is so by now, or no more
COUNTS: Final = 256  # it has a number that is no date, in digits or in words
DISCLOSES: Final = 512  # a person states something of themselves
PLANS: Final = 1024  # it says what is wanted or intended
ABOUT_OTHERS: Final = 2048  # it is about somebody else, and says nothing of whoever says it
HAS_HOLDER: Final = 4096  # its subject is kin, or somebody else who is known by a word
OWNED: Final = 8192  # and it tells of what is theirs, or of one of theirs
BY_NAME: Final = 16384  # and calls them by name
UNREAL: Final = 32768  # all that it says nearly was or was dreamt, invented or wished
DISCLOSED_LETTERS_MAX: Final = 400  # in few words; who says more tells a story
TIME_WORDS: Final = frozenset("|".join(ENGLISH.time_words).split("|"))
_MARK = lazy_pattern(f"[{''.join(QUESTION_MARKS)}]")
_CLOCK = lazy_pattern(
    r"\b\d{1,2}(?:[:h]\d\d| ?(?:am|pm|uhr|o'clock)|(?:st|nd|rd|th))\b", re.IGNORECASE
)
_DIGIT = lazy_pattern(r"\d")
_YEARS = lazy_pattern(rf"\b{YEAR}\b")

Mask: TypeAlias = "np.NDArray[np.bool_]"
Words = Mapping[int, int]  # the number of a word, and how often it is there
Traits = tuple[Words, int]  # and the flags


class Said(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def role(self) -> str: ...


def of(said: Said) -> Traits:
    """The words of a document, by number, and its flags."""
    spelled = tokenizer.spelled(said.text)
    counted = Counter(
        [tokenizer.number(each) for each in spelled if each not in tokenizer.STOP_WORDS]
    )
    counted.update(map(tokenizer.key, code_tokens.spelled(said.text)))
    flags = 0
    if said.text.rstrip().endswith(QUESTION_MARKS):
        flags |= ASKS
    read = detect_languages(said.text)
    counted.update(map(tokenizer.number, compounds.parts_of(spelled, read)))
    counted.update(map(tokenizer.key, state_phrases.stated_terms(read, noted=said.role == NOTE)))
    # Where each letter and each pair is a word, they would make a short text a long one.
    times = int(read[0].language.gap == " ")
    plans = any(_found(language, language.plans, view) for language, view in read)
    is_real = plans or not (said.role in {"user", NOTE} and told_as_real.is_unreal(said.text))
    ended = ended_values.ended_terms(read) if is_real else ()
    counted.update(dict.fromkeys(map(tokenizer.key, ended), times))
    counted.update({tokenizer.key(code.kind) for code in reference_codes.find_codes(said.text)})
    if _tells_time(said.text, read):
        flags |= TELLS_TIME
    flags |= (TELLS_CHANGE * _tells_change(read)) if is_real else UNREAL
    if _counts(said.text, read):
        flags |= COUNTS
    flags |= PLANS * plans
    if said.role in {"user", NOTE}:
        flags |= BY_PERSON | _of_whom(said.text)
        counted.update(_told_of(said.text))
    return counted, flags | _question(said.text) << QUESTION_SHIFT


def _told_of(text: str) -> dict[int, int]:
    """Terms for those of whom a person tells, which count for no length, and for their own name."""
    holder = holders.told_of(text)
    told = ((holder.term, holder), (holder.kin_term, holder.names))
    terms = {tokenizer.key(term): 0 for term, is_so in told if is_so}
    named = state_phrases.introduces(text)
    return terms | ({tokenizer.key(state_phrases.OWN_NAME): 1} if named else {})


def _of_whom(text: str) -> int:
    """Whether a person states something of themselves, or of somebody else."""
    if len(text) > DISCLOSED_LETTERS_MAX:
        return 0
    holder = holders.told_of(text)
    held = HAS_HOLDER * bool(holder) | OWNED * holder.owns | BY_NAME * bool(holder.names)
    told = DISCLOSES * disclosure.is_disclosed(text) | ABOUT_OTHERS * disclosure.is_of_others(text)
    return told | held


def tells_change(text: str) -> bool:
    """Whether a text says itself that something is so by now, or no more."""
    return _tells_change(detect_languages(text))


def _tells_change(read: Iterable[LanguageReading]) -> bool:
    return any(
        _found(language, row, view)
        for language, view in read
        for row in (language.tells_change, language.is_over)
    )


def numbers(*, of_time: bool) -> int:
    """The flags of what gives a number; where a time is asked for, a date is one."""
    return COUNTS | of_time * TELLS_TIME


def are_stated(flags: np.NDArray[np.integer]) -> Mask:
    """Of the flags of documents, whether a person said each of these as real, and did not ask."""
    stated: Mask = (flags & (BY_PERSON | UNREAL) == BY_PERSON) & ~only_ask(flags)
    return stated


def only_ask(flags: np.NDArray[np.integer]) -> Mask:
    """Whether each ends with a question, and states nothing before: "I'm on nights. Any tips?"."""
    asks: Mask = flags & (ASKS | DISCLOSES) == ASKS
    return asks


def only_others(flags: np.NDArray[np.integer]) -> Mask:
    """Whether each states something about somebody else, kin perhaps, and nothing more."""
    theirs: Mask = flags & (DISCLOSES | ABOUT_OTHERS) == DISCLOSES | ABOUT_OTHERS
    return theirs


def _question(text: str) -> int:
    """Which of its sentences asks, the last of them if several do; 0 if none does."""
    if not _MARK.search(text):
        return 0
    asking = [bool(_MARK.search(sentence)) for sentence in sentence_split.split(text)]
    return len(asking) - asking[::-1].index(True) if any(asking) else 0


def _found(language: Language, row: str, text: str) -> bool:
    return any(pattern.search(text) for pattern in possible(language.patterns(row), text))


def _counts(text: str, read: tuple[LanguageReading, ...]) -> bool:
    """Whether it has a number that is of no date or time; a one is hardly ever counted with."""
    language, view = read[0]
    bare = _CLOCK.sub("#", text) if _DIGIT.search(text) else ""
    if _DIGIT.search(bare) and _DIGIT.search(date_mentions.without_dates(language, bare)):
        return True
    several = _several(language.name)
    if language.gap == " ":
        return not several.isdisjoint(view.lower().split())
    return any(map(view.__contains__, several))


@cache
def _several(name: str) -> frozenset[str]:
    """The words of a language for numbers above one."""
    language = next(each for each in (*LATIN, *OTHERS) if each.name == name)
    return frozenset([word for word, n in language.number_of.items() if n > 1])


def _tells_time(text: str, read: tuple[LanguageReading, ...]) -> bool:
    dated = _DIGIT.search(text) is not None
    if dated and _CLOCK.search(text):
        return True
    if not text.isascii() or read[0].language is not ENGLISH:
        return any(language.times.search(view) for language, view in read)
    # The same, several times faster: no letter of ASCII has a case that looks otherwise.
    words = words_of(text)
    if not TIME_WORDS.isdisjoint(words) or (dated and _YEARS.search(text)):
        return True
    return not TIME_WORDS.isdisjoint([each[:-1] for each in words if each.endswith("days")])

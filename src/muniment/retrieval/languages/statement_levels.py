"""Statement levels: how much a sentence tells of whoever says it, in any language.

First what somebody states of themselves or theirs, then what names somebody or a thing of a life,
then what says anything; questions and orders after that, and sounds and courtesies last. A summary
takes the higher level before the lower, whatever the words of the lower weigh.
"""

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import cache, lru_cache
from typing import Final

from muniment.model.languages.language_table import flat
from muniment.model.languages.row_pattern import RowPattern
from muniment.model.languages.statements.statement_rows import StatementWords
from muniment.model.languages.statements.statement_words import SOUNDS, STATEMENT_WORDS
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.tables.english import ENGLISH
from muniment.model.languages.topics import life_topics
from muniment.model.languages.vocabulary import english_words
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text import self_statements
from muniment.model.text.near_duplicates import QUESTION_MARKS
from muniment.model.text.sentences import ONESELF, sentences
from muniment.model.text.tokens import MARK
from muniment.retrieval.languages import compounds, disclosure, small_talk, state_phrases
from muniment.retrieval.languages.detect_language import (
    LanguageReading,
    detect_languages,
    possible_languages,
)
from muniment.retrieval.languages.ended_values import is_calendar_word
from muniment.retrieval.text import tokenizer
from muniment.rules.conversation import classify

TELLING_MIN: Final = 2  # words: one by itself is an exclamation, unless it is of a life
LETTERS_MIN: Final = 4  # the same where words are not parted
TOPIC_LETTERS_MIN: Final = 2  # of a word that is looked for inside others
CLAUSE_WORDS_MIN: Final = 3  # "I'm vegan", behind a question
CLAUSE_LETTERS_MIN: Final = 4
OPENING: Final = "\u00bf\u00a1 "  # before a question or a cry
NOUNS_HAVE_CAPITALS: Final = "German"
SPACELESS: Final = frozenset({"Chinese", "Japanese"})
# A name begins with a capital inside of a sentence.
_WORD = lazy_pattern(r"(?<=[\w,)'\u2019]) ([^\W\d_][\w'\u2019-]+)")
_WORDS = lazy_pattern(r"[^\W\d_][\w\u0900-\u0963]*")
_CLAUSE = lazy_pattern(r"[,;:\uff0c\u3001\uff1b\uff1a\u060c]|\s[\u2013\u2014-]\s")
_END_MARKS = lazy_pattern(r"(?:[^\w\s]|\d|\s)+$")
_DIGITS = lazy_pattern(r"[\W\d_]+")


class Level(IntEnum):
    """The higher, the more is known of somebody by it."""

    NOTHING = 0  # a courtesy, a sound
    ASKED = 1  # a question, an order
    BESIDE = 2  # something is said
    TOLD = 3  # somebody is named, or a thing of a life; or it is over
    DISCLOSED = 4  # whoever speaks says how it is with them or theirs


def level(sentence: str, theirs: Iterable[str] = ()) -> Level:
    """The level of a sentence; `theirs`: the names of those whom its speaker calls theirs."""
    found = _level(sentence.strip())
    if found in (Level.BESIDE, Level.TOLD) and not _is_past(sentence):
        words = {*_WORDS.findall(flat(sentence))}
        if any(flat(name) in words for name in theirs):
            return Level.DISCLOSED
    return found


def of_text(text: str, theirs: Iterable[str] = ()) -> Level:
    """The highest level of its sentences."""
    names = tuple(theirs)
    return max((level(each, names) for each in sentences(text)), default=Level.NOTHING)


def subject_level(sentence: str) -> Level:
    """How much it says what a talk is about: of a question as of a statement, by what it names."""
    found = _level(sentence.strip())
    if found is Level.ASKED and _is_of_something(sentence.strip()):
        return Level.TOLD
    return min(found, Level.TOLD)


@lru_cache(maxsize=1 << 12)  # every read of a summary asks it of the same sentences
def _level(said: str) -> Level:
    if not said or small_talk.is_all(said) or _is_sound(said):
        return Level.NOTHING
    read = _read(said)
    if _says_a_name(said, read):
        return Level.DISCLOSED
    asks = said.endswith(QUESTION_MARKS)
    if not asks and (classify.is_wished(said) or MARK.search(said)):
        return Level.DISCLOSED  # what was to be kept, or had to be hidden
    if asks or _is_talk(said, read):
        return Level.DISCLOSED if _discloses_beside(said) else Level.ASKED
    if disclosure.is_disclosed(said) or _states_oneself(said) or _speaks_of_own(said, read):
        return Level.TOLD if _is_past(said) else Level.DISCLOSED
    return _level_of_others(said, read)


def names_of(sentence: str) -> frozenset[str]:
    """The names in a sentence that its speaker may call others by, folded.

    A language that writes nouns with capitals has everyday words among them, which are none.
    """
    read = _read(sentence.strip())
    everyday = frozenset().union(*(life_topics.known(each.language.name) for each in read))
    words = (each for each in _WORD.findall(sentence) if each[0].isupper() and each not in ONESELF)
    folded = (flat(each).partition(" ")[0] for each in words)
    return frozenset(each for each in folded if each not in everyday and not is_calendar_word(each))


def _is_of_something(said: str) -> bool:
    read = _read(said)
    return _names(said, read) or _is_of_life(_telling_words(said, read), read)


def _telling_words(said: str, read: Sequence[LanguageReading]) -> list[str]:
    words = (each for each in _WORDS.findall(flat(said)) if not tokenizer.is_stop(each))
    return [left for each in words if (left := _telling(each, read))]


def _level_of_others(said: str, read: Sequence[LanguageReading]) -> Level:
    words = _telling_words(said, read)
    if _names(said, read) or _is_of_life(words, read) or _is_of_kin(said, read):
        return Level.TOLD
    if _is_spaceless(read):
        return Level.BESIDE if sum(map(len, words)) >= LETTERS_MIN else Level.NOTHING
    return Level.BESIDE if len({*words}) >= TELLING_MIN else Level.NOTHING


@lru_cache(maxsize=256)
def _read(said: str) -> tuple[LanguageReading, ...]:
    """As the languages read it that it may be in; where it shows none, all that it may be in."""
    found = detect_languages(said)
    languages = {each.name: each for each in possible_languages(said, found)}
    if set(languages) == {ENGLISH.name} and not _is_english(said):
        languages |= {each.name: each for each in LATIN}
    return tuple(
        LanguageReading(each, said if each.reads_case else flat(said))
        for each in languages.values()
    )


def _is_english(said: str) -> bool:
    words = set(flat(said).split())
    return not (ENGLISH.signs.isdisjoint(words) and english_words().isdisjoint(words))


def _states_oneself(said: str) -> bool:
    """Whether it tells a state of nobody else: "Moved to Porto" is of whoever says so."""
    me = f" of {state_phrases.ME}"
    return any(each.endswith(me) for each in state_phrases.stated_terms(detect_languages(said)))


def _is_past(said: str) -> bool:
    """Whether it says itself that it was so at another time."""
    return any(
        pattern.search(text)
        for language, text in _read(said)
        for pattern in language.patterns(language.long_ago)
    )


def _discloses_beside(said: str) -> bool:
    """Whether a clause beside the question says something of oneself: "…, I'm vegan"."""
    *_, last = parts = [each.strip() for each in _CLAUSE.split(said)]
    told = parts[:-1] if last.endswith(QUESTION_MARKS) else parts
    return len(parts) > 1 and any(
        _is_long(each) and not _is_talk(each, _read(each)) and disclosure.is_disclosed(each)
        for each in told
    )


def _is_sound(said: str) -> bool:
    return all(_whole(SOUNDS).fullmatch(each) for each in _WORDS.findall(flat(said)))


def _says_a_name(said: str, read: Sequence[LanguageReading]) -> bool:
    """Whether it says by what name to call whoever speaks."""
    if any(key == self_statements.NAME for key, _ in self_statements.found(said)):
        return True
    plain = flat(said)
    rows = (_rows(each.language.name).calls for each in read)
    return any(_pattern(row, begins=True).search(plain) for row in rows if row)


def _is_long(clause: str) -> bool:
    if len(flat(clause).split()) >= CLAUSE_WORDS_MIN:
        return True
    return not clause.isascii() and " " not in clause and len(clause) >= CLAUSE_LETTERS_MIN


def _is_talk(said: str, read: Sequence[LanguageReading]) -> bool:
    """Whether it asks without a mark, or orders something."""
    plain = _END_MARKS.sub("", flat(said).lstrip(OPENING))
    return any(pattern.search(plain) for each in read for pattern in _talk(each.language.name))


def _speaks_of_own(said: str, read: Sequence[LanguageReading]) -> bool:
    """Whether it begins with what is one's own, or leaves out whom it is about."""
    plain = _END_MARKS.sub("", flat(said))
    for language, _ in read:
        its = _rows(language.name)
        if its.own and _pattern(its.own, begins=True).search(plain):
            return True
        if its.own_end and _pattern(its.own_end, begins=False).search(plain):
            return not (its.named and re.search(its.named, plain))
    return False


def _telling(word: str, read: Sequence[LanguageReading]) -> str:
    """What a word tells beside fillers and numbers; where words are not parted, of it all."""
    rows = [SOUNDS, *(row for each in read if (row := _rows(each.language.name).fillers))]
    if _is_spaceless(read):
        for row in rows:
            word = _whole(row).sub("", word)
        return _DIGITS.sub("", word)
    filler = any(_whole(row).fullmatch(word) for row in rows)
    return "" if filler or any(word in each.language.small_words for each in read) else word


def _names(said: str, read: Sequence[LanguageReading]) -> bool:
    if any(each.language.name == NOUNS_HAVE_CAPITALS for each in read):
        return False
    words = _WORD.findall(said)
    return any(each[0].isupper() and each not in ONESELF for each in words)


def _is_of_life(words: Sequence[str], read: Sequence[LanguageReading]) -> bool:
    for name in {language.name for language, _ in read}:
        known = _of_life(name)
        if not known.isdisjoint(words):
            return True
        if name in SPACELESS and any(each in word for each in known for word in words):
            return True
    return not _of_life(NOUNS_HAVE_CAPITALS).isdisjoint(compounds.parts_of(words, read))


def _is_of_kin(said: str, read: Sequence[LanguageReading]) -> bool:
    return any(_kin(language.name).search(said) for language, _ in read)


@cache
def _kin(name: str) -> RowPattern:
    """The words for family of one language."""
    its = next(each for each in (*LATIN, *OTHERS) if each.name == name).relations
    return RowPattern("|".join(its.kin.values()) if its else "")


@cache
def _of_life(name: str) -> frozenset[str]:
    """Words of the topics of a life; one letter is in too many others."""
    found = life_topics.words_of(name)
    return frozenset(each for each in found if len(each) >= TOPIC_LETTERS_MIN)


def _is_spaceless(read: Sequence[LanguageReading]) -> bool:
    return read[0].language.name in SPACELESS


def _rows(name: str) -> StatementWords:
    return STATEMENT_WORDS.get(name, StatementWords())


@cache
def _talk(name: str) -> tuple[re.Pattern[str], ...]:
    """How a sentence begins or ends that asks or orders, in one language."""
    its = _rows(name)
    begins = [_pattern(each, begins=True) for each in (its.orders, its.asks) if each]
    ends = [_pattern(each, begins=False) for each in (its.orders_end, its.asks_end) if each]
    return (*begins, *ends)


@cache
def _pattern(row: str, *, begins: bool) -> re.Pattern[str]:
    return re.compile(rf"\A(?:{flat(row)})" if begins else rf"(?:{flat(row)})\Z")


@cache
def _whole(row: str) -> re.Pattern[str]:
    return re.compile(flat(row))

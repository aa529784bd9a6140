"""Value mentions: whether a later statement names the value of an older one again.

"My old Beetle needs new brakes" and later "A mechanic took the Beetle off my hands and I treated
myself to a Dacia": no phrase says that something is over, and whoever knows the first understands
the second. What tells is that it names the value again and says more in another clause: of whoever
speaks, or that something has changed. "The Beetle was in the garage, and it rained" only names it.
"""

from collections.abc import Collection as Some
from collections.abc import Sequence
from functools import cache
from typing import Final, Protocol

from muniment.model.languages.common_words import COMMON_WORDS
from muniment.model.languages.language_table import flat
from muniment.model.languages.tables.german import GERMAN
from muniment.model.languages.word_pattern import WordPattern
from muniment.model.lazy_pattern import lazy_pattern
from muniment.retrieval.languages.detect_language import LanguageReading, detect_languages
from muniment.retrieval.languages.ended_values import calendar_stems
from muniment.retrieval.text import tokenizer

_CLAUSE = lazy_pattern(
    r"[,;:!?\n\u3002\uff0c\uff1b\uff01\uff1f\uff1a\u3001]|(?<=[^\W\d])\.|\s[\u2013\u2014-]\s"
    r"|\b(?:and|but|so|und|aber|y|pero|e|\u0438|\u0430|\u043d\u043e)\b"
)
SPACELESS_MIN: Final = 2  # pieces of one value, where each letter and each pair is a word
_SPACELESS = lazy_pattern(r"[\u3041-\u30ff\u4e00-\u9fff]")
_MEASURED = lazy_pattern(r"\d+ ?[^\W\d_]+")
_BENDS = lazy_pattern(r"[\u3041-\u309f]+")  # endings, that many words have


def stems(text: str) -> frozenset[str]:
    """The stems of its words that tell something."""
    return frozenset(
        tokenizer.stem(word)
        for word in tokenizer.spelled(text)
        if not tokenizer.is_stop(word) and not _BENDS.search(word)
    )


def values(text: str) -> frozenset[str]:
    """What may be the value of a statement: its names, or where it has none all that it tells."""
    read = detect_languages(text)
    small = {word for each in read for word in each.language.small_words}
    told = stems(text) - {*map(tokenizer.stem, small)} - changes(text, read)
    named = (each for each in text.split()[1:] if each[:1].isupper())
    return told & stems(" ".join(named)) or told - _verbs(text, read)


def changes(text: str, read: Sequence[LanguageReading]) -> frozenset[str]:
    """The stems of its words that by themselves say that something has changed."""
    signs = [sign for it, _ in read for sign in it.patterns(it.tells_change)]
    return _told_by(text, signs)


def _verbs(text: str, read: Sequence[LanguageReading]) -> frozenset[str]:
    """The stems of its verbs of the past: who "started third grade" gives the grade as a value."""
    return _told_by(text, [sign for it, _ in read for sign in it.patterns(it.tells_past)])


def _told_by(text: str, signs: Sequence[WordPattern]) -> frozenset[str]:
    words = (word for word in tokenizer.spelled(text) if any(s.fullmatch(word) for s in signs))
    return frozenset(map(tokenizer.stem, words))


def beyond(text: str, other: str) -> str:
    """A text without the clauses that another has word for word: "Long story." names nothing."""
    said = {clause.strip().casefold() for clause in _CLAUSE.split(other)}
    clauses = _CLAUSE.split(text)
    return ", ".join(each.strip() for each in clauses if each.strip().casefold() not in said)


def is_measure(text: str, beyond: Some[str]) -> bool:
    """Whether what a text says beyond a question is a number in a unit: "I weigh 82 kilos"."""
    measured = _MEASURED.search(text)
    return measured is not None and {*tokenizer.spelled(measured[0])} == {*beyond}


def make_a_value(shared: Some[str]) -> bool:
    """Whether so many pieces are shared as make a value: one word, or two of one without spaces.

    Two letters that are not one behind the other are of two words.
    """
    if any(not each.isascii() and _SPACELESS.search(each) for each in shared):
        return len(shared) >= SPACELESS_MIN and max(map(len, shared)) > 1
    return bool(shared)


def takes_up(text: str, shared: Some[str], subject: Some[str]) -> bool:
    """Whether a text names a value again and says more; common words must stand by a subject.

    Days and words that are said of anything name nothing by themselves.
    """
    names_it = subject if common(shared).issuperset(shared) else shared
    return make_a_value(shared) and says_more(text, names_it)


def common(said: Some[str]) -> frozenset[str]:
    """Of these stems, those of words that are said of anything, and of days."""
    return _common(of_ascii=all(map(str.isascii, said))).intersection(said)


@cache
def _common(*, of_ascii: bool) -> frozenset[str]:
    words = (each for each in COMMON_WORDS if not (of_ascii and tokenizer.is_far(each)))
    return calendar_stems(of_ascii=of_ascii).union(map(tokenizer.stem, words))


def says_more(text: str, shared: Some[str]) -> bool:
    """Whether one of its clauses names a value and another says something else of the speaker."""
    clauses = [(clause, told) for clause in _CLAUSE.split(text) if (told := stems(clause))]
    others = [clause for clause, told in clauses if told.isdisjoint(shared)]
    read = detect_languages(text)
    return 0 < len(others) < len(clauses) and any(_is_of_speaker(each, read) for each in others)


def _is_of_speaker(clause: str, read: Sequence[LanguageReading]) -> bool:
    """Whether it names who speaks, or tells a change; where nobody need be named, any may.

    Who begins with the verb leaves themselves out: "Picked up a used Skoda on Saturday".
    """
    if not all(it.names_speaker for it, _ in read):
        return True
    folded = flat(clause)
    opening = folded.split()[:1]
    if opening and _told_by(opening[0], [s for it, _ in read for s in it.patterns(it.tells_past)]):
        return True
    signs = (sign for it, _ in read for sign in (it.first_person, *it.patterns(it.tells_change)))
    return any(sign.search(folded) for sign in signs)


class Asking(Protocol):
    @property
    def of_self(self) -> bool: ...
    @property
    def called(self) -> Some[str]: ...
    @property
    def languages(self) -> Some[str]: ...


def is_of_the_world(asked: Asking) -> bool:
    """Whether nobody's life is asked about, where no capital tells a name from a thing.

    A text about the world names its things again and again, and ends none of them.
    """
    return GERMAN.name in asked.languages and not (asked.of_self or asked.called)


def names_of(question: str, naming: Some[str], *, of_self: bool) -> Some[str]:
    """Of the words with capitals of a question the names; German writes every noun so.

    Where no letter has a case, who asks of others names them by any word.
    """
    if not question.isascii() and _SPACELESS.search(question):
        return () if of_self else naming
    return () if any(each.language is GERMAN for each in detect_languages(question)) else naming

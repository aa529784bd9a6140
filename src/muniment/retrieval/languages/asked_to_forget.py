"""Requests to forget: which statement somebody means, by the words in which they told it.

Only a clear match counts: the statement told again in the same words, whatever their order and
form, or the only statement that says so, that is about it, or that answers what is asked for.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from muniment.model.languages.phrases import forget_words
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text import sentences, telling_lines
from muniment.retrieval.languages import statement_match

LETTERS_MAX: Final = 400  # who says more asks for more than that
_QUOTES = lazy_pattern('["\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d]')
_ASKED_TO_KEEP = lazy_pattern(r"^\s*(?:please )?remember(?: that)?[,:]? ", re.IGNORECASE)
_QUESTION: Final = ("?", "\uff1f", "\u061f", "\u037e", ";")  # the last two are of Greek
_COMMAS = lazy_pattern(r"[,;\u060c\u3001\uff0c\uff1b]|\s[\u2013\u2014-]\s")
_FIRST_PERSON: Final = ("我", "私", "僕", "俺", "나는", "난 ", "내가", "저는", "제가")


class ForgetWish(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be forgotten: a statement in its words, what one is about, or what it answers."""

    language: str
    says: str = ""
    about: str = ""
    asks: str = ""

    def names(self, statement: str) -> bool:
        """Whether a statement is one that this wish names by all of its words."""
        told = _plain(statement)
        if self.says:
            said = statement_match.words(self.language, self.says)
            return bool(said) and said == statement_match.words(self.language, told)
        if self.asks:
            return statement_match.answers(self.language, self.asks, told)
        return statement_match.is_about(self.language, self.about, told)

    def may_name(self, statement: str) -> bool:
        """Whether a statement says more than this wish does, and all of it."""
        return bool(self.says) and statement_match.holds(
            self.language, self.says, _plain(statement)
        )


def wishes(text: str) -> list[ForgetWish]:
    """The wishes of a message; a question is none, nor what stands in quotes."""
    if len(text) > LETTERS_MAX or not (languages := forget_words.possible(text)):
        return []
    if _QUOTES.search(text) or telling_lines.is_value(text):
        return []
    said = (each.strip() for each in sentences.sentences(text))
    found = (_wish(each, languages) for each in said if each and not each.endswith(_QUESTION))
    return [each for each in found if each is not None]


def is_nothing_else(text: str) -> bool:
    """Whether every sentence of a message is a wish: then it says nothing that is to be known."""
    return 0 < len(wishes(text)) == sum(1 for each in sentences.sentences(text) if each.strip())


def named(wish: ForgetWish, statements: Iterable[tuple[str, str]]) -> list[str]:
    """The ids of the statements that a wish names, by id and text.

    Where the same words name none, the only one that says so may be meant; of several it is not
    clear which. So it is with what is about something.
    """
    found = _found(wish, statements)
    return [name for name, _ in found] if len(_distinct(wish, found)) == 1 else []


def is_unclear(wish: ForgetWish, statements: Iterable[tuple[str, str]]) -> bool:
    """Whether several statements could be meant."""
    return len(_distinct(wish, _found(wish, statements))) > 1


def _found(wish: ForgetWish, statements: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """What may be meant; in just these words, or else in more."""
    told = [
        (name, _plain(text))
        for name, text in statements
        if not text.rstrip().endswith(_QUESTION) and not wishes(text)
    ]
    found = [(name, text) for name, text in told if wish.names(text)]
    return found or [(name, text) for name, text in told if wish.may_name(text)]


def _distinct(wish: ForgetWish, found: Iterable[tuple[str, str]]) -> set[frozenset[str]]:
    """What was told several times is one statement."""
    return {frozenset(statement_match.words(wish.language, each) or [each]) for _, each in found}


def _wish(sentence: str, languages: Sequence[str]) -> ForgetWish | None:
    for language in languages:
        for pattern in forget_words.patterns(language):
            match = pattern.fullmatch(sentence)
            if match:
                parts = {name: (told or "").strip() for name, told in match.groupdict().items()}
                wish = ForgetWish(language=language, **parts)
                return None if _says_something_else(wish) else wish
    return None


def _says_something_else(wish: ForgetWish) -> bool:
    """Whether a statement follows, as in "forget that I smoke, I quit"; or it is not to be."""
    if wish.about and statement_match.denies(wish.language, wish.about):
        return True  # a denial at its end is of the whole: "vergiss meine Harfe nicht"
    _, *beside = _COMMAS.split(wish.says or wish.about or wish.asks)
    if wish.language in statement_match.LETTERED:
        return any(each.strip().startswith(_FIRST_PERSON) for each in beside)
    return any(statement_match.begins_with_oneself(wish.language, each) for each in beside)


def _plain(statement: str) -> str:
    """A statement without a word that it be kept: with it or not, it says the same."""
    return _ASKED_TO_KEEP.sub("", statement)

"""Requests to forget: which statement somebody means, by the words in which they told it.

Only a clear match counts: the statement told again in the same words, whatever their order and
form, or the only statement that has all words of what it is said to be about.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from muniment.model.languages.phrases import forget_words
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.text import sentences, telling_lines
from muniment.retrieval.languages import value_mentions
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.text import tokenizer

LETTERS_MAX: Final = 400  # who says more asks for more than that
_QUOTES = lazy_pattern('["\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d]')
_SPACELESS: Final = frozenset({"Chinese", "Japanese"})
_KANA = lazy_pattern(r"[\u3041-\u309f\W]+")  # endings and particles of Japanese
_KANA_VERB = lazy_pattern(
    r"(?<=[^\u3041-\u309f\W])[をがはにのともへ]([\u3041-\u309f])[\u3041-\u309f\W]*$"
)
_PARTICLES = lazy_pattern(r"(?<=\w)(?:에서|으로|은|는|이|가|을|를|에|의|도|로)$")
_ASKED_TO_KEEP = lazy_pattern(r"^\s*(?:please )?remember(?: that)?[,:]? ", re.IGNORECASE)
_QUESTION: Final = ("?", "\uff1f", "\u061f", "\u037e", ";")  # the last two are of Greek


class ForgetWish(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be forgotten: a statement in its words, or what one is about."""

    language: str
    says: str = ""
    about: str = ""

    def names(self, statement: str) -> bool:
        """Whether a statement is one that this wish names."""
        told = _plain(statement)
        if self.says:
            said = _words(self.language, self.says)
            return bool(said) and said == _words(self.language, told)
        return self._is_about(told)

    def _is_about(self, told: str) -> bool:
        if self.language in {*_SPACELESS, "Korean"}:
            about = tokenizer.folded(self.about)
            letters = {*re.findall(r"\w", about)} - tokenizer.SMALL_LETTERS - forget_words.UNNAMED
            return bool(letters) and about in tokenizer.folded(told)
        named = value_mentions.stems(self.about) - _small(self.about)
        return bool(named) and named <= value_mentions.stems(told)


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

    What is about something may be told of in several; then it is not clear which one is meant.
    """
    found = [
        (name, text)
        for name, text in statements
        if wish.names(text) and not text.rstrip().endswith(_QUESTION) and not wishes(text)
    ]
    plain = [_plain(text) for _, text in found]
    told = {frozenset(_words(wish.language, each) or [each]) for each in plain}
    return [name for name, _ in found] if wish.says or len(told) == 1 else []


def _wish(sentence: str, languages: Sequence[str]) -> ForgetWish | None:
    for language in languages:
        for pattern in forget_words.patterns(language):
            match = pattern.fullmatch(sentence)
            if match:
                parts = {name: (told or "").strip() for name, told in match.groupdict().items()}
                return ForgetWish(language=language, **parts)
    return None


def _plain(statement: str) -> str:
    """A statement without a word that it be kept: with it or not, it says the same."""
    return _ASKED_TO_KEEP.sub("", statement)


def _words(language: str, text: str) -> Sequence[str]:
    """The words that a statement must share with another to be the same one."""
    denials = forget_words.denials(language)
    denied = ["not"] if denials and denials.search(text) else []
    if language == "Japanese":
        runs = [each for each in _KANA.split(text) if each not in {"", *forget_words.ONESELF}]
        verb = _KANA_VERB.search(text)  # by how it begins, since it ends in its own way
        kana = verb.groups() if verb else ()
        return sorted((*denied, *runs, *kana)) if runs else []  # a denial alone is of anything
    if language == "Chinese":
        return ["".join(re.findall(r"\w+", tokenizer.folded(text))).removeprefix("我")]
    words = re.findall(r"\w+", tokenizer.folded(text))
    own = [each for each in words if each not in forget_words.ONESELF]
    if language == "Korean":  # a verb ends in its own way in each clause
        nouns = [_PARTICLES.sub("", each) for each in own[:-1]]
        letters = 1 if nouns else 2  # by its first one alone many words begin
        return sorted((*denied, *nouns, *(each[:letters] for each in own[-1:])))
    return sorted(map(tokenizer.stem, own))


def _small(text: str) -> frozenset[str]:
    read = detect_languages(text)
    small = {word for each in read for word in each.language.small_words}
    return frozenset(map(tokenizer.stem, small))

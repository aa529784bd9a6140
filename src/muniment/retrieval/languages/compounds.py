"""Compounds: the parts of a word that German and Dutch write in one piece.

"Zahnarzttermin" asks for "ein Termin beim Zahnarzt", and "Ersatzschlüssel" are "Schlüssel". A word
is parted before or behind a word of everyday life that the tables know; what joins the two ("s",
"n") belongs to neither.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Final

from muniment.model.languages.topics import life_topics
from muniment.retrieval.languages.detect_language import LanguageReading
from muniment.retrieval.text import tokenizer

LANGUAGES: Final = ("German", "Dutch")
KNOWN_LETTERS_MIN: Final = 5  # of a part that the tables know
LETTERS_MIN: Final = 3  # of the other part
JOINTS: Final = ("s", "n", "")


def parts_of(words: Iterable[str], read: Sequence[LanguageReading]) -> tuple[str, ...]:
    """The parts of these words, in a text of a language that writes them so."""
    if read[-1].language.name not in LANGUAGES:
        return ()
    return tuple(part for word in words for part in parts(word))


@lru_cache(maxsize=1 << 12)
def parts(word: str) -> tuple[str, ...]:
    """The parts of a word as it is spelled, folded; none, for most words."""
    if len(word) < KNOWN_LETTERS_MIN + LETTERS_MIN or word in _known():
        return ()
    return next(_parted(word), ())


def _parted(word: str) -> Iterator[tuple[str, ...]]:
    """With the longest known part first, at the end rather than at the beginning."""
    for place in range(LETTERS_MIN, len(word) - KNOWN_LETTERS_MIN + 1):
        if word[place:] in _known():
            yield _without_joint(word[:place]), word[place:]
    for place in range(len(word) - LETTERS_MIN, KNOWN_LETTERS_MIN - 1, -1):
        if (head := _without_joint(word[:place])) in _known():
            yield head, word[place:]


def _without_joint(head: str) -> str:
    """What is known of it, if it is known without what joins it; else all of it."""
    bare = (head.removesuffix(joint) for joint in JOINTS)
    return next((each for each in bare if each in _known()), head)


@cache
def _known() -> frozenset[str]:
    return frozenset(
        part
        for name in LANGUAGES
        for word in life_topics.words_of(name)
        for part in tokenizer.spelled(word)
        if len(part) >= KNOWN_LETTERS_MIN
    )

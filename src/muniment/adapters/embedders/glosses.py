"""Glosses: what words of other languages mean, as pieces of the table of English.

The table knows no language but English. Of thirteen others a glossary says in one to three plain
words what some four thousand of their words mean, so that a text in them has a vector too, and is
near a text that says the same in English. What the glossary lacks keeps its own pieces: a name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
import Stemmer

from muniment.adapters.embedders.wordpiece import WordPiece
from muniment.model.errors import IntegrityError
from muniment.model.languages.letter_folding import unaccented
from muniment.model.lazy_pattern import lazy_pattern
from muniment.retrieval import arrays as np

FILE: Final = "glosses-1.bin"
FORMAT: Final = "muniment-glosses-1"
STEM_MARK: Final = "~"  # before what the forms of a word have in common
PIECES_MAX: Final = 5  # of one word
PART_MIN: Final = 4  # letters of a part of a compound
KEY_LETTERS_MAX: Final = 12  # where words are not parted
ENGLISH: Final = "English"
# The letters by which a language is told, where a text shows several.
LETTERS: Final = (
    ("Greek", "\u0370", "\u03ff"),
    ("Russian", "\u0400", "\u04ff"),
    ("Arabic", "\u0600", "\u06ff"),
    ("Hindi", "\u0900", "\u097f"),
    ("Japanese", "\u3040", "\u30ff"),
    ("Korean", "\uac00", "\ud7a3"),
    ("Chinese", "\u3400", "\u9fff"),
)
SPACELESS: Final = frozenset({"Chinese", "Japanese"})
JOINING: Final = frozenset({"German", "Dutch"})  # whose nouns are written together
SHORT: Final = 3  # letters of a Korean word that may be one and an ending
LINKS: Final = "sne"  # what may stand between two of them
UNSTEMMED: Final = SPACELESS | {"Korean"}

Pieces: TypeAlias = tuple[int, ...]
Fraction: TypeAlias = tuple[int, int]

_WORD = lazy_pattern(
    "[0-9a-z\u00df-\u024f]+|[\u0900-\u0963\u0966-\u097f]+|[^\\W0-9a-z_\u00df-\u024f]+"
)


def glossed(text: str, names: Sequence[str], cut: WordPiece, least: Fraction) -> list[int] | None:
    """The pieces of what a text in these languages means; None if less than so much is known."""
    found: list[int] = []
    letters = understood = 0
    for word, meaning in _words(unaccented(text), names, cut):
        if meaning:
            found += meaning
            understood += len(word)
        letters += 0 if not meaning and _is_ending(word) else len(word)
    known, of = least
    return found if of * understood >= known * letters else None


def _is_ending(word: str) -> bool:
    """Whether it is a letter that Japanese writes endings and particles with."""
    return "\u3040" <= word[0] <= "\u309f"


def _words(text: str, names: Sequence[str], cut: WordPiece) -> Iterator[tuple[str, Sequence[int]]]:
    """Each word, and what it means; nothing of one that nobody knows."""
    words = _WORD.findall(text)
    places = iter(range(len(words)))
    for n in places:
        word = words[n]
        name = _language(word, names)
        if name == ENGLISH or name not in glossaries():
            yield word, cut(word) if word.isascii() else ()
            continue
        known = glossaries()[name]
        if n + 1 < len(words) and (both := known.meanings.get(f"{word} {words[n + 1]}")):
            yield word + words[next(places)], both
        elif name in SPACELESS:
            yield from known.parts(word)
        else:
            yield word, known.meaning(word) or (cut(word) if word.isascii() else ())


def _language(word: str, names: Sequence[str]) -> str:
    first = word[0]
    if first < LETTERS[0][1]:  # Latin: the last that is read
        return names[-1] if first.isalpha() else ENGLISH
    for name, begin, end in LETTERS:
        if begin <= first <= end:
            return "Japanese" if name == "Chinese" and "Japanese" in names else name
    return ENGLISH


class Glossary:
    """What the words of one language mean."""

    def __init__(self, name: str, meanings: Mapping[str, Pieces]) -> None:
        self.name, self.meanings = name, meanings
        self._stem = None if name in UNSTEMMED else Stemmer.Stemmer(name.lower()).stemWord

    def meaning(self, word: str) -> Pieces:
        return self._whole(word) or self._begun(word) or self._joined(word)

    def parts(self, run: str) -> Iterator[tuple[str, Pieces]]:
        """The longest entry at each place of what is written without spaces."""
        start = 0
        while start < len(run):
            for end in range(min(len(run), start + KEY_LETTERS_MAX), start, -1):
                if found := self.meanings.get(run[start:end]):
                    yield run[start:end], found
                    break
            else:
                yield run[start], ()
                end = start + 1
            start = end

    def _whole(self, word: str) -> Pieces:
        found = self.meanings.get(word)
        if found is None and self._stem:
            found = self.meanings.get(STEM_MARK + self._stem(word))
        return found or ()

    def _begun(self, word: str) -> Pieces:
        """A Korean word is a stem and what is put behind it."""
        if self.name != "Korean":
            return ()
        least = 1 if len(word) <= SHORT else 2  # one letter begins many words
        ends = range(len(word) - 1, least - 1, -1)
        return next((found for end in ends if (found := self.meanings.get(word[:end]))), ())

    def _joined(self, word: str) -> Pieces:
        """A compound: its longest beginning that is known, and the rest."""
        if self.name not in JOINING:
            return ()
        for end in range(len(word) - PART_MIN, PART_MIN - 1, -1):
            first, rest = self._whole(word[:end]), word[end:]
            behind = self._whole(rest) or (rest[0] in LINKS and self._whole(rest[1:]))
            if first and behind:
                return (*first, *behind)
        return ()


@cache
def glossaries() -> Mapping[str, Glossary]:
    """Read when the first text of another language is embedded."""
    data = Path(__file__).with_name(FILE).read_bytes()
    start = 4 + int.from_bytes(data[:4], "little")
    header = msgspec.json.decode(data[4:start])
    if header["format"] != FORMAT:
        raise IntegrityError("the glossary of the default embedder is not the one that shipped")
    found = {}
    for name, letters, count, pieces in header["languages"]:
        words = data[start : start + letters].decode().split("\n")
        ends = np.frombuffer(data, np.uint8, count, start + letters).cumsum().tolist()
        start += letters + count
        numbers = np.frombuffer(data, "<u2", pieces, start).tolist()
        start += 2 * pieces
        begins = (0, *ends[:-1])
        meanings = {
            word: tuple(numbers[begin:end])
            for word, begin, end in zip(words, begins, ends, strict=True)
        }
        found[name] = Glossary(name, meanings)
    return found

"""Word marks: which needs of patterns the words of a text fulfil, one bit for each need.

A text has few words that it does not share with the texts before it. So what a word fulfils is
kept, and a text is read once for all patterns: its mark is that of its words together.
"""

from collections.abc import Iterable
from functools import lru_cache, reduce
from itertools import count
from operator import or_
from typing import Final

from muniment.model.languages.needed_words import EDGE, LETTERS, Pieces, pieces_of
from muniment.model.lazy_pattern import lazy_pattern

RECENT: Final = 256  # texts: patterns are tried on one after the other, for words and for dates
WORDS_MAX: Final = 1 << 15  # that are kept
LETTERS_MAX: Final = 40  # of a word that is kept: what is longer hardly comes again
# Whatever is no letter of a word parts words; beyond ASCII each letter is looked up.
_ASCII: Final = bytes(map(LETTERS.__getitem__, range(128))) + bytes(128)

_CAPITAL = lazy_pattern("[A-Z]")


def plain(text: str) -> str:
    """A text letter by letter, without case, with a space for whatever is no letter of a word."""
    if text.isascii():
        return text.encode("ascii").translate(_ASCII).decode("ascii")
    return text.translate(LETTERS)


Held = dict[str, dict[int, None]]  # the bits of pieces


class _Pieces:
    """Pieces of words by where they stand in one, and the bits of the needs that have them.

    It only grows, an entry at a time: who reads it meanwhile finds what was there before, and of
    two who add to it at once neither takes anything from the other.
    """

    def __init__(self) -> None:
        self._whole: Held = {}
        self._first: Held = {}
        self._last: Held = {}
        self._inner: Held = {}
        self._firsts: dict[int, None] = {}  # how many letters the first and the last ones have
        self._lasts: dict[int, None] = {}
        self._by_letter: dict[str, dict[str, None]] = {}  # the inner ones

    def add(self, piece: str, bit: int) -> None:
        letters = piece.strip(EDGE)
        begins, ends = piece.startswith(EDGE), piece.endswith(EDGE)
        held = (self._inner, self._last, self._first, self._whole)[2 * begins + ends]
        held.setdefault(letters, {})[bit] = None
        if begins > ends:
            self._firsts[len(letters)] = None
        elif ends > begins:
            self._lasts[len(letters)] = None
        elif not begins:
            self._by_letter.setdefault(letters[0], {})[letters] = None

    def mark(self, word: str) -> int:
        found = [self._whole.get(word)]
        found += [self._first.get(word[:size]) for size in tuple(self._firsts)]
        found += [self._last.get(word[-size:]) for size in tuple(self._lasts)]
        for place, letter in enumerate(word):
            inner = tuple(self._by_letter.get(letter, ()))
            found += [self._inner[each] for each in inner if word.startswith(each, place)]
        return reduce(or_, [bit for bits in found if bits for bit in tuple(bits)], 0)


class _Marks(dict[str, int]):
    """The marks of words."""

    def __init__(self, pieces: _Pieces) -> None:
        self._pieces = pieces

    def __missing__(self, word: str) -> int:
        mark = self._pieces.mark(word)
        if len(word) <= LETTERS_MAX:
            if len(self) >= WORDS_MAX:
                self.clear()
            self[word] = mark
        return mark


class TextMark:
    """The words of a text, each where it begins, and their mark."""

    __slots__ = ("_capitals", "_marks", "_places", "_text", "mark", "words")

    def __init__(self, text: str, marks: _Marks) -> None:
        self._text, self.words = text, plain(text).split(EDGE)
        self._marks = [*map(marks.__getitem__, self.words)]
        self.mark = reduce(or_, self._marks, 0)
        # What few texts are asked for. No lock keeps two threads from making the same twice.
        self._places: list[tuple[int, int]] | None = None
        self._capitals: list[int] | None = None

    def places(self, need: int) -> list[int]:
        """Where words begin that fulfil a need."""
        if self._places is None:
            self._places = self._marked()
        return [place for place, mark in self._places if mark & need]

    @property
    def capitals(self) -> list[int]:
        """Where one of A to Z stands."""
        if self._capitals is None:
            self._capitals = [found.start() for found in _CAPITAL.finditer(self._text)]
        return self._capitals

    def _marked(self) -> list[tuple[int, int]]:
        found: list[tuple[int, int]] = []
        place = 0
        for word, mark in zip(self.words, self._marks, strict=True):
            if mark:
                found.append((place, mark))
            place += len(word) + 1
        return found


class WordMarks:
    """The needs that patterns have told so far; what was read before a new one is read again."""

    def __init__(self) -> None:
        self._pieces, self._numbers = _Pieces(), count()
        self._bits: dict[Pieces, int] = {}
        self._begin()

    def add(self, needs: Iterable[Pieces]) -> tuple[int, ...]:
        """The bit of each."""
        found = tuple(self._bit(each) for each in needs)
        self._begin()
        return found

    def _begin(self) -> None:
        marks = _Marks(self._pieces)
        self.read = lru_cache(RECENT)(lambda text: TextMark(text, marks))

    def _bit(self, need: Pieces) -> int:
        bit = self._bits.setdefault(need, 1 << next(self._numbers))
        for piece in need:
            self._pieces.add(piece, bit)
        return bit


WORD_MARKS: Final = WordMarks()


def words_of(text: str) -> list[str]:
    """Its runs of letters in order, without case; what stands between two gaps is an empty one."""
    return WORD_MARKS.read(text).words


def needs_of_rows(rows: Iterable[Iterable[str]]) -> tuple[int, ...]:
    """A need for each row of strings; a text of ASCII that has one of these fulfils it."""
    needs = [pieces_of(map(plain, row)) for row in rows]
    assert all(needs), "a string without a letter is no word of a text"
    return WORD_MARKS.add(needs)

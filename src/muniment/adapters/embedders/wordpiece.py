"""WordPiece: a text as the numbers of its pieces, as BERT's uncased vocabulary cuts it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import category, known, normalised
from muniment.retrieval import arrays as np

UNKNOWN: Final = "[UNK]"
WORD_LETTERS_MAX: Final = 100
LOOKED_MAX: Final = 64  # pieces, each by itself
_IDEOGRAPHS: Final = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
_ASCII_SIGNS: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
# Of ASCII, what is neither letter, digit nor space is a sign; controls are nothing.
_ASCII_PIECE = lazy_pattern(r"[a-z0-9]+|[^a-z0-9 \t\n\r]")
_CONTROLS: Final = dict.fromkeys({*range(32), 127} - set(map(ord, "\t\n\r")))


class WordPiece:
    """Of a vocabulary in UTF-8, one piece to a line; as bytes, it may lie in a mapped file."""

    def __init__(self, lines: bytes) -> None:
        self._lines = b"\n%b\n" % lines
        self._looked = 0
        self._unknown = self.number(UNKNOWN)
        self._known: dict[str, tuple[int, ...]] = {}

    def __call__(self, text: str) -> list[int]:
        found: list[int] = []
        for word in split(text):
            numbers = self._known.get(word)
            if numbers is None:
                numbers = tuple(self._cut(word))
                if len(self._known) < 1 << 16:
                    self._known[word] = numbers
            found.extend(numbers)
        return found

    def knows(self, text: str, pieces: Sequence[int]) -> bool:
        """Whether most of a text is spelled in its pieces.

        Of most scripts it has single letters alone, which mean nothing by themselves.
        """
        if text.isascii():
            return True
        return 2 * sum(map(self._letters.__getitem__, pieces)) >= sum(map(str.isalpha, text))

    @cached_property
    def _letters(self) -> list[int]:
        """How many letters of a word each piece knows."""
        plain = [piece.removeprefix("##") for piece in self.vocabulary]
        return [
            len(piece) if piece.isalpha() and (piece.isascii() or len(piece) > 1) else 0
            for piece in plain
        ]

    @cached_property
    def vocabulary(self) -> list[str]:
        return self._lines[1:-1].decode().split("\n")

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {piece: n for n, piece in enumerate(self.vocabulary)}

    def number(self, piece: str) -> int:
        found = self.whole(piece)
        assert found is not None
        return found

    def whole(self, word: str) -> int | None:
        """The number of a word that is one piece.

        A question asks for a few: they are looked for in the lines, which takes less than to read
        all of them. Who asks for more has them read.
        """
        if self._looked >= LOOKED_MAX:
            return self._numbers.get(word)
        self._looked += 1
        place = self._lines.find(b"\n%b\n" % word.encode()) if "\n" not in word else -1
        return int(self._ends.searchsorted(place)) if place >= 0 else None

    def piece(self, number: int) -> str:
        """One of the vocabulary, by its number."""
        before, behind = self._ends[number : number + 2].tolist()
        return self._lines[before + 1 : behind].decode()

    @cached_property
    def _ends(self) -> np.NDArray[np.int64]:
        """Where each line begins: behind the end of the one before."""
        return np.flatnonzero(np.frombuffer(self._lines, np.uint8) == ord("\n"))

    def _cut(self, word: str) -> list[int]:
        """The longest piece that is known, then the longest of the rest, and so on."""
        if len(word) > WORD_LETTERS_MAX:
            return [self._unknown]
        find = self._numbers.get if self._looked >= LOOKED_MAX else self.whole
        pieces: list[int] = []
        start = 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = find(("##" if start else "") + word[start:end])
                if number is not None:
                    pieces.append(number)
                    start = end
                    break
            else:
                return [self._unknown]
        return pieces


def split(text: str) -> Iterable[str]:
    """Lower-case words without accents; every sign and every ideograph stands alone."""
    if text.isascii():
        plain = text if text.isprintable() else text.translate(_CONTROLS)
        return _ASCII_PIECE.findall(plain.lower())
    return _letter_by_letter(text)


def _letter_by_letter(text: str) -> Iterator[str]:
    text = normalised("NFD", known(text).lower())
    text = "".join(letter for letter in text if category(letter) != "Mn")
    word = ""
    for letter in text:
        kind = _kind(letter)
        if kind == "w":
            word += letter
        elif kind != "0":
            if word:
                yield word
                word = ""
            if kind == "s":
                yield letter
    if word:
        yield word


class _Kinds(dict[str, str]):
    """Of each letter: part of a word, a sign of its own, a space, or nothing."""

    def __missing__(self, letter: str) -> str:
        kind = _judge(letter)
        self[letter] = kind
        return kind


_KINDS = _Kinds()


def _kind(letter: str) -> str:
    return _KINDS[letter]


def _judge(letter: str) -> str:
    code, told = ord(letter), category(letter)
    if letter in "\t\n\r" or told == "Zs":
        return " "
    if code in {0, 0xFFFD} or told[0] == "C":
        return "0"
    if letter in _ASCII_SIGNS or told[0] == "P":
        return "s"
    return "s" if any(low <= code <= high for low, high in _IDEOGRAPHS) else "w"

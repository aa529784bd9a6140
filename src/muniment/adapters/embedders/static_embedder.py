"""Static embedder (default): a table of WordPiece vectors, summed and quantized.

The table comes with the package. A text costs a look-up for each of its pieces; every step is a
whole number, so the same text has the same vector on every machine. Of thirteen languages beside
English the pieces are those of what the words mean (`glosses`).
"""

from __future__ import annotations

from functools import cache
from math import isqrt
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters.embedders.wordpiece import WordPiece
from muniment.model.errors import IntegrityError
from muniment.model.fixed_point import MILLION
from muniment.retrieval import arrays as np
from muniment.retrieval.index.int8_vectors import GRID, INT8_MAX
from muniment.retrieval.languages.detect_language import detect_languages

FILE: Final = "pieces-4.bin"
FORMAT: Final = "muniment-table-1"
KIN: Final = 6  # neighbours of a word
CLOSENESS_UNIT: Final = 255
ENGLISH: Final = "English"
# Of the letters of a text in another language, how many have to be of words with a gloss.
TOLD_KNOWN: Final = (1, 4)
ASKED_KNOWN: Final = (3, 4)


class TableEmbedder:
    """Vectors distilled from MiniLM: about 0.1 ms a text, nothing to install or to fetch."""

    def __init__(self) -> None:
        header = _header(_mapped())
        self.name, self.dims = header.name, header.dims

    @property
    def table(self) -> PieceTable:
        return _table()

    def embed(self, text: str) -> bytes:
        return self._of(text, TOLD_KNOWN)

    def embed_question(self, text: str) -> bytes:
        """The same, of a question: where much of it is unknown its words find more."""
        return self._of(text, ASKED_KNOWN)

    def _of(self, text: str, least: tuple[int, int]) -> bytes:
        table = self.table
        pieces = _meant(table, text, least)
        if pieces is None:
            return b""
        if not pieces:
            return bytes(self.dims)
        # Pieces without weight (signs, unknown ones) say nothing. Of whole numbers far below 2^53
        # every sum of floats is exact, in whatever order they are added.
        summed = table.weights.take(pieces) @ table.rows.take(pieces, axis=0).astype(np.float64)
        return on_the_grid(summed.astype(np.int64))

    def kin(self, word: str) -> tuple[tuple[str, int], ...]:
        """Other words for the same: each with its closeness in millionths."""
        table = self.table
        number = table.pieces.whole(word)
        if number is None:
            return ()
        others, nearness = table.kin[number].tolist(), table.closeness[number].tolist()
        return tuple(
            (table.pieces.piece(other), near * MILLION // CLOSENESS_UNIT)
            for other, near in zip(others, nearness, strict=True)
            if near
        )


def _meant(table: PieceTable, text: str, least: tuple[int, int]) -> list[int] | None:
    """The pieces of a text, or of what it means in English; None where it has neither."""
    names = [each.language.name for each in detect_languages(text)]
    if names != [ENGLISH]:
        from muniment.adapters.embedders import glosses  # which most processes never need

        if (found := glosses.glossed(text, names, table.pieces, least)) is not None:
            return found
    pieces = table.pieces(text)
    return pieces if table.pieces.knows(text, pieces) else None


def on_the_grid(total: np.NDArray[np.int64]) -> bytes:
    """The codes of where a text points, by whole numbers alone."""
    length = isqrt(int(total @ total))
    if not length:
        return bytes(len(total))
    rounded = (2 * GRID * np.abs(total) + length) // (2 * length)
    codes = np.sign(total) * np.minimum(rounded, INT8_MAX)
    return bytes(codes.astype(np.int8).tobytes())


class PieceTable:
    """Of each piece: its row, and what a unit of the row is worth."""

    def __init__(self, data: mmap) -> None:
        header = _header(data)
        count, dims, start = header.count, header.dims, header.ends
        self.pieces = WordPiece(data[start : start + header.vocabulary])
        start += header.vocabulary
        self.weights = np.frombuffer(data, "<u2", count, start).astype(np.float64)
        start += 2 * count
        self.kin = np.frombuffer(data, "<u2", count * KIN, start).reshape(count, KIN)
        start += 2 * count * KIN
        self.closeness = np.frombuffer(data, np.uint8, count * KIN, start).reshape(count, KIN)
        rows = np.frombuffer(data, np.int8, count * dims, start + count * KIN)
        self.rows = rows.reshape(count, dims)


class TableHeader(msgspec.Struct, frozen=True, kw_only=True):
    """What a table says of itself."""

    format: str
    name: str
    count: int
    dims: int
    vocabulary: int  # bytes
    ends: int = 0  # the place behind it


@cache
def _table() -> PieceTable:
    """Read when the first text is embedded; every embedder shares it."""
    return PieceTable(_mapped())


@cache
def _mapped() -> mmap:
    """The file in place of a copy of it: only the rows that are asked for take memory."""
    with Path(__file__).with_name(FILE).open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def _header(data: mmap) -> TableHeader:
    ends = 4 + int.from_bytes(data[:4], "little")
    header = msgspec.json.decode(data[4:ends], type=TableHeader)
    if header.format != FORMAT:
        raise IntegrityError("the table of the default embedder is not the one that shipped")
    return msgspec.structs.replace(header, ends=ends)

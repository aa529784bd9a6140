"""Static embedder, the default: a table of vectors of word pieces, summed and set on the grid.

The table comes with the package. A text costs a look-up for each of its pieces; every step is a
whole number, so the same text has the same vector on every machine.
"""

import json
from functools import cache
from importlib import resources
from math import isqrt
from typing import Final

import numpy as np

from muniment.adapters.models.wordpiece import WordPiece
from muniment.model.errors import IntegrityError
from muniment.model.fixed_point import MILLION
from muniment.retrieval.index.int8_vectors import GRID, INT8_MAX

FILE: Final = "pieces-3.bin"
FORMAT: Final = "muniment-table-1"
KIN: Final = 6  # neighbours of a word
CLOSENESS_UNIT: Final = 255


class TableEmbedder:
    """Vectors distilled from MiniLM: about 0.1 ms a text, nothing to install or to fetch."""

    def __init__(self) -> None:
        table = _table()
        self.name, self.dims = table.name, table.rows.shape[1]
        self.table = table

    def embed(self, text: str) -> bytes:
        table = self.table
        pieces = table.pieces(text)
        if not table.pieces.knows(text, pieces):
            return b""
        if not pieces:
            return bytes(self.dims)
        # Pieces without weight (signs, unknown ones) say nothing. Of whole numbers far below 2^53
        # every sum of floats is exact, in whatever order they are added.
        summed = table.weights.take(pieces) @ table.rows.take(pieces, axis=0).astype(np.float64)
        total = summed.astype(np.int64)
        length = isqrt(int(total @ total))
        if not length:
            return bytes(self.dims)
        rounded = (2 * GRID * np.abs(total) + length) // (2 * length)
        codes = np.sign(total) * np.minimum(rounded, INT8_MAX)
        return bytes(codes.astype(np.int8).tobytes())

    def kin(self, word: str) -> tuple[tuple[str, int], ...]:
        """Other words for the same: each with its closeness in millionths."""
        table = self.table
        number = table.pieces.whole(word)
        if number is None:
            return ()
        others, nearness = table.kin[number].tolist(), table.closeness[number].tolist()
        return tuple(
            (table.pieces.vocabulary[other], near * MILLION // CLOSENESS_UNIT)
            for other, near in zip(others, nearness, strict=True)
            if near
        )


class PieceTable:
    """Of each piece: its row, and what a unit of the row is worth."""

    def __init__(self, data: bytes) -> None:
        start = 4 + int.from_bytes(data[:4], "little")
        header = json.loads(data[4:start])
        if header["format"] != FORMAT:
            raise IntegrityError("the default embedder has another table than its own")
        count, dims = header["count"], header["dims"]
        vocabulary = data[start : start + header["vocabulary"]].decode().split("\n")
        start += header["vocabulary"]
        self.name: str = header["name"]
        self.pieces = WordPiece(vocabulary)
        self.weights = np.frombuffer(data, "<u2", count, start).astype(np.float64)
        start += 2 * count
        self.kin = np.frombuffer(data, "<u2", count * KIN, start).reshape(count, KIN)
        start += 2 * count * KIN
        self.closeness = np.frombuffer(data, np.uint8, count * KIN, start).reshape(count, KIN)
        rows = np.frombuffer(data, np.int8, count * dims, start + count * KIN)
        self.rows = rows.reshape(count, dims)


@cache
def _table() -> PieceTable:
    """Read once, when the first text is embedded; every embedder shares it."""
    return PieceTable((resources.files(__package__) / FILE).read_bytes())

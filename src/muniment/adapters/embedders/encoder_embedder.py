"""Encoder embedder: a small transformer of our own, which reads words in their order.

It comes with the package and is used where a policy names it (`recall.embedder`). It finds more
than the table and takes some twenty times as long.
"""

from functools import cache
from pathlib import Path
from typing import Final

from muniment.adapters.embedders.exact_transformer import ExactTransformer
from muniment.adapters.embedders.static_embedder import TableEmbedder, on_the_grid

FILE: Final = "encoder-1.bin"


class EncoderEmbedder:
    """Three layers distilled from MiniLM, in exact arithmetic: nothing to install or to fetch."""

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
def _model() -> ExactTransformer:
    """Read once, when the first text is embedded; every embedder shares it."""
    return ExactTransformer(Path(__file__).with_name(FILE).read_bytes())

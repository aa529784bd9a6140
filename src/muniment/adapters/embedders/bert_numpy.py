"""A small BERT in numpy: six layers, one text at a time, the mean of its pieces.

One text at a time, because then a vector never depends on what was embedded beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from muniment.retrieval import arrays as np

Floats: TypeAlias = "np.NDArray[np.float32]"
HEADS: Final = 12
EPSILON: Final = 1e-12
PIECES_MAX: Final = 256


class Transformer:
    def __init__(self, weights: Mapping[str, Floats]) -> None:
        self._weights = weights
        self._layers = 1 + max(
            int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer.")
        )

    def __call__(self, pieces: Sequence[int]) -> Floats:
        """The vector of one text, of length one."""
        made: Floats = self.vectors(np.array([pieces]))[0]
        return made

    def vectors(self, pieces: np.NDArray[np.int64]) -> Floats:
        """The vectors of texts that all have as many pieces."""
        mean = self._states(pieces).mean(axis=1, dtype=np.float32)
        length = np.sqrt(np.sum(mean * mean, axis=1, keepdims=True, dtype=np.float32))
        made: Floats = np.divide(mean, length, dtype=np.float32)
        return made

    def _states(self, pieces: np.NDArray[np.int64]) -> Floats:
        """One vector for each piece, after the last layer."""
        weights = self._weights
        x = (
            weights["embeddings.word_embeddings.weight"][pieces]
            + weights["embeddings.position_embeddings.weight"][: pieces.shape[1]]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        x = self._normed(x, "embeddings.LayerNorm")
        for number in range(self._layers):
            layer = f"encoder.layer.{number}"
            attended = self._linear(self._attended(x, layer), f"{layer}.attention.output.dense")
            x = self._normed(x + attended, f"{layer}.attention.output.LayerNorm")
            inner = _gelu(self._linear(x, f"{layer}.intermediate.dense"))
            x = self._normed(
                x + self._linear(inner, f"{layer}.output.dense"), f"{layer}.output.LayerNorm"
            )
        return x

    def _attended(self, x: Floats, layer: str) -> Floats:
        query, key, value = (
            self._heads(self._linear(x, f"{layer}.attention.self.{name}"))
            for name in ("query", "key", "value")
        )
        scores = query @ key.swapaxes(-1, -2) / np.float32(np.sqrt(query.shape[-1]))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed: Floats = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        return mixed.swapaxes(1, 2).reshape(x.shape)

    @staticmethod
    def _heads(x: Floats) -> Floats:
        return x.reshape(*x.shape[:2], HEADS, -1).swapaxes(1, 2)

    def _linear(self, x: Floats, name: str) -> Floats:
        made: Floats = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return made

    def _normed(self, x: Floats, name: str) -> Floats:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(EPSILON))
        made: Floats = np.divide(centred, spread, dtype=np.float32)
        return made * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]


def _gelu(x: Floats) -> Floats:
    return x * np.float32(0.5) * (np.float32(1) + _erf(x * np.float32(0.70710678)))


def _erf(x: Floats) -> Floats:
    """Abramowitz and Stegun 7.1.26: right to the seventh digit, which is all a float32 has."""
    size = np.abs(x)
    t = np.float32(1) / (np.float32(1) + np.float32(0.3275911) * size)
    series = np.zeros_like(t)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = (series + np.float32(factor)) * t
    made: Floats = np.sign(x) * (np.float32(1) - series * np.exp(-size * size))
    return made

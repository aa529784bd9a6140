"""Transformer in exact arithmetic: int8 weights, and the same vector on every machine.

Activations are put on a grid of whole numbers before each matrix product. A float32 product of
whole numbers is exact as long as every sum stays below 2^24 (`GRID` and the widths are chosen so),
so it does not matter in which order a machine adds. Everything else is done number by number, by
operations that IEEE 754 rounds in one way only; the exponential is a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from muniment.model.errors import IntegrityError
from muniment.retrieval import arrays as np

FORMAT: Final = "muniment-encoder-1"
PIECES_MAX: Final = 126
GRID: Final = 255  # times 127 times the widest row (384): below 2^24
HEAD_GRID: Final = 511  # squared, times the width of a head (32): below 2^24
SHARES: Final = 1023  # what the shares of attention of one piece sum up to
STEPS: Final = 32  # of the exponential, for each unit
POOL_UNIT: Final = 1024
POOL_GRID: Final = 32_767
OUT_UNIT: Final = 1 << 20
LEAST: Final = 1e-9
PARTS: Final = ("query_key_value", "attended", "up", "down")

Floats: TypeAlias = "np.NDArray[np.float32]"


class Linear:
    """A matrix of int8, what a unit of each of its rows is worth, and what is added."""

    def __init__(self, codes: np.NDArray[np.int8], units: Floats, bias: Floats | None) -> None:
        self._columns = np.ascontiguousarray(codes.T, np.float32)
        self._units, self._bias = units, bias

    def __call__(self, grid: Floats, unit: Floats) -> Floats:
        """`grid` holds whole numbers, each row of which is worth `unit`."""
        made: Floats = grid @ self._columns
        made *= unit
        made *= self._units
        if self._bias is not None:
            made += self._bias
        return made


class ExactTransformer:
    def __init__(self, data: bytes) -> None:
        start = 4 + int.from_bytes(data[:4], "little")
        header = msgspec.json.decode(data[4:start])
        if header["format"] != FORMAT:
            raise IntegrityError("the encoder's file has an unexpected format")
        arrays: dict[str, np.NDArray[np.generic]] = {}
        for name, kind, shape in header["arrays"]:
            count = int(np.prod(shape))
            arrays[name] = np.frombuffer(data, kind, count, start).reshape(shape)
            start += arrays[name].nbytes
        self.name: str = header["name"]
        self.dims: int = header["dims"]
        self._heads: int = header["heads"]
        self._rows, self._units = arrays["rows"], arrays["row_units"].astype(np.float32)
        self._places = arrays["places"].astype(np.float32)
        self._weights = arrays["weights"].astype(np.float64)
        self._exponential = arrays["exponential"].astype(np.float32)
        self._layers = [_layer(arrays, number) for number in range(header["layers"])]
        self._out = arrays["out"].astype(np.float64)
        self._out_units = arrays["out_units"].astype(np.float64)

    def __call__(self, pieces: Sequence[int]) -> np.NDArray[np.int64]:
        """Where a text points, in whole numbers; nothing but zeros where it says nothing."""
        numbers = np.array(pieces[:PIECES_MAX], np.int64)
        state = self._rows.take(numbers, axis=0).astype(np.float32)
        state *= self._units.take(numbers)[:, None]
        state += self._places[: len(numbers)]
        for layer in self._layers:
            state += self._attended(state, layer)
            grid, unit = _normed(state)
            inner = np.maximum(layer["up"](grid, unit), 0)
            state += layer["down"](*_gridded(inner, GRID))
        return self._pooled(numbers, state)

    def _attended(self, state: Floats, layer: Mapping[str, Linear]) -> Floats:
        count, width = state.shape
        parts = layer["query_key_value"](*_normed(state)).reshape(count, 3, width)
        grid, unit = _gridded(parts[:, :2], HEAD_GRID)
        value_unit = np.maximum(np.abs(parts[:, 2]).max(), LEAST) / HEAD_GRID
        value = self._by_head(np.rint(parts[:, 2] / value_unit))
        query, key = self._by_head(grid[:, 0]), self._by_head(grid[:, 1])
        scores: Floats = query @ key.transpose(0, 2, 1)
        scores *= unit[:, 0]
        scores *= unit[:, 1].T
        seen = self._shares(scores) @ value
        mixed = seen.transpose(1, 0, 2).reshape(count, width)
        grid, unit = _gridded(mixed, GRID)
        return layer["attended"](grid, unit * (value_unit / SHARES))

    def _by_head(self, grid: Floats) -> Floats:
        return grid.reshape(len(grid), self._heads, -1).transpose(1, 0, 2)

    def _shares(self, scores: Floats) -> Floats:
        """Softmax: how far each score lies below the best says how much it counts."""
        below = (scores.max(axis=2, keepdims=True) - scores) * STEPS
        last = len(self._exponential) - 1
        counted = self._exponential.take(np.rint(np.minimum(below, last)).astype(np.int32))
        shares: Floats = np.rint(counted * (SHARES / counted.sum(axis=2, keepdims=True)))
        return shares

    def _pooled(self, numbers: np.NDArray[np.int64], state: Floats) -> np.NDArray[np.int64]:
        """The weighted sum of all pieces, in the directions that vectors have."""
        # Float64 products of whole numbers, far below 2^53: exact too.
        summed = self._weights.take(numbers) @ np.rint(state.astype(np.float64) * POOL_UNIT)
        pointed = (self._out @ _whole(summed, POOL_GRID)) * self._out_units
        return _whole(pointed, OUT_UNIT).astype(np.int64)


def _layer(arrays: Mapping[str, np.NDArray[np.generic]], number: int) -> dict[str, Linear]:
    made = {}
    for part in PARTS:
        name = f"{number}.{part}"
        codes, units = arrays[name].astype(np.int8), arrays[f"{name}.units"].astype(np.float32)
        bias = arrays.get(f"{name}.bias")
        made[part] = Linear(codes, units, None if bias is None else bias.astype(np.float32))
    return made


def _gridded(values: Floats, grid: int) -> tuple[Floats, Floats]:
    """Each row as whole numbers up to `grid`, and what one of them is worth."""
    unit = np.maximum(np.abs(values).max(axis=-1, keepdims=True), LEAST) / grid
    return np.rint(values / unit), unit


def _normed(state: Floats) -> tuple[Floats, Floats]:
    """Each row on the grid, and the unit that gives it a mean square of one."""
    grid, _ = _gridded(state, GRID)
    squares = np.einsum("ij,ij->i", grid, grid)[:, None]
    return grid, np.sqrt(state.shape[1] / np.maximum(squares, 1))


def _whole(values: np.NDArray[np.float64], largest: int) -> np.NDArray[np.float64]:
    """As whole numbers, of which the largest is so large."""
    unit = max(float(np.abs(values).max(initial=0.0)), LEAST) / largest
    return np.rint(values / unit)

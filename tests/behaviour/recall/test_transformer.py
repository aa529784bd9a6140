"""The transformer in numpy, beside the same network reckoned number by number."""

import math

import numpy as np
import pytest

from muniment.adapters.embedders.bert_numpy import HEADS, Floats, Transformer
from muniment.log.keyring import SeededEntropy

WIDTH, INNER, LAYERS, PIECES = 2 * HEADS, 36, 2, 7
Row = list[float]
Rows = list[Row]


def network() -> dict[str, Floats]:
    draw = SeededEntropy(b"a small network")

    def some(*shape: int) -> Floats:
        drawn = np.frombuffer(draw(4 * math.prod(shape)), np.uint32).astype(np.float64)
        return (drawn / 2**32 - 0.5).astype(np.float32).reshape(shape)

    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings": (PIECES, WIDTH),
        "embeddings.position_embeddings": (9, WIDTH),
        "embeddings.token_type_embeddings": (2, WIDTH),
        "embeddings.LayerNorm": (WIDTH,),
    }
    for n in range(LAYERS):
        layer = f"encoder.layer.{n}"
        for name in ("self.query", "self.key", "self.value", "output.dense"):
            shapes[f"{layer}.attention.{name}"] = (WIDTH, WIDTH)
        shapes[f"{layer}.intermediate.dense"] = (INNER, WIDTH)
        shapes[f"{layer}.output.dense"] = (WIDTH, INNER)
        shapes[f"{layer}.attention.output.LayerNorm"] = (WIDTH,)
        shapes[f"{layer}.output.LayerNorm"] = (WIDTH,)
    weights = {f"{name}.weight": some(*shape) for name, shape in shapes.items()}
    return weights | {f"{name}.bias": some(shape[0]) for name, shape in shapes.items()}


class Plain:
    """The textbook: embed, then attend and feed forward in each layer, each with its norm."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self.weights = {name: each.astype(np.float64).tolist() for name, each in weights.items()}

    def vector(self, pieces: list[int]) -> Row:
        words, places, kind = (
            self.weights[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        )
        rows = [added(words[piece], added(places[n], kind[0])) for n, piece in enumerate(pieces)]
        rows = [self.normed(row, "embeddings.LayerNorm") for row in rows]
        for n in range(LAYERS):
            rows = self.layer(rows, f"encoder.layer.{n}")
        mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
        length = math.sqrt(sum(x * x for x in mean))
        return [x / length for x in mean]

    def layer(self, rows: Rows, name: str) -> Rows:
        attended = [
            self.normed(
                added(row, self.linear(seen, f"{name}.attention.output.dense")),
                f"{name}.attention.output.LayerNorm",
            )
            for row, seen in zip(rows, self.attended(rows, f"{name}.attention.self"), strict=True)
        ]
        inner = [map(gelu, self.linear(row, f"{name}.intermediate.dense")) for row in attended]
        return [
            self.normed(
                added(row, self.linear(list(each), f"{name}.output.dense")),
                f"{name}.output.LayerNorm",
            )
            for row, each in zip(attended, inner, strict=True)
        ]

    def attended(self, rows: Rows, name: str) -> Rows:
        queries, keys, values = (
            [self.linear(row, f"{name}.{each}") for row in rows]
            for each in ("query", "key", "value")
        )
        size = WIDTH // HEADS
        seen: Rows = [[] for _ in rows]
        for at in range(0, WIDTH, size):
            head = slice(at, at + size)
            for row, query in zip(seen, queries, strict=True):
                shares = [math.exp(dot(query[head], key[head]) / math.sqrt(size)) for key in keys]
                columns = zip(*[value[head] for value in values], strict=True)
                row += [dot(shares, list(column)) / sum(shares) for column in columns]
        return seen

    def linear(self, row: Row, name: str) -> Row:
        return added([dot(row, each) for each in self.weights[f"{name}.weight"]], self.bias(name))

    def normed(self, row: Row, name: str) -> Row:
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + 1e-12)
        scaled = [
            (x - mean) / spread * by
            for x, by in zip(row, self.weights[f"{name}.weight"], strict=True)
        ]
        return added(scaled, self.bias(name))

    def bias(self, name: str) -> Row:
        found: Row = self.weights[f"{name}.bias"]
        return found


def dot(one: Row, other: Row) -> float:
    return sum(x * y for x, y in zip(one, other, strict=True))


def added(one: Row, other: Row) -> Row:
    return [x + y for x, y in zip(one, other, strict=True)]


def gelu(x: float) -> float:
    return x / 2 * (1 + math.erf(x / math.sqrt(2)))


@pytest.mark.parametrize("pieces", [[3], [1, 6, 2], [1, 0, 5, 5, 4, 3, 2]], ids=str)
def test_a_text_has_the_vector_that_the_network_says(pieces: list[int]) -> None:
    weights = network()

    made = Transformer(weights)(pieces)

    assert made.dtype == np.float32
    assert made.tolist() == pytest.approx(Plain(weights).vector(pieces), abs=1e-5)


def test_the_order_of_pieces_counts_and_a_text_beside_it_does_not() -> None:
    embed = Transformer(network())
    one, other = [1, 6, 2], [1, 2, 6]

    beside = embed.vectors(np.array([one, other]))

    assert not np.allclose(embed(one), embed(other), atol=1e-3)
    assert np.allclose(beside, [embed(one), embed(other)], atol=1e-6)

"""Fit the directions that tell what a sentence does: `python -m bench.recall.senses`.

The cards of `senses/` are as those of `revisions/`, by other writers: nothing that the trees learn
from is among them. Printed is how often each direction is right in a language that it was not
fitted to; what is written is fitted to all of them.
"""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.recall import revisions
from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.retrieval.ranking import sentence_sense

FOLDER = Path(__file__).with_name("senses")
TARGET = Path(sentence_sense.__file__).with_name(sentence_sense.FILE)
RIDGE = 5.0
BIAS = 0.3  # beside vectors of length one
# What each direction is for: what a card's sentences give it.
WANTED = {"changes": (-1.0, 1.0, -1.0), "states": (1.0, -1.0, -1.0)}

Values = NDArray[np.float64]


def main() -> None:
    embedder = TableEmbedder()
    paths = sorted(FOLDER.glob("*.txt"))
    by_language = {path.stem: _vectors(embedder, revisions.cards(path)) for path in paths}
    made = {}
    for name, wanted in WANTED.items():
        shares = []
        for language, (some, kinds) in by_language.items():
            others = [by_language[each] for each in by_language if each != language]
            direction = _fitted(others, wanted)
            shares.append(np.mean((some @ direction > 0) == (np.array(wanted)[kinds] > 0)))
            print(f"{name} in {language}, fitted to others: {100 * shares[-1]:.0f} percent")
        print(f"{name}: {100 * np.mean(shares):.1f} percent")
        direction = _fitted(list(by_language.values()), wanted)[:-1]
        units = np.rint(direction / np.abs(direction).max() * sentence_sense.UNIT)
        made[name] = units.astype(int).tolist()
    told = {"space": embedder.name, "directions": made}
    TARGET.write_text(json.dumps(told) + "\n", encoding="utf-8")
    print(f"{TARGET.name}: {TARGET.stat().st_size:,} bytes")


def _vectors(
    embedder: TableEmbedder, cards: list[revisions.Card]
) -> tuple[Values, NDArray[np.int64]]:
    """Of each sentence the vector, with a one behind it, and which of a card's it is."""
    texts = [(n, text) for card in cards for n, text in enumerate(card.told)]
    codes = [
        np.frombuffer(embedder.embed(text) or bytes(embedder.dims), np.int8) for _, text in texts
    ]
    vectors = np.array(codes, np.float64)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1)
    bias = np.full((len(vectors), 1), BIAS)
    return np.concatenate([vectors, bias], axis=1), np.array([n for n, _ in texts])


def _fitted(some: list[tuple[Values, NDArray[np.int64]]], wanted: tuple[float, ...]) -> Values:
    """By least squares, the three kinds counted alike."""
    vectors = np.concatenate([each for each, _ in some])
    goals = np.array(wanted)[np.concatenate([kinds for _, kinds in some])]
    weight = np.where(goals > 0, 1 / (goals > 0).sum(), 1 / (goals < 0).sum()) * len(goals) / 2
    weighed = vectors * weight[:, None]
    inner = weighed.T @ vectors + RIDGE * np.eye(vectors.shape[1])
    found: Values = np.linalg.solve(inner, weighed.T @ goals)
    return found


if __name__ == "__main__":
    main()

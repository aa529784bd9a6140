"""Make the default embedder's table from MiniLM: `python -m bench.recall.distil [dimensions]`.

Each piece of the vocabulary goes through the model alone; what all have in common is taken out,
the directions in which they differ most are kept, and a piece counts the less the more often it
is used (a vocabulary lists its words by how common they are, so the place in it tells).
"""

import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from muniment.adapters.embedders import table
from muniment.adapters.embedders.minilm import MiniLMEmbedder
from muniment.retrieval import words

TARGET = Path(table.__file__).parent / table.FILE
DIMS = 128
AT_ONCE = 64
RARITY = 1e-3  # how common a word may be and still count half
LETTERS = 1996  # where the words begin
COMMON = frozenset("aistdm")  # words, or what is left of them after an apostrophe
COMMON_RANK, RARE_RANK = 8, 3000
ZIPF_SHIFT = 1.7
CLOSENESS_MIN = 0.5  # words that are less alike are only about the same things
WEIGHT_MAX = 65_535
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def main() -> None:
    dims = int(sys.argv[1]) if len(sys.argv) > 1 else DIMS
    model = MiniLMEmbedder()
    pieces = model.pieces.vocabulary
    data = packed(pieces, vectors_of(model, len(pieces)), dims)
    TARGET.write_bytes(data)
    print(f"{TARGET.name}: {len(pieces)} pieces, {dims} dimensions, {len(data):,} bytes")


def vectors_of(model: MiniLMEmbedder, count: int) -> NDArray[np.float32]:
    """What the model makes of each piece when it stands alone."""
    begin, end = model.pieces.number("[CLS]"), model.pieces.number("[SEP]")
    found = []
    for start in range(0, count, AT_ONCE):
        numbers = np.arange(start, min(start + AT_ONCE, count))
        framed = np.stack([np.full_like(numbers, begin), numbers, np.full_like(numbers, end)], 1)
        found.append(model.model.vectors(framed))
    return np.concatenate(found)


def packed(pieces: list[str], vectors: NDArray[np.float32], dims: int) -> bytes:
    kept = np.array([is_word(piece) for piece in pieces])
    rows = reduced(vectors.astype(np.float64), kept, dims) * rarity(pieces, kept)[:, None]
    rows[~kept] = 0
    scale = np.maximum(np.abs(rows).max(axis=1), 1e-12)
    codes = np.rint(rows / scale[:, None] * 127).astype(np.int8)
    weights = np.rint(np.where(kept, scale, 0) / scale[kept].max() * WEIGHT_MAX).astype("<u2")
    numbers, closeness = neighbours(pieces, codes)
    vocabulary = "\n".join(pieces).encode()
    header = json.dumps(
        {
            "format": table.FORMAT,
            "name": f"pieces-1-{dims}",
            "count": len(pieces),
            "dims": dims,
            "vocabulary": len(vocabulary),
            "from": "sentence-transformers/all-MiniLM-L6-v2, Apache-2.0",
        }
    ).encode()
    parts = [len(header).to_bytes(4, "little"), header, vocabulary]
    parts += [weights.tobytes(), numbers.tobytes(), closeness.tobytes(), codes.tobytes()]
    return b"".join(parts)


def neighbours(
    pieces: list[str], codes: NDArray[np.int8]
) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Of each whole word the nearest others that are not forms of it, and how near they are."""
    chosen = np.flatnonzero([is_telling(piece) for piece in pieces])
    vectors = codes[chosen].astype(np.float32)
    vectors /= np.maximum(np.sqrt((vectors * vectors).sum(axis=1, keepdims=True)), 1)
    stems = [words.stem(pieces[number]) for number in chosen]
    numbers = np.zeros((len(pieces), table.KIN), "<u2")
    closeness = np.zeros((len(pieces), table.KIN), np.uint8)
    for place, number in enumerate(chosen):
        cosines = vectors @ vectors[place]
        near = np.argsort(-np.rint(cosines * 255), kind="stable")[: 4 * table.KIN]
        found: dict[str, int] = {stems[place]: 0}
        for other in near:
            if cosines[other] >= CLOSENESS_MIN and stems[other] not in found:
                found[stems[other]] = int(other)
        for rank, other in enumerate(list(found.values())[1 : table.KIN + 1]):
            numbers[number, rank] = chosen[other]
            closeness[number, rank] = int(np.rint(cosines[other] * 255))
    return numbers, closeness


def is_telling(piece: str) -> bool:
    """A whole English word that says something."""
    plain = piece.isascii() and piece.isalpha() and len(piece) > 2
    return plain and is_word(piece) and not words.is_stop(piece)


def reduced(
    vectors: NDArray[np.float64], kept: NDArray[np.bool_], dims: int
) -> NDArray[np.float64]:
    """The main directions. None has a natural sign, so its largest part is made positive."""
    centred = vectors - vectors[kept].mean(axis=0)
    _, directions = np.linalg.eigh(centred[kept].T @ centred[kept])
    main_ones = directions[:, ::-1][:, :dims]
    largest = np.abs(main_ones).argmax(axis=0)
    signs = np.sign(main_ones[largest, np.arange(dims)])
    made: NDArray[np.float64] = centred @ (main_ones * signs)
    return made


def rarity(pieces: list[str], kept: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Smooth inverse frequency, with Zipf's law in place of a count."""
    ranks = np.maximum(np.arange(len(pieces)) - LETTERS + 1.0, 1.0)
    # The vocabulary begins with single letters in the order of their codes: guess these.
    for number, piece in enumerate(pieces[:LETTERS]):
        ranks[number] = COMMON_RANK if piece in COMMON else RARE_RANK
    share = 1 / (ranks + ZIPF_SHIFT)
    share /= share[kept].sum()
    made: NDArray[np.float64] = RARITY / (RARITY + share)
    return made


def is_word(piece: str) -> bool:
    return not piece.startswith("[unused") and piece not in SPECIAL and piece.strip("#").isalnum()


if __name__ == "__main__":
    main()

"""The default embedder's file: `python -m bench.recall.table_file rows.npz`.

Rows that `distil` made are written as whole numbers, with the vocabulary and, of each word, the
others that mean nearly the same: what MiniLM makes of words by themselves tells these.
"""

import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from muniment.adapters.embedders import static_embedder
from muniment.adapters.embedders.minilm_embedder import MiniLMEmbedder
from muniment.retrieval.text import tokenizer

TARGET = Path(static_embedder.__file__).parent / static_embedder.FILE
NEIGHBOUR_DIMS = 128
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
    rows = np.load(sys.argv[1])["rows"].astype(np.float32)
    model = MiniLMEmbedder()
    data = packed(model.pieces.vocabulary, rows, vectors_of(model))
    TARGET.write_bytes(data)
    print(f"{TARGET.name}: {rows.shape[0]} pieces, {rows.shape[1]} dimensions, {len(data):,} bytes")


def vectors_of(model: MiniLMEmbedder) -> NDArray[np.float32]:
    """What the model makes of each piece when it stands alone."""
    begin, end = model.pieces.number("[CLS]"), model.pieces.number("[SEP]")
    found, count = [], len(model.pieces.vocabulary)
    for start in range(0, count, AT_ONCE):
        numbers = np.arange(start, min(start + AT_ONCE, count))
        framed = np.stack([np.full_like(numbers, begin), numbers, np.full_like(numbers, end)], 1)
        found.append(model.model.vectors(framed))
    return np.concatenate(found)


def packed(pieces: list[str], rows: NDArray[np.float32], alone: NDArray[np.float32]) -> bytes:
    kept = np.array([is_word(piece) for piece in pieces])
    weights, codes = coded(rows, kept)
    by_itself = reduced(alone.astype(np.float64), kept) * rarity(pieces, kept)[:, None]
    numbers, closeness = neighbours(pieces, coded(by_itself, kept)[1])
    vocabulary = "\n".join(pieces).encode()
    header = json.dumps(
        {
            "format": static_embedder.FORMAT,
            "name": f"pieces-4-{rows.shape[1]}",
            "count": len(pieces),
            "dims": rows.shape[1],
            "vocabulary": len(vocabulary),
            "from": "sentence-transformers/all-MiniLM-L6-v2, Apache-2.0",
        }
    ).encode()
    parts = [len(header).to_bytes(4, "little"), header, vocabulary]
    parts += [weights.tobytes(), numbers.tobytes(), closeness.tobytes(), codes.tobytes()]
    return b"".join(parts)


def coded(
    rows: NDArray[np.floating], kept: NDArray[np.bool_]
) -> tuple[NDArray[np.uint16], NDArray[np.int8]]:
    """What a unit of each row is worth, and the rows in such units."""
    scale = np.maximum(np.abs(rows).max(axis=1), 1e-12)
    codes = np.where(kept[:, None], np.rint(rows / scale[:, None] * 127), 0).astype(np.int8)
    weights = np.rint(np.where(kept, scale, 0) / scale[kept].max() * WEIGHT_MAX).astype("<u2")
    return weights, codes


def neighbours(
    pieces: list[str], codes: NDArray[np.int8]
) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """Of each whole word the nearest others that are not forms of it, and how near they are."""
    chosen = np.flatnonzero([is_telling(piece) for piece in pieces])
    vectors = codes[chosen].astype(np.float32)
    vectors /= np.maximum(np.sqrt((vectors * vectors).sum(axis=1, keepdims=True)), 1)
    stems = [tokenizer.stem(pieces[number]) for number in chosen]
    numbers = np.zeros((len(pieces), static_embedder.KIN), "<u2")
    closeness = np.zeros((len(pieces), static_embedder.KIN), np.uint8)
    for place, number in enumerate(chosen):
        cosines = vectors @ vectors[place]
        near = np.argsort(-np.rint(cosines * 255), kind="stable")[: 4 * static_embedder.KIN]
        found: dict[str, int] = {stems[place]: 0}
        for other in near:
            if cosines[other] >= CLOSENESS_MIN and stems[other] not in found:
                found[stems[other]] = int(other)
        for rank, other in enumerate(list(found.values())[1 : static_embedder.KIN + 1]):
            numbers[number, rank] = chosen[other]
            closeness[number, rank] = int(np.rint(cosines[other] * 255))
    return numbers, closeness


def is_telling(piece: str) -> bool:
    """A whole English word that says something."""
    plain = piece.isascii() and piece.isalpha() and len(piece) > 2
    return plain and is_word(piece) and not tokenizer.is_stop(piece)


def reduced(vectors: NDArray[np.float64], kept: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The main directions. None has a natural sign, so its largest part is made positive."""
    centred = vectors - vectors[kept].mean(axis=0)
    _, directions = np.linalg.eigh(centred[kept].T @ centred[kept])
    main_ones = directions[:, ::-1][:, :NEIGHBOUR_DIMS]
    largest = np.abs(main_ones).argmax(axis=0)
    signs = np.sign(main_ones[largest, np.arange(NEIGHBOUR_DIMS)])
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

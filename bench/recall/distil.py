"""Make the default embedder's table: `python -m bench.recall.distil wordnet-folder [dimensions]`.

Each piece of the vocabulary goes through MiniLM alone, and counts the less the more often it is
used (a vocabulary lists its words by how common they are, so the place in it tells). Then the
pieces are fitted to what MiniLM makes of whole sentences: those by which WordNet shows how words
are used. The folder is the one with WordNet's `data.noun`, `data.verb`, `data.adj`, `data.adv`.
"""

import hashlib
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.recall import fitting
from muniment.adapters.models import static_embedder
from muniment.adapters.models.minilm_embedder import MiniLMEmbedder
from muniment.adapters.models.wordpiece import WordPiece
from muniment.retrieval.text import tokenizer

TARGET = Path(static_embedder.__file__).parent / static_embedder.FILE
DIMS = 128
AT_ONCE = 64
SENTENCES = 30_000
WORDS_MIN = 3
PIECES_MIN, PIECES_MAX = 2, 126
TOLD_EACH = 2_000
RARITY = 1e-3  # how common a word may be and still count half
LETTERS = 1996  # where the words begin
COMMON = frozenset("aistdm")  # words, or what is left of them after an apostrophe
COMMON_RANK, RARE_RANK = 8, 3000
ZIPF_SHIFT = 1.7
CLOSENESS_MIN = 0.5  # words that are less alike are only about the same things
WEIGHT_MAX = 65_535
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@dataclass(frozen=True)
class Examples:
    """Sentences, and what the model makes of each."""

    texts: Sequence[str]
    vectors: NDArray[np.float32]


def main() -> None:
    folder = Path(sys.argv[1])
    dims = int(sys.argv[2]) if len(sys.argv) > 2 else DIMS
    model = MiniLMEmbedder()
    pieces = model.pieces.vocabulary
    alone = vectors_of(model, len(pieces))
    texts = used(folder)
    examples = Examples(texts, sentences_of(model, texts))
    data = packed(pieces, alone, examples, dims)
    TARGET.write_bytes(data)
    print(f"{TARGET.name}: {len(pieces)} pieces, {dims} dimensions, {len(data):,} bytes")


def used(folder: Path) -> list[str]:
    """Sentences in which WordNet uses its words, drawn by their own digests."""
    found: set[str] = set()
    for kind in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{kind}").read_text("latin-1").splitlines():
            told = re.findall(r'"([^"]+)"', line.partition("|")[2])
            found.update(each.strip() for each in told if len(each.split()) >= WORDS_MIN)
    return sorted(found, key=lambda text: hashlib.sha256(text.encode()).digest())[:SENTENCES]


def sentences_of(model: MiniLMEmbedder, texts: Sequence[str]) -> NDArray[np.float32]:
    """What the model makes of each whole sentence; this takes minutes, so it says how far it is."""
    found = []
    for number, text in enumerate(texts):
        found.append(model.vector(text))
        if number % TOLD_EACH == 0:
            print(f"{number:,} of {len(texts):,} sentences", flush=True)
    return np.stack(found)


def vectors_of(model: MiniLMEmbedder, count: int) -> NDArray[np.float32]:
    """What the model makes of each piece when it stands alone."""
    begin, end = model.pieces.number("[CLS]"), model.pieces.number("[SEP]")
    found = []
    for start in range(0, count, AT_ONCE):
        numbers = np.arange(start, min(start + AT_ONCE, count))
        framed = np.stack([np.full_like(numbers, begin), numbers, np.full_like(numbers, end)], 1)
        found.append(model.model.vectors(framed))
    return np.concatenate(found)


def packed(pieces: list[str], alone: NDArray[np.float32], examples: Examples, dims: int) -> bytes:
    kept = np.array([is_word(piece) for piece in pieces])
    weights, codes = coded(rows_of(pieces, alone, examples, dims), kept)
    # What a word means by itself is told by the word alone.
    by_itself = reduced(alone.astype(np.float64), kept, DIMS) * rarity(pieces, kept)[:, None]
    numbers, closeness = neighbours(pieces, coded(by_itself, kept)[1])
    vocabulary = "\n".join(pieces).encode()
    header = json.dumps(
        {
            "format": static_embedder.FORMAT,
            "name": f"pieces-2-{dims}",
            "count": len(pieces),
            "dims": dims,
            "vocabulary": len(vocabulary),
            "from": "sentence-transformers/all-MiniLM-L6-v2, Apache-2.0",
        }
    ).encode()
    parts = [len(header).to_bytes(4, "little"), header, vocabulary]
    parts += [weights.tobytes(), numbers.tobytes(), closeness.tobytes(), codes.tobytes()]
    return b"".join(parts)


def rows_of(
    pieces: list[str], alone: NDArray[np.float32], examples: Examples, dims: int
) -> NDArray[np.float32]:
    """One row for each piece, fitted to the sentences that hold at least two that count."""
    kept = np.array([is_word(piece) for piece in pieces])
    rows = (alone - alone[kept].mean(axis=0)) * rarity(pieces, kept)[:, None]
    rows[~kept] = 0
    cut = WordPiece(pieces)
    held = [
        np.array([n for n in cut(text) if kept[n]][:PIECES_MAX], np.int64)
        for text in examples.texts
    ]
    telling = [number for number, each in enumerate(held) if len(each) >= PIECES_MIN]
    wanted = examples.vectors[telling]
    return fitting.fitted([held[n] for n in telling], wanted, rows.astype(np.float32), dims)


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

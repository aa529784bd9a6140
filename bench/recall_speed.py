"""Recall at 1k, 10k, 100k (and 1M) memories, beside a bare scan of the same vectors in numpy.

The scan is what anybody would write: one float32 matrix of every vector that the index holds
(those of sentences too), one product, the ten best. Recall does that and more: words, both
together, who may see it, near-duplicates, texts, evidence, a receipt. Both embed the question,
and both have one thread: the time of more would count, however little they do.
"""

import hashlib
import sys
from pathlib import Path

import numpy as np

import muniment
from bench.figures import Timing, goal, table
from muniment.engine.memory import Memory
from muniment.engine.ports import Embedder

SIZES = (1_000, 10_000, 100_000)
LARGE = 1_000_000
QUESTIONS = 30
VOCABULARY = 30_000
AGAINST_RAW = {10_000: 4.0, 100_000: 1.5, LARGE: 1.0}
PEERS_MS, COLD_TIMES, BYTES_EACH = 3.0, 10.0, 450


def run(folder: Path) -> None:
    sizes = (*SIZES, LARGE) if "--large" in sys.argv else SIZES
    rows: list[list[str]] = []
    told: list[tuple[str, bool]] = []
    for size in sizes:
        figures = measured(folder / str(size), size)
        warm, raw, cold, each, write = figures
        rows.append(
            [
                f"{size:,}",
                f"{warm:.2f}",
                f"{raw:.2f}",
                f"{warm / raw:.2f}",
                f"{cold:.1f}",
                f"{cold / warm:.1f}",
                f"{each:.0f}",
                f"{write:.0f}",
            ]
        )
        if size in AGAINST_RAW:
            limit = AGAINST_RAW[size]
            told.append((f"at {size:,}: at most {limit} x a bare scan", warm / raw <= limit))
        if size == 10_000:
            told.append((f"at {size:,}: at most {PEERS_MS} ms of CPU", warm <= PEERS_MS))
        if size == 100_000:
            told.append(("first recall cold: at most 10 x warm", cold / warm <= COLD_TIMES))
            told.append((f"index at most {BYTES_EACH} bytes each", each <= BYTES_EACH))
    head = ["memories", "recall ms", "raw ms", "times raw", "cold ms", "times warm"]
    table("Recall, CPU of one thread", [*head, "bytes each", "write us"], rows)
    writes = [float(row[-1]) for row in rows]
    told.append(("a write costs the same at every size", max(writes) <= 2 * min(writes)))
    for text, met in told:
        goal(text, met=met)


def measured(folder: Path, size: int) -> tuple[float, float, float, float, float]:
    """Warm, raw and cold milliseconds; bytes of the index each; microseconds of one write."""
    memory = opened(folder)
    ada = memory.agent("ada", user="tuff")
    ada.remember_many(sentence(n) for n in range(size))
    ada.recall("anything")  # whoever reads first makes the index
    memory.close()

    memory = opened(folder)
    ada = memory.agent("ada", user="tuff")
    first, warm = Timing("cold"), Timing("warm")
    first.run(lambda: ada.recall(question(0)))
    for n in range(3):
        ada.recall(question(n))
    for n in range(QUESTIONS):
        warm.run(lambda n=n: ada.recall(question(n)))  # type: ignore[misc]
    view = ada._voice.index().view(ada.seq)  # noqa: SLF001
    each = (len(view.collection.to_bytes()) + view.register.rows.nbytes) / size
    sentences = int(view.collection.column("sentence_ends")[-1])
    held = [view.collection.codes, view.collection.sentence_vectors[0][:sentences]]
    raw = scanned(np.concatenate(held), memory._house.tools.embedder)  # noqa: SLF001
    write = Timing("write")
    for n in range(20):
        write.run(lambda n=n: ada.remember(sentence(size + n)))  # type: ignore[misc]
    memory.close()
    return warm.cpu_p50_us / 1e3, raw, first.cpu_us / 1e3, each, write.cpu_p50_us


def scanned(codes: "np.typing.NDArray[np.int8]", embedder: Embedder) -> float:
    """The baseline: what a float32 matrix takes for the same questions."""
    matrix = codes.astype(np.float32)
    timing = Timing("raw")

    def scan(n: int) -> object:
        query = np.frombuffer(embedder.embed(question(n)), np.int8).astype(np.float32)
        scores = matrix @ query
        best = np.argpartition(scores, -10)[-10:]
        return best[np.argsort(-scores[best])]

    scan(0)
    for n in range(QUESTIONS):
        timing.run(lambda n=n: scan(n))  # type: ignore[misc]
    return timing.cpu_p50_us / 1e3


def opened(folder: Path) -> Memory:
    return muniment.open(folder)


def sentence(number: int) -> str:
    """Twelve words of a vocabulary in which a few are common and most are rare."""
    drawn = hashlib.blake2b(number.to_bytes(8, "big"), digest_size=48).digest()
    ranks = [
        int(VOCABULARY ** (int.from_bytes(drawn[at : at + 4], "big") / 2**32))
        for at in range(0, 48, 4)
    ]
    return " ".join(word(rank) for rank in ranks)


def question(number: int) -> str:
    drawn = hashlib.blake2b(b"question%d" % number, digest_size=16).digest()
    return " ".join(
        word(int.from_bytes(drawn[at : at + 4], "big") % 3_000 + 20) for at in range(0, 16, 4)
    )


def word(rank: int) -> str:
    letters = "bdfgklmnprstvz"
    vowels = "aeiou"
    told = ""
    while True:
        rank, consonant = divmod(rank, len(letters))
        rank, vowel = divmod(rank, len(vowels))
        told += letters[consonant] + vowels[vowel]
        if not rank:
            return told

"""Recall at 1k, 10k, 100k (or 1M) memories, beside a bare scan of the same vectors in numpy.

The scan is what anybody would write: one float32 matrix of every vector that the index holds
(those of sentences too), one product, the ten best. Recall does that and more: words, both
together, who may see it, near-duplicates, texts, evidence, a receipt. Both embed the question,
and both have one thread: the time of more would count, however little they do.
"""

import gc
import hashlib
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from typing import NamedTuple

import numpy as np

import muniment
from bench.figures import Timing, goal, table
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.projections.index_storage import Pieces
from muniment.engine.streams.ports import Embedder

SIZES = (1_000, 10_000, 100_000)
LARGE = 1_000_000
QUESTIONS = 30
VOCABULARY = 30_000
AGAINST_RAW = {10_000: 4.0, 100_000: 1.5, LARGE: 1.0}
PEERS_AT, PEERS_MS = 10_000, 3.0
COLD_AT, COLD_TIMES, COLD_OPENS = 100_000, 10.0, 9
BYTES_EACH = 450
AT_ONCE = 100_000

FIRST = """
import sys, time
from pathlib import Path
from bench.recall_speed import opened, question
with opened(Path(sys.argv[1])) as memory:
    ada = memory.agent("ada", user="tuff")
    began = time.process_time()
    ada.recall(question(0))
    print((time.process_time() - began) * 1e3)
"""


class Figures(NamedTuple):
    """Of one size: milliseconds, bytes of the index for each memory, microseconds."""

    warm: float
    raw: float
    cold: float
    each: float
    receipt: float
    write: float
    parts: str  # of a first recall


def run(folder: Path) -> None:
    sizes = [int(each) for each in sys.argv[1:] if each.isdigit()] or SIZES
    found = {size: measured(folder / str(size), size) for size in sizes}
    head = ["memories", "recall ms", "raw ms", "times raw", "cold ms", "times warm"]
    table(
        "Recall, CPU of one thread",
        [*head, "bytes each", "receipt us", "write us", "writes/s"],
        [
            [
                f"{size:,}",
                f"{its.warm:.2f}",
                f"{its.raw:.2f}",
                f"{its.warm / its.raw:.2f}",
                f"{its.cold:.1f}",
                f"{its.cold / its.warm:.1f}",
                f"{its.each:.0f}",
                f"{its.receipt:.0f}",
                f"{its.write:.0f}",
                f"{1e6 / its.write:,.0f}",
            ]
            for size, its in found.items()
        ],
    )
    for size, its in found.items():
        judged(size, its)
    if PEERS_AT in found:
        alone, raw = told_one_by_one(folder / "alone", PEERS_AT), found[PEERS_AT].raw
        print(
            f"           where each of the {PEERS_AT:,} was told by itself, and every hit is an"
            f" entry to open: {alone:.2f} ms, {alone / raw:.2f} x"
        )
    writes = [its.write for its in found.values()]
    goal("a write costs the same at every size", met=max(writes) <= 2 * min(writes))


def judged(size: int, its: Figures) -> None:
    if size in AGAINST_RAW:
        limit = AGAINST_RAW[size]
        goal(f"at {size:,}: at most {limit} x a bare scan", met=its.warm / its.raw <= limit)
    if size == PEERS_AT:
        goal(f"at {size:,}: at most {PEERS_MS} ms of CPU", met=its.warm <= PEERS_MS)
    if size == COLD_AT:
        goal(
            f"at {size:,}: first recall cold at most {COLD_TIMES} x warm",
            met=its.cold / its.warm <= COLD_TIMES,
        )
        print(f"           of its {its.cold:.0f} ms: {its.parts}")
    if size >= COLD_AT:
        goal(f"at {size:,}: index at most {BYTES_EACH} bytes each", met=its.each <= BYTES_EACH)


def measured(folder: Path, size: int) -> Figures:
    fill(folder, size)
    cold = Timing("cold")
    for _ in range(COLD_OPENS):
        with opened(folder) as memory:
            ada = memory.agent("ada", user="tuff")
            cold.run(lambda ada=ada: ada.recall(question(0)))  # type: ignore[misc]

    memory = opened(folder)
    ada = memory.agent("ada", user="tuff")
    receipt, write = Timing("receipt"), Timing("write")
    warm = asked_warm(ada)
    view = ada._session.index().view(ada.seq)  # noqa: SLF001
    sentences = int(view.collection.column("sentence_ends")[-1])
    vectors = [view.collection.codes, view.collection.sentence_vectors[0][:sentences]]
    raw = scanned(np.concatenate(vectors), memory._hub.tools.embedder)  # noqa: SLF001
    receipt.run(ada._session.flush)  # noqa: SLF001
    for n in range(20):
        write.run(lambda n=n: ada.remember(sentence(size + n)))  # type: ignore[misc]
    memory.close()
    return Figures(
        warm=warm.cpu_p50_us / 1e3,
        raw=raw,
        cold=cold.cpu_p50_us / 1e3,
        each=held(folder) / size,
        receipt=receipt.cpu_us / QUESTIONS,
        write=write.cpu_p50_us,
        parts=cold_parts(folder),
    )


def asked_warm(ada: Agent) -> Timing:
    warm = Timing("warm")
    for n in range(3):
        ada.recall(question(n))
    ada._session.flush()  # noqa: SLF001 - and the file's own upkeep after what was written before
    for n in range(QUESTIONS):
        warm.run(lambda n=n: ada.recall(question(n)))  # type: ignore[misc]
    return warm


def told_one_by_one(folder: Path, size: int) -> float:
    """What a recall takes where each sentence is an entry of its own, as an agent tells them."""
    with opened(folder) as memory:
        ada = memory.agent("ada", user="tuff")
        for n in range(size):
            ada.remember(sentence(n))
        ada.recall("anything")
    with opened(folder) as memory:
        return asked_warm(memory.agent("ada", user="tuff")).cpu_p50_us / 1e3


def cold_parts(folder: Path) -> str:
    """What a first recall cannot do without, each by itself, after opening."""
    head, index, bare = Timing("the log's head"), Timing("the index"), Timing("bare")
    for _ in range(COLD_OPENS):
        with opened(folder) as memory:
            ada = memory.agent("ada", user="tuff")
            session = ada._session  # noqa: SLF001
            head.run(session.snapshot)
            index.run(lambda ada=ada, session=session: session.index().view(ada.seq))  # type: ignore[misc]
        with opened(folder) as memory:
            pieces = memory.agent("ada", user="tuff")._session.index().pieces  # noqa: SLF001
            bare.run(lambda pieces=pieces: opened_numbers(pieces))  # type: ignore[misc]
    told = ", ".join(f"{its.name} {its.cpu_p50_us / 1e3:.0f} ms" for its in (head, index))
    told += f" (reading and opening its numbers {bare.cpu_p50_us / 1e3:.0f} of them)"
    return f"{told}; the very first of a process {first_of_a_process(folder):.0f} ms"


def first_of_a_process(folder: Path) -> float:
    """With all that a process loads once, and with memory that the system has yet to give it."""
    command = (sys.executable, "-c", FIRST, str(folder))
    told = [
        float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)  # noqa: S603
        for _ in range(COLD_OPENS)
    ]
    return sorted(told)[COLD_OPENS // 2]


def opened_numbers(pieces: Pieces) -> int:
    with pieces.since() as found:
        return len(found)


def held(folder: Path) -> int:
    """Bytes of memory that stay taken after the first recall: the index, and whatever else."""
    with opened(folder) as memory:
        ada = memory.agent("ada", user="tuff")
        tracemalloc.start()
        ada.recall(question(0))
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return taken


def fill(folder: Path, size: int) -> None:
    """Remember so many sentences and index them: whoever reads first makes the index."""
    began = time.perf_counter()
    with opened(folder) as memory:
        ada = memory.agent("ada", user="tuff")
        for start in range(0, size, AT_ONCE):
            stop = min(start + AT_ONCE, size)
            ada.remember_many(sentence(n) for n in range(start, stop))
            ada.recall("anything")
            if stop < size or start:
                seconds = time.perf_counter() - began
                print(f"  {stop:,} of {size:,} are indexed, {seconds:.0f} s", file=sys.stderr)


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

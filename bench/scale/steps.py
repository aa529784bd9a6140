"""What is measured of a store at scale, each step in a process of its own.

So importing, or what the step before has left in memory, is in no figure: `run` starts one, and its
answer is the last line that it prints.
"""

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Protocol

import msgspec

from bench.recall_speed import question, sentence
from bench.scale.raw_search import RawSearch
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.operations import bulk_jobs
from muniment.adapters.operations.executors import ProcessPool
from muniment.engine.api.agent import Agent

BATCH = 2_000
SINGLES, QUESTIONS, CONTEXTS, OTHERS = 200, 30, 10, 20
BUDGET_TOKENS = 2_000
WORKERS = 2
PARTS = 10  # of a filling: the first and the last are compared
TELL_SECONDS = 10.0

Figures = dict[str, float]


class Shape(msgspec.Struct, frozen=True):
    """So many people with so many memories each, and where they are kept."""

    address: str
    people: int
    each: int
    keys: str = ""
    raw: bool = False  # the baseline: the address is a file
    name: str = ""

    @property
    def memories(self) -> int:
        return self.people * self.each


class Kept(Protocol):
    """As much of a memory as is measured."""

    def begin(self, person: str) -> object: ...
    def add(self, person: str, texts: list[str]) -> object: ...
    def find(self, person: str, question: str) -> object: ...
    def close(self) -> None: ...


class Muniment:
    def __init__(self, shape: Shape) -> None:
        self._memory = open_memory(shape.address, Settings(keys=shape.keys))

    def of(self, person: str) -> Agent:
        return self._memory.agent("ada", user=person)

    def begin(self, person: str) -> object:
        return self.of(person).seq

    def add(self, person: str, texts: list[str]) -> object:
        if len(texts) == 1:
            return self.of(person).remember(texts[0])
        return self.of(person).remember_many(texts, batch=BATCH)

    def find(self, person: str, question: str) -> object:
        return self.of(person).recall(question)

    def context(self, person: str, question: str) -> object:
        return self.of(person).context(question, budget=BUDGET_TOKENS)

    def heads(self) -> dict[str, int]:
        return {each.text: self._memory.head(each) for each in self._memory.streams()}

    def close(self) -> None:
        self._memory.close()


def opened(shape: Shape) -> Kept:
    return RawSearch(Path(shape.address)) if shape.raw else Muniment(shape)


# ── The steps ───────────────────────────────────────────────────────────────────────────────────


def fill(shape: Shape) -> Figures:
    """Everything in batches, then a few one by one; of people each in one batch."""
    kept, told = opened(shape), _Progress(shape)
    rates, handles = list[float](), 0
    whole = time.process_time()
    began, since = whole, 0
    for done in _batches(kept, shape):
        told.at(done)
        if done - since >= shape.memories // PARTS:
            rates.append((done - since) / (time.process_time() - began))
            began, since, handles = time.process_time(), done, max(handles, _handles())
    whole = time.process_time() - whole
    singles = []
    for n in range(SINGLES):
        text = sentence(shape.memories + n)
        singles.append(_cpu(partial(kept.add, _person(n * 7 % shape.people), [text])))
    figures = {"rate": shape.memories / whole, "first": rates[0], "last": rates[-1]}
    figures |= {"single": statistics.fmean(singles), "single_p50": statistics.median(singles)}
    figures |= {"handles": max(handles, _handles()), "peak_mb": _peak_mb()}
    kept.close()
    return figures


def ask(shape: Shape) -> Figures:
    """Opening, the first question, others, and the first of people who had not asked."""
    loaded = opened(msgspec.structs.replace(shape, address=_beside(shape)))  # what is loaded once
    for person in ("warm", "cold"):
        loaded.add(person, [sentence(n) for n in range(30)])
        loaded.find(person, question(0))
    loaded.close()
    began = time.process_time()
    kept = opened(shape)
    kept.begin(_person(0))
    figures = {"open": (time.process_time() - began) * 1e3}
    figures["reopened"] = _cpu(lambda: kept.find(_person(0), question(0)))
    figures["warm"] = statistics.median(
        _cpu(lambda n=n: kept.find(_person(0), question(n)))  # type: ignore[misc]
        for n in range(1, QUESTIONS)
    )
    if isinstance(kept, Muniment):
        figures["context"] = statistics.median(
            _cpu(lambda n=n: kept.context(_person(0), question(n)))  # type: ignore[misc]
            for n in range(CONTEXTS)
        )
    if shape.people > 1:
        others = range(1, shape.people, max(1, shape.people // OTHERS))
        figures["person"] = statistics.median(
            _cpu(lambda n=n: kept.find(_person(n), question(n)))  # type: ignore[misc]
            for n in others
        )
        if isinstance(kept, Muniment):
            figures["entities"] = statistics.median(
                _cpu(lambda n=n: kept.of(_person(n)).entities())  # type: ignore[misc]
                for n in others
            )
    figures |= {"handles": _handles(), "rss_mb": _rss_mb()}
    kept.close()
    return figures


def prove(shape: Shape) -> Figures:
    """The whole log by two workers, then what a few sentences have added, by one."""
    if shape.raw:
        raw = RawSearch(Path(shape.address))
        began = time.process_time()
        count = raw.verify()
        spent = time.process_time() - began
        raw.close()
        return {"entries": count, "proved": count / spent, "memories": count / spent}
    kept = Muniment(shape)
    before = kept.heads()
    kept.close()
    settings = Settings(keys=shape.keys)
    began = _cpu_of_all()
    wish = bulk_jobs.BulkOptions(workers=WORKERS)
    pool = ProcessPool(WORKERS)
    list(bulk_jobs.work(shape.address, bulk_jobs.PROVE, settings, pool, wish))
    spent = _cpu_of_all() - began
    kept = Muniment(shape)
    for n in range(SINGLES):
        kept.add(_person(n % shape.people), [sentence(shape.memories + SINGLES + n)])
    behind = sum(kept.heads().values()) - sum(before.values())
    kept.close()
    began = _cpu_of_all()
    wish = bulk_jobs.BulkOptions(after=before)
    list(bulk_jobs.work(shape.address, bulk_jobs.PROVE, settings, None, wish))
    again, entries = _cpu_of_all() - began, sum(before.values())
    return {
        "entries": entries,
        "proved": entries / spent,
        "memories": shape.memories / spent,
        "prove_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
        "new_entries": behind,
        "new_seconds": again,
        "new": (entries + behind) / again,
    }


STEPS: dict[str, Callable[[Shape], Figures]] = {"fill": fill, "ask": ask, "prove": prove}


def run(step: str, shape: Shape) -> Figures:
    """A step in a new process; what it tells of its progress is seen at once."""
    words = [sys.executable, "-m", "bench.scale.steps", step, msgspec.json.encode(shape).decode()]
    told = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)  # noqa: S603
    figures: Figures = json.loads(told.stdout.splitlines()[-1])
    return figures


# ── Beneath them ────────────────────────────────────────────────────────────────────────────────


def _batches(kept: Kept, shape: Shape) -> Iterator[int]:
    """Add everything; says after each batch how many memories there are."""
    step = min(BATCH, shape.each)
    for person in range(shape.people):
        for start in range(0, shape.each, step):
            count = min(step, shape.each - start)
            first = person * shape.each + start
            kept.add(_person(person), [sentence(first + n) for n in range(count)])
            yield first + count


class _Progress:
    """How far a filling is, and how long it may take, on stderr."""

    def __init__(self, shape: Shape) -> None:
        self._shape, self._began = shape, time.perf_counter()
        self._next = self._began + TELL_SECONDS

    def at(self, done: int) -> None:
        now = time.perf_counter()
        if now < self._next:
            return
        self._next = now + TELL_SECONDS
        left = (now - self._began) / done * (self._shape.memories - done)
        told = f"  {self._shape.name}: {done:,} of {self._shape.memories:,} memories"
        print(f"{told}, about {left / 60:.0f} min left", file=sys.stderr, flush=True)


def _beside(shape: Shape) -> str:
    """Somewhere else; of a store on a server the driver is loaded too."""
    if shape.keys:
        import_module("muniment.adapters.storage.postgres.store")
    return f"{shape.keys or shape.address}-beside"


def _person(number: int) -> str:
    return f"person{number}"


def _cpu(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return (time.process_time() - began) * 1e3


def _cpu_of_all() -> float:
    """Of this process and of those that it has started and that have ended."""
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _handles() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def _rss_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4 / 1024


def _peak_mb() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    order, told_shape = sys.argv[1:]
    print(json.dumps(STEPS[order](msgspec.json.decode(told_shape, type=Shape))))

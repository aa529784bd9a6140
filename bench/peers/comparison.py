"""Comparison: told in bulk and singly, asked, by several processes at once, and killed."""

import statistics
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from bench.peers.peer_process import PeerFailedError, PeerProcess
from bench.sentences import sentences

BATCH = 500
SINGLES = 40
QUESTIONS = (
    "blue bicycle", "quarterly report", "trip to Porto", "piano lessons", "garden fence",
    "concert tickets after a long discussion", "running shoes", "apartment near the river",
)  # fmt: skip
ROUNDS = 3  # of the questions
PROCESSES, ADDS_EACH = 4, 25
KILLS, ADDS_BEFORE = 3, 20
Pythons = Mapping[str, Path]


class PeerFigures(msgspec.Struct, kw_only=True):
    """What was measured of one peer, seconds of CPU and of wall."""

    opened: float = 0.0
    bulk: list[tuple[float, float]] = []
    first: float = 0.0  # from the first text to the first answer
    adds: list[tuple[float, float]] = []
    recalls: list[tuple[float, float]] = []
    rss_mb: float = 0.0
    bytes_each: float = 0.0
    lost: str = ""
    killed: str = ""
    failed: str = ""


def measured(pythons: Pythons, folder: Path, items: int) -> dict[str, PeerFigures]:
    """Every peer in turn for each batch, add and question, so that all meet the same noise."""
    found = {name: PeerFigures() for name in pythons}
    open_now: dict[str, PeerProcess] = {}
    for name, python in pythons.items():
        _guarded(found[name], lambda name=name, python=python: _opened(
            open_now, found[name], name, python, folder
        ))  # fmt: skip
    steps: list[tuple[str, tuple[object, ...]]] = [
        ("bulk", (_distinct(min(BATCH, items - start), start),)) for start in range(0, items, BATCH)
    ]
    steps += [("recall", (QUESTIONS[0],))]
    steps += [("add", (text,)) for text in _distinct(SINGLES, items)]
    steps += [("recall", (question,)) for _ in range(ROUNDS) for question in QUESTIONS]
    for verb, told in steps:
        for name, process in list(open_now.items()):
            answered = _guarded(found[name], lambda: process.ask(verb, *told))  # noqa: B023
            if answered is None:
                open_now.pop(name).kill()
            else:
                _note(found[name], verb, answered)
    for name, process in open_now.items():
        process.close()
        kept = sum(each.stat().st_size for each in (folder / name).rglob("*") if each.is_file())
        found[name].bytes_each = kept / (items + SINGLES)
    return found


def _distinct(count: int, start: int) -> list[str]:
    """Sentences with a page each: a few are drawn twice, and Chroma takes no text twice."""
    drawn = enumerate(sentences(count, start=start), start)
    return [f"{text}, page {number}" for number, text in drawn]


def _opened(
    open_now: dict[str, PeerProcess], its: PeerFigures, name: str, python: Path, folder: Path
) -> None:
    PeerProcess(name, python, folder / f"{name}-warm").close()  # the first one compiles
    open_now[name] = PeerProcess(name, python, folder / name)
    its.opened = open_now[name].opened["cpu"]


def _note(its: PeerFigures, verb: str, answered: dict[str, Any]) -> None:
    spent = (answered["cpu"], answered["wall"])
    if verb == "bulk":
        its.bulk.append(spent)
    elif verb == "add":
        its.adds.append(spent)
    elif not its.first:
        its.first = sum(cpu for cpu, _ in its.bulk) + spent[0]
    else:
        its.recalls.append(spent)
    its.rss_mb = max(its.rss_mb, answered["rss"])


def _guarded(its: PeerFigures, work: Any) -> Any:  # noqa: ANN401 - whatever it answers
    try:
        return work()
    except (PeerFailedError, BrokenPipeError) as error:
        its.failed = its.failed or str(error)
        return None


def crowded(name: str, python: Path, folder: Path) -> str:
    """Several processes add to one folder at the same time; what is there afterwards."""
    PeerProcess(name, python, folder).close()  # the place is there before they come
    processes = [_begun(name, python, folder) for _ in range(PROCESSES)]
    refused = sum(each is None for each in processes)
    began, failed, wanted = time.perf_counter(), 0, set[str]()
    for n in range(ADDS_EACH):
        texts = [f"process {p} adds its sentence {n}" for p in range(PROCESSES)]
        waiting = [(each, text) for each, text in zip(processes, texts, strict=True) if each]
        for each, text in waiting:
            each.tell("add", text)
        for each, text in waiting:
            try:
                each.heard()
                wanted.add(text)
            except PeerFailedError:
                failed += 1
    spent = time.perf_counter() - began
    for each in filter(None, processes):
        each.kill()
    lost = len(wanted - _texts(name, python, folder))
    note = f"{refused} of {PROCESSES} not let in, " if refused else ""
    return f"{note}{failed} refused, {lost} of {len(wanted)} lost, {len(wanted) / spent:.0f}/s"


def _begun(name: str, python: Path, folder: Path) -> PeerProcess | None:
    try:
        return PeerProcess(name, python, folder)
    except PeerFailedError:
        return None


def killed(name: str, python: Path, folder: Path) -> str:
    """A writer is killed behind its last acknowledged add, again and again."""
    acknowledged: set[str] = set()
    for kill in range(KILLS):
        process = PeerProcess(name, python, folder)
        for n in range(ADDS_BEFORE):
            text = f"before kill {kill} sentence {n} was added"
            process.ask("add", text)
            acknowledged.add(text)
        process.tell("add", f"nobody heard of this one, {kill}")
        process.kill()
    missing = len(acknowledged - _texts(name, python, folder))
    return f"{missing} of {len(acknowledged)} missing"


def _texts(name: str, python: Path, folder: Path) -> set[str]:
    process = PeerProcess(name, python, folder)
    told = process.ask("texts")["answer"]
    process.close()
    return set(told)


def median_ms(spent: list[tuple[float, float]], which: int) -> float:
    return statistics.median(each[which] for each in spent) * 1e3

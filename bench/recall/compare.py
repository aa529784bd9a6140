"""Recall beside plain search: every set, by kind of question, with intervals of the difference."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.figures import goal, table
from bench.recall import cases, made, measure, methods, plain
from bench.recall.cases import Talk
from muniment.adapters.embedders.minilm_embedder import MiniLMEmbedder
from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.model.errors import EmbedderError
from muniment.retrieval.ranking import weights as weights_of
from muniment.retrieval.ranking.weights import LEXICAL, STATIC

PLACES = (1, 5, 10, 20, 100)
AT_TEN = PLACES.index(10)
THIRD = 3  # of LongMemEval, whose questions have a memory each; `--detail` asks all of them
KIND_MIN = 10  # questions of one kind, to be shown apart
DRAWS = 1_000
INTERVAL = (2.5, 97.5)
WORKERS = min(os.cpu_count() or 1, 11)
WORDS, EVERY_WORD = "BM25, stemmed", "BM25, stemmed, with small words"
SUM = "normalised sum (table)"
DEFAULT, MEMORY = "recipe (default)", "the memory itself (default)"
SUM_MINILM, MINILM = "normalised sum (MiniLM)", "recipe (MiniLM)"
# What is never to be below what, at any place.
BY_KIND = (WORDS, SUM, DEFAULT, MEMORY, SUM_MINILM, MINILM)
AT_LEAST = (
    (DEFAULT, WORDS),
    (MEMORY, WORDS),
    (MEMORY, EVERY_WORD),
    (MINILM, SUM_MINILM),
)

Shares = NDArray[np.float64]  # a row for each question, a column for each place


@dataclass(frozen=True)
class Measured:
    """One set: its kinds of questions in their order, and what each method found of each."""

    name: str
    turns: int
    kinds: tuple[str, ...]
    found: dict[str, Shares]
    seconds: float


def sets(folder: Path) -> dict[str, Callable[[], list[Talk]]]:
    """The sets that are there, each read when it is wanted; the made-up one is always there."""
    found: dict[str, Callable[[], list[Talk]]] = {"made": made.talks}
    if (folder / cases.LOCOMO).is_file():
        found["locomo"] = lambda: cases.locomo(folder / cases.LOCOMO)
    if (folder / cases.LONGMEMEVAL).is_file():
        found["longmemeval"] = lambda: list(cases.longmemeval(folder / cases.LONGMEMEVAL))[::THIRD]
    for path in sorted((folder / cases.DIALOGUES).glob("*.json.gz")):
        found[path.name.split(".")[0]] = lambda path=path: cases.dialogues(path)  # type: ignore[misc]
    return found


def run(folder: Path, *, minilm: bool, only: Sequence[str] | None = None) -> None:
    names = [name for name in sets(folder) if not only or name in only]
    print(f"{len(names)} sets: {', '.join(names)}; share of evidence in the first places, percent.")
    with ProcessPoolExecutor(WORKERS) as workers:
        jobs = [workers.submit(measured, folder, name, minilm=minilm) for name in heaviest(names)]
        for done in as_completed(jobs):
            show(done.result())


def heaviest(names: Iterable[str]) -> list[str]:
    """The long ones first, so that both cores are done at about the same time."""
    first = ("longmemeval", "prefeval", "qmsum", "friendsqa", "locomo")
    return sorted(names, key=lambda name: first.index(name) if name in first else len(first))


def measured(folder: Path, name: str, *, minilm: bool) -> Measured:
    began = time.perf_counter()
    talks = sets(folder)[name]()
    compared = competitors(minilm=minilm)
    rows: dict[str, list[list[float]]] = {each: [] for each in compared}
    kinds: list[str] = []
    for talk in talks:
        asked = [each for each in talk.questions if each.kind != measure.LEFT_OUT and each.evidence]
        kinds += [each.kind for each in asked]
        for method, make in compared.items():
            answer = make(talk)
            rows[method] += [shares(talk, each.evidence, answer(each)) for each in asked]
    print(f"  {name} is measured, {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    return Measured(
        name=name,
        turns=sum(len(talk.turns) for talk in talks),
        kinds=tuple(kinds),
        found={method: 100 * np.array(each) for method, each in rows.items()},
        seconds=time.perf_counter() - began,
    )


def competitors(*, minilm: bool) -> dict[str, methods.Method]:
    static = methods.Library(TableEmbedder())
    compared: dict[str, methods.Method] = {
        WORDS: plain.by_words(small_words=False),
        EVERY_WORD: plain.by_words(small_words=True),
        "vectors alone (table)": plain.by_vectors(static),
        SUM: plain.by_sum(static),
        "recipe, words only": methods.by_recipe(LEXICAL, static),
        DEFAULT: methods.by_recipe(STATIC, static),
        MEMORY: methods.by_memory,
    }
    if minilm:
        try:
            model = methods.Library(MiniLMEmbedder())
        except EmbedderError as error:
            sys.exit(error.detail)
        compared["vectors alone (MiniLM)"] = plain.by_vectors(model)
        compared[SUM_MINILM] = plain.by_sum(model)
        compared[MINILM] = methods.by_recipe(weights_of.MINILM, model)
    return compared


def shares(talk: Talk, evidence: frozenset[str], order: measure.Order) -> list[float]:
    names = [talk.turns[number].id for number in order[: max(PLACES)]]
    return [len(evidence & set(names[:place])) / len(evidence) for place in PLACES]


def show(one: Measured) -> None:
    heads = ["", *(f"R@{place}" for place in PLACES)]
    table(
        f"{one.name}: {len(one.kinds)} questions, {one.turns:,} turns, {one.seconds:.0f} s",
        heads,
        [[name, *measure.cells(found.mean(axis=0))] for name, found in one.found.items()],
    )
    for better, other in AT_LEAST:
        if better in one.found and other in one.found:
            _show_difference(better, other, one.found[better] - one.found[other])
    _show_kinds(one)


def _show_difference(better: str, other: str, difference: Shares) -> None:
    """What is gained at each place, with its interval of 95 in a hundred draws of the questions."""
    means, (low, high) = difference.mean(axis=0), interval(difference)
    gains = ", ".join(
        f"@{place} {mean:+.1f} [{least:+.1f} {most:+.1f}]"
        for place, mean, least, most in zip(PLACES, means, low, high, strict=True)
    )
    goal(f"{better} less {other}: {gains}", met=bool((means >= 0).all()))


def interval(rows: Shares) -> tuple[Shares, Shares]:
    """Bootstrap: the mean over questions drawn again and again, the same draws on every run."""
    drawn = np.random.default_rng(33).integers(0, len(rows), (DRAWS, len(rows)))
    low, high = np.percentile(rows[drawn].mean(axis=1), INTERVAL, axis=0)
    return low, high


def _show_kinds(one: Measured) -> None:
    kinds = [kind for kind in sorted(set(one.kinds)) if one.kinds.count(kind) >= KIND_MIN]
    if len(kinds) < 2:
        return
    which = np.array(one.kinds)
    shown = [
        name for name in (WORDS, SUM, DEFAULT, MEMORY, SUM_MINILM, MINILM) if name in one.found
    ]
    table(
        f"{one.name} by kind of question: R@1/5/10/20/100",
        ["", "questions", *shown],
        [
            [
                kind,
                str(one.kinds.count(kind)),
                *(
                    "/".join(
                        f"{share:.0f}" for share in one.found[name][which == kind].mean(axis=0)
                    )
                    for name in shown
                ),
            ]
            for kind in kinds
        ],
    )


def _short(found: Shares) -> str:
    return "/".join(f"{share:.0f}" for share in found.mean(axis=0))

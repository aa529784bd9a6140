"""Ablation: what each feature and each hand-written rule of the ranking is worth, set by set."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import numpy as np

from bench.figures import table
from bench.lives import report
from bench.lives.living import live
from bench.lives.plot import Plan
from bench.recall import compare, measure, methods
from bench.recall.cases import Question, Talk
from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.retrieval.ranking import features, query, ranker
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.ranking.ranker import Ranking
from muniment.retrieval.ranking.recency_rerank import SecondLook
from muniment.retrieval.ranking.weights import STATIC, Weights

QUESTIONS = 250  # of a set; of a larger one every so many
WHOLE = "the recipe"
# It helps where its loss is beyond chance, or at least this much on average.
HELPS = 0.1
SETS_MIN = 2
PLANS = tuple(
    Plan(seed=seed, days=30, turns=240, questions=120, people=1, held_out=1) for seed in (91, 92)
)
LIVED = ("first", "top5", "in300", "in800", "stale")


@dataclass(frozen=True)
class Ablated:
    """The recipe without one thing: other weights, a question read otherwise, or a part put out."""

    weights: Weights = STATIC
    read: Callable[[Query], Query] = lambda asked: asked
    out: tuple[tuple[object, str, object], ...] = ()  # of what, which attribute, what instead


def _without(**fields: object) -> Ablated:
    return Ablated(read=lambda asked: msgspec.structs.replace(asked, **fields))


def _nothing_lifted(look: SecondLook, scores: object) -> tuple[object, object]:
    del look, scores
    return np.zeros(0, np.int64), np.zeros(0, np.int64)


def rules() -> dict[str, Ablated]:
    """Each feature by its weight, then the rules that are no feature."""
    weighed = msgspec.structs.asdict(STATIC)
    found = {WHOLE: Ablated()}
    for name, weight in weighed.items():
        if weight:
            found[name] = Ablated(msgspec.structs.replace(STATIC, **{name: 0}))
    return found | {
        "words of states": _without(told_by=(), states=()),
        "codes": _without(codes=()),
        "of oneself": _without(of_self=False),
        "asks for a time": _without(wants_time=False),
        "asks for an amount": _without(wants_amount=False),
        "gathers": _without(gathers=False),
        "of what is over": _without(of_then=False),
        "as its speaker would say it": Ablated(
            read=lambda asked: msgspec.structs.replace(asked, meant=asked.text)
        ),
        "little is said of it": Ablated(out=((features, "_in_full", lambda best, most: best),)),
        "echoes of the question": Ablated(
            out=((SecondLook, "echoes", lambda look: np.zeros(0, np.int64)),)
        ),
        "told anew": Ablated(out=((SecondLook, "lifts", _nothing_lifted),)),
        "the state told last": Ablated(out=((Ranking, "_settle", lambda ranking: None),)),
        "revisions": Ablated(out=((ranker, "find_revisions", lambda *given: ()),)),
    }


@contextmanager
def put_out(ablated: Ablated) -> Iterator[None]:
    before = [(of, name, vars(of)[name]) for of, name, _ in ablated.out]
    for of, name, instead in ablated.out:
        setattr(of, name, instead)
    try:
        yield
    finally:
        for of, name, was in before:
            setattr(of, name, was)


class Shelf(methods.Library):
    """Talks as collections; a question is analysed once, and ranked by each recipe."""

    def asked(self, talk: Talk, question: Question) -> Query:
        speakers = self.collected(talk).speakers
        return query.analyse(question.text, speakers=speakers, as_of=question.as_of, kin=self._kin)

    def order(self, talk: Talk, asked: Query, ablated: Ablated) -> measure.Order:
        read = ablated.read(asked)
        read = read.with_vector(self.embedded(read.meant))
        with put_out(ablated):
            return ranker.rank(self.collected(talk), read, ablated.weights).order


def lives() -> None:
    """What is asked of a life in which things change: what rules about changes are worth."""
    shown, asked = [], 0.0
    for rule, ablated in rules().items():
        if rule != WHOLE and ablated.weights != STATIC:
            continue  # a memory has its own weights
        read = ((query, "analyse", _reading(ablated.read)),)
        with put_out(replace(ablated, out=(*ablated.out, *read))):
            told = report.summary(live(plan, "remember", None, prompted=False) for plan in PLANS)
        asked = told["asked"]
        shown.append([rule, *(f"{100 * told[each]:.1f}" for each in LIVED)])
    title = f"lives: {len(PLANS)} of {PLANS[0].turns} turns, {asked:.0f} questions"
    table(title, ["without", *LIVED], shown)


def _reading(read: Callable[[Query], Query]) -> Callable[..., Query]:
    analyse = query.analyse
    return lambda *given, **more: read(analyse(*given, **more))


def run(folder: Path, only: Sequence[str] | None = None) -> None:
    """A table for each set as it is done, then which rules help on how many sets, and in lives."""
    names = [name for name in compare.sets(folder) if not only or name in only]
    print(f"{len(names)} sets; R@10 of the recipe, and what it loses without each rule, percent.")
    lost: dict[str, dict[str, compare.Shares]] = {}
    with ProcessPoolExecutor(compare.WORKERS) as workers:
        heavy = compare.heaviest(names)
        jobs = {workers.submit(measured, folder, name): name for name in heavy}
        for done in as_completed(jobs):
            lost[jobs[done]] = show(jobs[done], done.result())
    conclude(lost)
    lives()


def measured(folder: Path, name: str) -> dict[str, compare.Shares]:
    """Of each rule the shares found without it, a row for each question."""
    os.nice(5)
    began, compared, shelf = time.perf_counter(), rules(), Shelf(TableEmbedder())
    found: dict[str, list[list[float]]] = {each: [] for each in compared}
    talks = compare.sets(folder)[name]()
    asked = [
        (talk, each)
        for talk in talks
        for each in talk.questions
        if each.kind != measure.LEFT_OUT and each.evidence
    ]
    for talk, question in asked[:: -(-len(asked) // QUESTIONS)]:
        read = shelf.asked(talk, question)
        for rule, ablated in compared.items():
            order = shelf.order(talk, read, ablated)
            found[rule].append(compare.shares(talk, question.evidence, order))
    print(f"  {name} is measured, {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    return {rule: 100 * np.array(rows) for rule, rows in found.items()}


def show(name: str, found: dict[str, compare.Shares]) -> dict[str, compare.Shares]:
    """What is lost without each rule, with its interval; and the rows for the conclusion."""
    whole, at = found[WHOLE], compare.AT_TEN
    lost = {rule: (whole - rows) for rule, rows in found.items() if rule != WHOLE}
    rows = []
    for rule, difference in lost.items():
        low, high = compare.interval(difference)
        if difference.any():
            mean = difference.mean(axis=0)
            rows.append(
                [rule, f"{mean[0]:+.1f}", f"{mean[at]:+.1f}", f"{low[at]:+.1f} {high[at]:+.1f}"]
            )
    shown = measure.cells(whole.mean(axis=0))
    table(
        f"{name}: {len(whole)} questions, R@1/5/10/20/100 {' / '.join(shown)}",
        ["without", "R@1 lost", "R@10 lost", "95 of 100"],
        rows,
    )
    return lost


def conclude(lost: dict[str, dict[str, compare.Shares]]) -> None:
    """On how many sets a rule helps and harms, at one or at ten places."""
    rows = []
    for rule in next(iter(lost.values())):
        helps, harms = [], []
        for name, by_rule in lost.items():
            means = by_rule[rule].mean(axis=0)[[0, compare.AT_TEN]]
            if means.max() >= HELPS:
                helps.append(name)
            elif means.min() <= -HELPS:
                harms.append(name)
        verdict = "" if len(helps) >= SETS_MIN else f"helps on fewer than {SETS_MIN} sets"
        rows.append([rule, str(len(helps)), str(len(harms)), verdict])
    table("each rule over all sets", ["rule", "helps on", "harms on", ""], rows)

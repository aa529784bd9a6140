"""What the learned order learns from: `order_examples.py target.npz --worlds en-a --lives 0`.

Lives every named world, and draws lives from the generator, and keeps of each question what the
trees would see of the best texts, with whether each of them names the answer. Needs half an hour.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from bench.lives import plot, worlds
from bench.lives.living import Life, has_value
from bench.lives.phrasebook import LANGUAGES
from bench.lives.plot import Plan, Question
from muniment import Agent
from muniment.engine.search import candidate_selection
from muniment.retrieval.ranking import learned_order

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Example:
    """The best texts for one question, as the trees see them."""

    source: str  # a world's writer or a set of phrases, with the door it was told at
    question: str
    features: Mapping[str, Numbers]
    right: NDArray[np.bool_]  # which of them name the answer
    old: NDArray[np.bool_]  # and which only what was the answer once


@contextmanager
def watching() -> Iterator[list[tuple[Mapping[str, Numbers], list[str]]]]:
    """What is measured by searches of a memory, with the texts; they stay as they were ordered."""
    seen: list[tuple[Mapping[str, Numbers], list[str]]] = []
    ranked, looked = candidate_selection.rank, list[Any]()

    def in_order(collection: Any, asked: Any, best: learned_order.Best) -> Numbers:
        looked.append((learned_order.measured(collection, asked, best), best.numbers))
        return np.arange(len(best.numbers))

    def rank(*given: Any, **named: Any) -> Any:
        looked.clear()
        found = ranked(*given, **named)
        seen.extend((each, list(named["reading"].texts(numbers))) for each, numbers in looked)
        return found

    with (
        mock.patch.object(learned_order, "in_order", in_order),
        mock.patch.object(candidate_selection, "rank", rank),
    ):
        yield seen


def of_question(
    source: str, who: Agent, text: str, values: Sequence[str], old: Sequence[str]
) -> Iterator[Example]:
    with watching() as seen:
        who.recall(text)
    for features, texts in seen[:1]:
        right = np.array([has_value(each, tuple(values)) for each in texts])
        stale = np.array([has_value(each, tuple(old)) for each in texts]) & ~right
        yield Example(source, text, features, right, stale)


def of_world(path: Path, door: str) -> list[Example]:
    source = f"{path.name[:4]}:{door}"
    return [
        example
        for asked, who in worlds.questions(path, door)
        for example in of_question(source, who, asked.text, asked.values, asked.old)
    ]


class _Watched(Life):
    def answer(self, asked: Question) -> None:
        source = f"lives-{self.lived.plan.held_out}-{asked.person.book.language[:2]}:mixed"
        answers = (asked.answer,) if asked.answer else ()
        self.examples += of_question(
            source, self.onlooker(asked), asked.text, answers, asked.stale
        )


def of_life(plan: Plan) -> list[Example]:
    life = _Watched(plan, "mixed", None, prompted=False)
    life.examples = []
    with life.memory:
        for step in plot.steps(plan):
            life.take(step)
    return life.examples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("--worlds", nargs="*", default=[], help="beginnings of file names")
    parser.add_argument("--folder", type=Path, default=worlds.FOLDER)
    parser.add_argument("--doors", nargs="+", default=["remember"])
    parser.add_argument("--lives", type=int, nargs="*", default=[], help="sets of phrases")
    parser.add_argument("--languages", nargs="+", default=list(LANGUAGES))
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    given = parser.parse_args()
    paths = [
        path
        for path in sorted(given.folder.glob("*.txt"))
        if given.worlds and path.name.startswith(tuple(given.worlds))
    ]
    plans = [
        Plan(seed=seed, turns=600, days=40, questions=120, languages=(language,), held_out=which)
        for which in given.lives
        for language in given.languages
        for seed in given.seeds
    ]
    with ProcessPoolExecutor(2) as pool:
        waiting = [pool.submit(of_world, path, door) for path in paths for door in given.doors]
        waiting += [pool.submit(of_life, plan) for plan in plans]
        examples = [example for each in waiting for example in each.result()]
    keep(given.target, [each for each in examples if each.right.any() and not each.right.all()])


def keep(target: Path, examples: Sequence[Example]) -> None:
    names = list(examples[0].features)
    rows = [np.stack([each.features[name] for name in names], axis=1) for each in examples]
    np.savez_compressed(
        target,
        names=np.array(names),
        features=np.concatenate(rows),
        right=np.concatenate([each.right for each in examples]),
        old=np.concatenate([each.old for each in examples]),
        sizes=np.array([len(each.right) for each in examples]),
        sources=np.array([each.source for each in examples]),
    )
    print(f"{len(examples):,} questions, {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

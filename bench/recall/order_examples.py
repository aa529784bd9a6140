"""What the learned order learns from: `order_examples.py target.npz --worlds en-a --lives 0`.

Lives every named world, and draws lives from the generator, and keeps of each question what the
trees would see of the best texts, with whether each of them names the answer, and states it. Two
cores need half an hour.
"""

import argparse
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
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
from bench.recall import look_alikes, revisions, training_pairs
from muniment.engine.api.operations import Onlooker
from muniment.engine.search import candidate_selection
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.ranking import learned_order, ranker
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.ranking.ranker import Ranking
from muniment.retrieval.ranking.revision import Reading
from muniment.retrieval.ranking.weights import Weights

Numbers = NDArray[np.int64]
FEW, FEW_TIMES, OTHERS_MAX = "few", 4, 10  # memories of little more than what a question needs
STATES, NAMES = 2, 1  # what a text does with an answer
# What is said later of the value of an answer, and tells nothing of whom the question is about.
ASIDES = {
    "en": (
        "{} was in the news again.",
        "Somebody mentioned {} over lunch.",
        "There was a long article about {} in the paper.",
        "{} again, what a day that was.",
        "My neighbour asked me what I think of {}.",
    ),
    "de": (
        "{} stand heute in der Zeitung.",
        "Beim Mittagessen ging es um {}.",
        "Mein Nachbar fragte, was ich von {} halte.",
    ),
    "es": ("{} ha salido en las noticias.", "En la comida alguien habló de {}."),
    "fr": ("On a parlé de {} aux informations.", "Mon voisin m'a demandé ce que je pense de {}."),
    "it": ("Al telegiornale hanno parlato di {}.", "A pranzo qualcuno ha nominato {}."),
    "pt": ("Falaram de {} no noticiário.", "Ao almoço alguém mencionou {}."),
    "nl": ("{} was vandaag in het nieuws.", "Bij de lunch ging het over {}."),
}


@dataclass(frozen=True)
class Example:
    """The best texts for one question, as the trees see them."""

    source: str  # a world's writer or a set of phrases, with the door it was told at
    question: str
    features: Mapping[str, Numbers]
    right: NDArray[np.int8]  # which of them name the answer, or state it
    old: NDArray[np.bool_]  # and which only what was the answer once


@contextmanager
def watching() -> Iterator[list[tuple[Mapping[str, Numbers], list[str]]]]:
    """What is measured by searches of a memory, with the texts; they stay as they were ordered."""
    seen: list[tuple[Mapping[str, Numbers], list[str]]] = []
    looked: list[tuple[Mapping[str, Numbers], Numbers]] = []

    def in_order(collection: Collection, asked: Query, best: learned_order.Best) -> Numbers:
        looked.append((learned_order.measured(collection, asked, best), best.numbers))
        return np.arange(len(best.numbers))

    def rank(
        collection: Collection,
        asked: Query,
        weights: Weights,
        *,
        reading: Reading,
        **named: Any,  # noqa: ANN401  # what else a search says
    ) -> Ranking:
        looked.clear()
        found = ranker.rank(collection, asked, weights, reading=reading, **named)
        seen.extend(
            (each, [text or "" for text in reading.texts(numbers)]) for each, numbers in looked
        )
        return found

    with (
        mock.patch.object(learned_order, "in_order", in_order),
        mock.patch.object(candidate_selection, "rank", rank),
    ):
        yield seen


def of_question(
    source: str, who: Onlooker, text: str, values: Sequence[str], old: Sequence[str]
) -> Iterator[Example]:
    with watching() as seen:
        who.recall(text)
    for features, texts in seen[:1]:
        right = np.array([has_value(each, tuple(values)) for each in texts])
        stale = np.array([has_value(each, tuple(old)) for each in texts]) & ~right
        yield Example(
            source, text, features, graded(texts, right, stale, features["recency"]), stale
        )


def graded(
    texts: Sequence[str], right: NDArray[np.bool_], old: NDArray[np.bool_], told: Numbers
) -> NDArray[np.int8]:
    """Who names an answer first, once it is so, states it; who names it later may only name it.

    What was said in a conversation stands in two places.
    """
    since = right & (told > told[old].max(initial=-1))
    stating = since if since.any() else right
    if stating.any():
        first = texts[int(np.where(stating, told, told.max() + 1).argmin())]
        stating = right & np.array([text == first for text in texts])
    return np.where(stating, STATES, np.where(right, NAMES, 0)).astype(np.int8)


def of_steps(
    name: str, steps: Iterable[worlds.Said | worlds.Asked], door: str, source: str, talk: int
) -> list[Example]:
    return [
        example
        for asked, who in worlds.questions(name, steps, door, small_talk=talk)
        for example in of_question(source, who, asked.text, asked.values, asked.old)
    ]


def of_world(path: Path, door: str) -> list[Example]:
    steps, source = worlds.read(path), f"{path.name[:4]}:{door}"
    if door != FEW:
        return of_steps(path.name, steps, door, source, worlds.SMALL_TALK)
    chance = random.Random(path.name)
    return [
        example
        for place, step in enumerate(steps)
        if isinstance(step, worlds.Asked)
        for time in range(FEW_TIMES)
        for few_steps in [few(steps, place, chance)]
        for told in [[*few_steps[:-1], *aside(step, path.name, chance, time), step]]
        for example in of_steps(path.name, told, "remember", source, 0)
    ]


def aside(asked: worlds.Asked, name: str, chance: random.Random, time: int) -> list[worlds.Said]:
    """Every second time, what names the answer later, or what was the answer once."""
    known = ASIDES.get(name.partition("-")[0])
    if known is None or time % 2:
        return []
    value = chance.choice((*asked.values, *asked.old))
    return [worlds.Said(asked.day, chance.choice(known).format(value))]


def of_card(pair: training_pairs.Pair, others: Sequence[str], seed: int) -> list[Example]:
    """What answers a question, told between other things of other lives."""
    chance = random.Random(seed)
    told = [pair.answer, *pair.others, *chance.sample(others, chance.randint(1, OTHERS_MAX))]
    chance.shuffle(told)
    steps = [worlds.Said(day, text) for day, text in enumerate(told, 1)]
    asked = worlds.Asked(len(told) + 1, pair.asked, (pair.answer,))
    return of_steps(f"en-{seed}", [*steps, asked], "remember", "cards:remember", 0)


def of_revision(path: Path, place: int, door: str) -> list[Example]:
    """A card among the others of its file."""
    known = revisions.cards(path)
    others = [each for each in known if each is not known[place]]
    source = f"revised-{path.stem}:{door}"
    return [
        example
        for number, steps in enumerate(revisions.memories(known[place], others, place))
        for example in of_steps(f"{path.stem}-{place}-{number}", steps, door, source, number % 2)
    ]


def _waiting_for_revisions(
    pool: ProcessPoolExecutor, doors: Sequence[str]
) -> list[Future[list[Example]]]:
    return [
        pool.submit(of_revision, path, place, door)
        for path in sorted(revisions.FOLDER.glob("*.txt"))
        if not path.stem.endswith(revisions.HELD_OUT)
        for place in range(len(revisions.cards(path)))
        for door in doors
    ]


def _waiting_for_cards(pool: ProcessPoolExecutor) -> list[Future[list[Example]]]:
    pairs = list(training_pairs.of_cards(for_trees=True))
    texts = list(dict.fromkeys(text for each in pairs for text in (each.answer, *each.others)))
    return [
        pool.submit(of_card, pair, [each for each in texts if each != pair.answer], seed)
        for seed, pair in enumerate(pairs)
    ]


def few(
    steps: Sequence[worlds.Said | worlds.Asked], place: int, chance: random.Random
) -> list[worlds.Said | worlds.Asked]:
    """What a question needs of all that was told before it, and a little else."""
    asked = steps[place]
    assert isinstance(asked, worlds.Asked)
    told = [each for each in steps[:place] if isinstance(each, worlds.Said)]
    wanted = [has_value(each.text, (*asked.values, *asked.old)) for each in told]
    share = chance.randint(1, OTHERS_MAX) / max(len(told), 1)
    kept = [
        each for each, keep in zip(told, wanted, strict=True) if keep or chance.random() < share
    ]
    return [*kept, asked]


def of_look_alikes(language: str, seed: int) -> list[Example]:
    steps = look_alikes.steps(seed, language)
    talk = seed % (worlds.SMALL_TALK + 1)
    return of_steps(f"{language}-{seed}", steps, "remember", f"alike-{language}:remember", talk)


class _Watched(Life):
    def __init__(self, plan: Plan) -> None:
        super().__init__(plan, "mixed", None, prompted=False)
        self.examples: list[Example] = []

    def answer(self, asked: Question) -> None:
        source = f"lives-{self.lived.plan.held_out}-{asked.person.book.language[:2]}:mixed"
        answers = (asked.answer,) if asked.answer else ()
        self.examples += of_question(source, self.onlooker(asked), asked.text, answers, asked.stale)


def of_life(plan: Plan) -> list[Example]:
    life = _Watched(plan)
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
    parser.add_argument("--look-alikes", type=int, default=0, help="so many memories a language")
    parser.add_argument("--cards", action="store_true", help="those that taught no vectors")
    parser.add_argument("--revisions", action="store_true", help="what replaces another, in short")
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
    with ProcessPoolExecutor() as pool:
        waiting = [pool.submit(of_world, path, door) for path in paths for door in given.doors]
        waiting += [pool.submit(of_life, plan) for plan in plans]
        waiting += [
            pool.submit(of_look_alikes, language, seed)
            for language in look_alikes.FORMS
            for seed in range(given.look_alikes * (3 if language == "en" else 1))
        ]
        waiting += _waiting_for_cards(pool) if given.cards else []
        waiting += _waiting_for_revisions(pool, given.doors) if given.revisions else []
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

"""Candidate selection: what a recall may read, what is ranked, what each stage leaves out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from heapq import merge
from itertools import islice
from typing import Final

import msgspec

from muniment.engine.projections.index_view import IndexView
from muniment.engine.search.diversification import Choice, Drop, Pick, RecallCandidate
from muniment.engine.search.recall_filter import (
    NOT_A_CANDIDATE,
    NOT_WANTED,
    RANK,
    SOURCE_CAP,
    RecallFilter,
    barred,
)
from muniment.layers.governance import governed_facts
from muniment.model.kinds.episode import Fact
from muniment.model.kinds.loop import EventKind
from muniment.model.policy import Trust
from muniment.retrieval import arrays as np
from muniment.retrieval.entities import question_hops
from muniment.retrieval.entities.name_hops import led_by_names
from muniment.retrieval.index import document_features
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.document_status import Mask, Stands
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.ranking.ranker import Ranking, rank
from muniment.retrieval.ranking.revision import Reading
from muniment.retrieval.ranking.sort_order import Numbers, Order
from muniment.retrieval.ranking.weights import Recipe

FORMULA_TIMES: Final = 3  # from which on what the agent says word for word again is a formula
APPROVED: Final = "approved"  # on whose word a governed fact stands

AT_A_TIME: Final = 8  # candidates that are looked up together, or as many as are wanted
REQUESTS: Final = (EventKind.USER_INPUT, EventKind.TOOL_CALL)  # of a loop: what asks for a result
FLOOD_MAX: Final = 16_384  # candidates that are gone through where somebody repeats themselves

Read = Callable[
    [Sequence[RecallCandidate]], list[str | None]
]  # their words; None: erased meanwhile


class RankedCollection(msgspec.Struct, frozen=True):
    """One collection in the order in which it answers a question."""

    ranking: Ranking
    order: Order  # of those that answer at all
    best: Callable[[], Iterator[RecallCandidate]]  # the same one by one; most are never looked at
    counts: dict[str, int]  # of the others, by the stage that left them out
    considered: int
    likeness_ppm: int  # what resembles the question less, and shares no word with it, is no answer


class Selection(msgspec.Struct, frozen=True, dict=True):
    """What a recall found, and what became of everything else."""

    picks: tuple[Pick, ...]
    drops: tuple[Drop, ...]  # of those that were looked at one by one
    counts: dict[str, int]  # of all, by stage

    @cached_property
    def folded(self) -> Counter[str]:
        """By the id of the first of a source or form, how many of its like were left out at least.

        In a flood results are passed over unread, and nobody knows of what form they are.
        """
        return Counter(each.other for each in self.drops if each.stage == SOURCE_CAP)


def search(
    view: IndexView, asked: Query, how: Recipe, wanted: RecallFilter, trust: Trust
) -> RankedCollection:
    """What may be recalled and has to do with the question, best first."""
    register = view.register
    counts: dict[str, int] = {}
    among: Mask | None = None  # everything, which is cheaper to say than to spell out
    # What somebody else offers is not offered here, and heard beside its neighbours all the same.
    heard: Mask | None = None
    left = register.count
    for stage, mask in barred(view, wanted, trust):
        among = ~mask if among is None else among & ~mask
        if stage != NOT_WANTED:
            heard = ~mask if heard is None else heard & ~mask
        counts[stage] = left - int(np.count_nonzero(among))
        left -= counts[stage]
    ranking = rank(
        view.collection,
        asked,
        how.weights_for(asked, view.collection),
        among=among,
        heard=heard,
        tells_of=register.column("of"),
        reading=_reading(view),
        formulas=lambda numbers: register.formulas(numbers, FORMULA_TIMES, heard),
    )
    order = ranking.related(how.likeness_ppm, disclosed=wanted.disclosed)
    counts[NOT_A_CANDIDATE] = left - len(order)

    def best() -> Iterator[RecallCandidate]:
        return _one_by_one(view, ranking, order, max(wanted.results_max, AT_A_TIME))

    return RankedCollection(ranking, order, best, counts, register.count, how.likeness_ppm)


def _one_by_one(
    view: IndexView, ranking: Ranking, order: Order, at_a_time: int
) -> Iterator[RecallCandidate]:
    collection, register = view.collection, view.register
    for some, scores in _portions(order, at_a_time):
        for number, score, moment, name, stands, said, speaker in zip(
            some.tolist(),
            scores.tolist(),
            collection.moments[some].tolist(),
            collection.ids_of(some),
            register.stands(some),
            register.column("said")[some].tolist(),
            collection.speakers_of(some),
            strict=True,
        ):
            yield RecallCandidate(score, moment, name, number, ranking, stands, said, speaker)


def _reading(view: IndexView) -> Reading | None:
    """What documents say, by their numbers in the collection."""
    if (read := view.texts) is None:
        return None
    return Reading(
        lambda numbers: read(view.register.stands(numbers)),
        view.embeds,
        lambda numbers: _results(view, numbers),
        partial(led_by_names, view.collection),
        partial(question_hops.relations_over, view.register, view.collection),
    )


def _results(view: IndexView, best: Numbers) -> list[tuple[int, int]]:
    """What tools gave back in a loop, behind its task or their call; who states does not ask."""
    register, collection = view.register, view.collection
    states = collection.column("flags")[best] & document_features.DISCLOSES > 0
    requests = best[register.of_kind(REQUESTS, best) & ~states]
    if not len(requests):
        return []
    results = np.flatnonzero(register.of_kind((EventKind.TOOL_RESULT,)))
    loops, seqs = collection.column("sessions"), register.column("seq")
    return [
        (result, request)
        for request in requests.tolist()
        for result in results[loops[results] == loops[request]].tolist()
        if seqs[result] > seqs[request]
    ]


def _portions(order: Order, size: int) -> Iterator[tuple[Numbers, Numbers]]:
    """As many as are looked up together."""
    for numbers, scores in order.pages():
        for start in range(0, len(numbers), size):
            part = slice(start, start + size)
            yield numbers[part], scores[part]


def of_facts(
    collection: Collection, facts: Sequence[Fact], asked: Query, how: Recipe
) -> RankedCollection:
    """Governed facts, ranked among themselves: they are few, and each was approved."""
    ranking = rank(collection, asked, how.weights_for(asked, collection))
    order = ranking.related(how.likeness_ppm)

    def best() -> Iterator[RecallCandidate]:
        for number, score in zip(order.numbers, order.scores, strict=True):
            yield RecallCandidate(
                score_ppm=int(score),
                moment=int(collection.moments[number]),
                id=facts[number].key,
                number=int(number),
                ranking=ranking,
                stands=Stands(facts[number].seq, 0, 0, governed_facts.SHELF, APPROVED),
                fact=facts[number],
            )

    counts = {NOT_A_CANDIDATE: len(facts) - len(order)}
    return RankedCollection(ranking, order, best, counts, len(facts), how.likeness_ppm)


def choose(
    ranked: Sequence[RankedCollection], asked: Query, wanted: RecallFilter, trust: Trust, read: Read
) -> Selection:
    """The best of all collections together that say something of their own."""
    choice = Choice(asked, wanted, trust.results_per_source)
    walked = enumerate(islice(_merged(ranked), FLOOD_MAX), start=1)
    for place, candidate, text in _read(choice.unheard(walked), choice.lacking, read):
        if text is not None:  # erased while we looked
            choice.hear(place, candidate, text)
    picks, drops = choice.picks, choice.drops
    return Selection(tuple(picks), tuple(drops), _counts(ranked, picks, drops))


def place(ranked: Sequence[RankedCollection], item_id: str) -> int:
    """The place of an item in the order of all collections together, counted from 1."""
    order = enumerate(_merged(ranked), start=1)
    return next((place for place, candidate in order if candidate.id == item_id), 0)


def _merged(ranked: Sequence[RankedCollection]) -> Iterator[RecallCandidate]:
    """All of them in one order; most readers have no governed facts."""
    if len(ranked) == 1:
        return ranked[0].best()
    best = (one.best() for one in ranked)
    return merge(*best, key=lambda each: (-each.score_ppm, -each.moment, each.id))


def _read(
    walked: Iterator[tuple[int, RecallCandidate]], lacking: Callable[[], int], read: Read
) -> Iterator[tuple[int, RecallCandidate, str | None]]:
    """As many at a time as are still lacking: no more than will be looked at in any case."""
    while part := list(islice(walked, lacking())):
        texts = read([candidate for _, candidate in part])
        for (place, candidate), text in zip(part, texts, strict=True):
            yield place, candidate, text


def _counts(
    ranked: Sequence[RankedCollection], picks: Sequence[Pick], drops: Sequence[Drop]
) -> dict[str, int]:
    left_out = [pair for one in ranked for pair in one.counts.items()]
    left_out += [(each.stage, 1) for each in drops]
    left_out.append((RANK, sum(len(one.order) for one in ranked) - len(picks) - len(drops)))
    counts: defaultdict[str, int] = defaultdict(int)
    for stage, count in left_out:
        counts[stage] += count
    return {stage: count for stage, count in sorted(counts.items()) if count > 0}

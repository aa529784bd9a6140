"""Candidate selection: what a recall may read, what is ranked, what each stage leaves out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial
from heapq import merge
from itertools import islice
from typing import Final

import msgspec

from muniment.engine.projections.index_view import IndexView
from muniment.engine.search.recall_filter import (
    NEAR_DUPLICATE,
    NOT_A_CANDIDATE,
    NOT_WANTED,
    RANK,
    SAYS_NOTHING,
    SOURCE_CAP,
    RecallFilter,
    barred,
)
from muniment.layers.governance import governed_facts
from muniment.model.kinds.episode import Fact
from muniment.model.kinds.loop import EventKind
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.policy import Trust
from muniment.model.text.near_duplicates import TextSignature, ToldTexts, saying, spoken_by
from muniment.retrieval import arrays as np
from muniment.retrieval.entities import question_hops
from muniment.retrieval.entities.name_hops import led_by_names
from muniment.retrieval.index import document_features
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.document_status import Mask, Stands
from muniment.retrieval.languages import small_talk
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.ranking.ranker import Ranking, rank
from muniment.retrieval.ranking.revision import Reading
from muniment.retrieval.ranking.sort_order import Numbers, Order
from muniment.retrieval.ranking.weights import Recipe
from muniment.retrieval.text.result_form import form_of
from muniment.retrieval.text.sentence_frame import SentenceFrames

FORMULA_TIMES: Final = 3  # from which on what the agent says word for word again is a formula
ANSWERS: Final = "answers"  # the term of what was said behind a question that matches
# Where words are not parted, a letter tells little, and so does a pair that bends others.
_TELLING = lazy_pattern(r"[^\W_\u3041-\u309f].|\d")
APPROVED: Final = "approved"  # on whose word a governed fact stands

ALIKE_PPM: Final = 800_000  # of all their words, from which two texts are one answer
AT_A_TIME: Final = 8  # candidates that are looked up together, or as many as are wanted
WALKED: Final = 4  # times as many as are wanted: how many are read to find that many
REQUESTS: Final = (EventKind.USER_INPUT, EventKind.TOOL_CALL)  # of a loop: what asks for a result
TOOL: Final = "tool"  # the origin of what a machine gave back
FRAMED: Final = 2  # sentences of one frame in a context that have no word of its question
FLOOD_MAX: Final = 16_384  # candidates that are gone through where somebody repeats themselves


class RecallCandidate(msgspec.Struct, frozen=True):
    """One thing that may answer: of the collection, or a governed fact."""

    score_ppm: int
    moment: int
    id: str
    number: int  # in its collection
    ranking: Ranking
    stands: Stands
    said: int = 0  # a number that texts of the same words share; 0: nobody has counted
    speaker: str = ""
    fact: Fact | None = None


Read = Callable[
    [Sequence[RecallCandidate]], list[str | None]
]  # their words; None: erased meanwhile


class Pick(msgspec.Struct, frozen=True):
    """One candidate that made it through every stage, and what it says."""

    candidate: RecallCandidate
    said: TextSignature


class Drop(msgspec.Struct, frozen=True):
    """One candidate that did not: where, and against what."""

    candidate: RecallCandidate
    stage: str
    rank: int  # its place in the order, counted from 1
    other: str = ""  # the id of what it repeats


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


class Choice:
    """What was picked so far, and what was dropped.

    To tell a near-duplicate takes its text, and so many are read at most. Whoever repeats one text
    a thousand times, or says a thousand things, must not use that up: where all of it went without
    enough picks, copies and sources that have said enough are passed over unread. Results of tools
    that name no source have their form for one; in a context, whose room is for the rest of a life
    too, so has what somebody says again with another word in it.
    """

    def __init__(self, asked: Query, wanted: RecallFilter, per_source: int) -> None:
        self._asked = asked
        self.picks: list[Pick] = []
        self.drops: list[Drop] = []
        self._wanted, self._per_source = wanted.results_max, per_source
        self._frames = SentenceFrames() if wanted.disclosed else None
        self._told = ToldTexts(ALIKE_PPM)
        self._given: set[str] = set()
        self._heard: dict[int, str] = {}  # by the number of its words, who says it in the answer
        # By source or form, the ids of what it has said in the answer.
        self._sources: defaultdict[int | str, list[str]] = defaultdict(list)
        self._folded = 0  # results of forms that have said enough

    def lacking(self) -> int:
        return self._wanted - len(self.picks)

    def unheard(
        self, walked: Iterable[tuple[int, RecallCandidate]]
    ) -> Iterator[tuple[int, RecallCandidate]]:
        """Those whose texts are worth reading."""
        left = 2 * self._wanted * WALKED
        for place, candidate in walked:
            flooded = place > self._wanted * WALKED
            if flooded and (drop := self._known(place, candidate)) is not None:
                self.drops.append(drop)
            elif not left:
                return
            else:
                left -= 1
                yield place, candidate

    def hear(self, place: int, candidate: RecallCandidate, text: str) -> None:
        spoken = told = saying(text)
        if candidate.speaker:  # the same words of two people are two sayings
            told = saying(spoken_by(candidate.speaker, text))
        if self._says_nothing(candidate, spoken):
            self.drops.append(Drop(candidate, SAYS_NOTHING, place))
            return
        if candidate.id in self._given:  # another part of a long text
            self.drops.append(Drop(candidate, NEAR_DUPLICATE, place, candidate.id))
            return
        twin = self._told.twin(told)
        if twin >= 0:
            other = self.picks[twin].candidate.id
            self._heard.setdefault(candidate.said, other)
            self.drops.append(Drop(candidate, NEAR_DUPLICATE, place, other))
        elif first := self._has_said_enough(source := self._source(candidate, text)):
            self.drops.append(Drop(candidate, SOURCE_CAP, place, first))
            self._folded += isinstance(source, str)
        elif framed := self._is_framed(candidate, spoken):
            self.drops.append(Drop(candidate, SOURCE_CAP, place, framed))
        else:
            self._sources[source].append(candidate.id)
            self._heard.setdefault(candidate.said, candidate.id)
            self.picks.append(Pick(candidate, spoken))
            self._given.add(candidate.id)
            self._told.add(told)

    def _says_nothing(self, candidate: RecallCandidate, said: TextSignature) -> bool:
        """A courtesy that nobody asks for; behind a question like this one it may be a yes."""
        if said.text.isascii() and small_talk.is_none_of(said.words):
            return False
        if not small_talk.is_all(said.text) or self._asked.matched(said):
            return False
        return not candidate.ranking.term(candidate.number, ANSWERS)

    def _is_framed(self, candidate: RecallCandidate, said: TextSignature) -> str:
        """The first of those of one frame that were picked, where there are enough of them."""
        if self._frames is None or candidate.stands.source:
            return ""
        if any(_TELLING.search(word) for word in self._asked.matched(said)):
            return ""
        like = self._frames.like(said.text)
        # What has nothing of the question only fills the room.
        if len(like) >= (FRAMED if candidate.score_ppm > 1 else 1):
            return like[0]
        self._frames.add(candidate.id, said.text)
        return ""

    def _known(self, place: int, candidate: RecallCandidate) -> Drop | None:
        if candidate.said and (other := self._heard.get(candidate.said)):
            return Drop(candidate, NEAR_DUPLICATE, place, other)
        if _is_unnamed(candidate) and self._folded >= self._wanted:
            return Drop(candidate, SOURCE_CAP, place)  # in a flood of results, of whatever form
        first = self._has_said_enough(candidate.stands.source)
        return Drop(candidate, SOURCE_CAP, place, first) if first else None

    def _source(self, candidate: RecallCandidate, text: str) -> int | str:
        """Who says it: a source by its number, or the form of a text; 0: nobody known.

        Results of tools go by their form. So does everything where all that is known of somebody
        is asked for: thirty days that differ in a number leave room for the rest of a life.
        """
        if candidate.stands.source:
            return candidate.stands.source
        return form_of(text) if self._asked.of_all or _is_unnamed(candidate) else 0

    def _has_said_enough(self, source: int | str) -> str:
        """The first that a source or form has said, once it has said enough."""
        said = self._sources[source] if source else []
        return said[0] if len(said) >= self._per_source and said else ""


def _is_unnamed(candidate: RecallCandidate) -> bool:
    return not candidate.stands.source and candidate.stands.origin == TOOL


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

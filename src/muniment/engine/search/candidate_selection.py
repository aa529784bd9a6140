"""Recall over an index: what may be heard, what is ranked, what is left out at which stage."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import merge
from itertools import islice
from typing import Final

import msgspec
import numpy as np

from muniment.engine.projections.index import IndexView
from muniment.layers.governance import governed_facts
from muniment.model import ids
from muniment.model.errors import InputError
from muniment.model.kinds.episode import Fact
from muniment.model.kinds.receipts import Basis, StatedFilter
from muniment.model.policy import Trust
from muniment.model.text.near_duplicates import TextSignature, ToldTexts, saying, spoken_by
from muniment.retrieval.filters import filter_mask, record_filter
from muniment.retrieval.index.collection import Collection
from muniment.retrieval.index.document_status import Mask, Register, Stands, day_of
from muniment.retrieval.languages import small_talk
from muniment.retrieval.ranking.query import Query
from muniment.retrieval.ranking.ranker import Ranking, rank
from muniment.retrieval.ranking.sort_order import Numbers, Order
from muniment.retrieval.ranking.weights import Recipe

# The stages at which something may be left out, in their order.
NOT_VISIBLE: Final = "not_visible"
NOT_WANTED: Final = "layer_not_asked_for"
FORGOTTEN: Final = "forgotten"
NOT_VALID: Final = "not_valid_then"
EXPIRED: Final = "expired"
FILTERED: Final = "filtered"
QUARANTINED: Final = "quarantined"
NOT_TRUSTED: Final = "not_enough_to_act_on"
NOT_A_CANDIDATE: Final = "not_a_candidate"
SAYS_NOTHING: Final = "says_nothing"
NEAR_DUPLICATE: Final = "near_duplicate"
SOURCE_CAP: Final = "source_cap"
REPLACED: Final = "replaced_by_newer"
RANK: Final = "rank_below_results_max"
TOO_OLD: Final = "outside_the_window"
BUDGET: Final = "did_not_fit_the_budget"
RECALLED: Final = "recalled"

ANSWERS: Final = "answers"  # the term of what was said behind a question that matches
APPROVED: Final = "approved"  # on whose word a governed fact stands

PURPOSES: Final = ("", "act")
ALIKE_PPM: Final = 800_000  # of all their words, from which two texts are one answer
AT_A_TIME: Final = 8  # candidates that are looked up together, or as many as are wanted
WALKED: Final = 4  # times as many as are wanted: how many are read to find that many
FLOOD_MAX: Final = 16_384  # candidates that are gone through where somebody repeats themselves


class RecallFilter(msgspec.Struct, frozen=True, kw_only=True):
    """How a recall is narrowed; nothing here can widen what the reader may see."""

    results_max: int
    valid_at: str = ""
    purpose: str = ""
    quarantined: bool = False
    without: tuple[str, ...] = ()  # layers that somebody else offers
    where: str = ""  # a record filter, as it is spelled
    now: str = ""  # the moment of the read: what expired by then is over

    @classmethod
    def of(cls, basis: Basis) -> "RecallFilter":
        """What a receipt says that was wanted."""
        return cls(
            results_max=basis.results_max,
            valid_at=basis.valid_at,
            purpose=basis.purpose,
            quarantined=basis.quarantined,
            where=basis.where,
        )

    @property
    def stated(self) -> StatedFilter:
        """The same, as a receipt says it."""
        return {
            "results_max": self.results_max,
            "valid_at": self.valid_at,
            "purpose": self.purpose,
            "quarantined": self.quarantined,
            "where": self.where,
        }

    def __post_init__(self) -> None:
        if self.purpose not in PURPOSES:
            raise InputError("the purpose of a recall is empty or `act`")
        # It goes into the receipt, and an entry that cannot be read again ends its stream.
        if not isinstance(self.quarantined, bool):
            raise InputError("quarantined is true or false")


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


class Selection(msgspec.Struct, frozen=True):
    """What a recall found, and what became of everything else."""

    picks: tuple[Pick, ...]
    drops: tuple[Drop, ...]  # of those that were looked at one by one
    counts: dict[str, int]  # of all, by stage


def barred(view: IndexView, wanted: RecallFilter, trust: Trust) -> Iterator[tuple[str, Mask]]:
    """Stage by stage, which documents may not be recalled."""
    register = view.register
    day = day_of(wanted.valid_at) if wanted.valid_at else None
    yield from _outside(view, wanted, day)
    waiting = register.of_origin(trust.quarantined)
    if waiting is None and wanted.purpose != "act":
        return  # nearly always
    vouched = np.zeros(register.count, dtype=bool)
    vouched[register.released()] = True
    if waiting is not None:
        witnesses = waiting & _speaking(register, day)
        vouched[register.corroborated(witnesses, trust.corroborating_sources)] = True
        if not wanted.quarantined:
            yield QUARANTINED, waiting & ~vouched
    if wanted.purpose == "act":
        enough = register.of_origin(trust.act_on)
        yield NOT_TRUSTED, ~(vouched if enough is None else enough | vouched)


def _outside(view: IndexView, wanted: RecallFilter, day: int | None) -> Iterator[tuple[str, Mask]]:
    """What is not asked for, has ended, or does not pass the filter, whoever told it."""
    register = view.register
    if wanted.without:
        yield NOT_WANTED, register.of_layer(wanted.without)
    if len(register.notes):
        yield FORGOTTEN, register.ended(valid_at=day)
    if day is not None:
        yield NOT_VALID, ~register.holding(day)
    elif wanted.now and (over := register.expired(ids.time_ms(wanted.now))) is not None:
        yield EXPIRED, over
    if where := record_filter.of_text(wanted.where):
        yield FILTERED, ~filter_mask.mask(where, _filtered(view))


def _filtered(view: IndexView) -> filter_mask.Indexed:
    seqs, read = view.register.column("seq"), view.handles
    assert read is not None, "an index is asked through its view"
    return filter_mask.Indexed(
        view.collection, view.register, lambda numbers: read(seqs[numbers].tolist())
    )


def _speaking(register: Register, day: int | None) -> Mask:
    """What has not ended, and had begun on the day: who else says something for nobody."""
    speaking: Mask = ~register.ended(valid_at=day)
    return speaking if day is None else speaking & register.holding(day)


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
    days = register.column("of")
    ranking = rank(view.collection, asked, how.weights, among=among, heard=heard, tells_of=days)
    order = ranking.related(how.likeness_ppm)
    counts[NOT_A_CANDIDATE] = left - len(order)
    collection = view.collection

    def best() -> Iterator[RecallCandidate]:
        for some, scores in _portions(order, max(wanted.results_max, AT_A_TIME)):
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

    return RankedCollection(ranking, order, best, counts, register.count, how.likeness_ppm)


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
    ranking = rank(collection, asked, how.weights)
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
    choice = Choice(asked, wanted.results_max, trust.results_per_source)
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
    enough picks, copies and sources that have said enough are passed over unread.
    """

    def __init__(self, asked: Query, results_max: int, per_source: int) -> None:
        self._asked = asked
        self.picks: list[Pick] = []
        self.drops: list[Drop] = []
        self._wanted, self._per_source = results_max, per_source
        self._told = ToldTexts(ALIKE_PPM)
        self._given: set[str] = set()
        self._heard: dict[int, str] = {}  # by the number of its words, who says it in the answer
        self._sources: defaultdict[int, int] = defaultdict(int)

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
        elif self._has_said_enough(candidate):
            self.drops.append(Drop(candidate, SOURCE_CAP, place))
        else:
            self._sources[candidate.stands.source] += 1
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
        return not candidate.ranking.terms(candidate.number).get(ANSWERS)

    def _known(self, place: int, candidate: RecallCandidate) -> Drop | None:
        if candidate.said and (other := self._heard.get(candidate.said)):
            return Drop(candidate, NEAR_DUPLICATE, place, other)
        return Drop(candidate, SOURCE_CAP, place) if self._has_said_enough(candidate) else None

    def _has_said_enough(self, candidate: RecallCandidate) -> bool:
        source = candidate.stands.source
        return bool(source) and self._sources[source] >= self._per_source


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

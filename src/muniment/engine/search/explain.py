"""Explanation: why an item is in an answer or not; the stage, its threshold, its reason."""

from collections.abc import Iterator
from typing import Final

import msgspec

from muniment.engine.projections.index_view import IndexView
from muniment.engine.search import (
    candidate_selection,
    diversification,
    recall_filter,
    recall_results,
)
from muniment.engine.search.candidate_selection import RankedCollection
from muniment.engine.search.diversification import Drop, RecallCandidate
from muniment.engine.search.recall import RecallAnswer
from muniment.engine.search.recall_filter import RecallFilter
from muniment.engine.search.recall_results import Hit
from muniment.layers import episodes
from muniment.model.kinds.episode import Origin
from muniment.model.policy import Policy, Trust
from muniment.model.policy.context import Assembly
from muniment.retrieval.context.bundle import MemoryBundle, Selected

ABSENT: Final = "there is no such item here"
ANSWERS: Final = "it is in the answer"
BETTER: Final = "other items rank higher"
UNLIKE: Final = "it has no distinctive word of the question, and its similarity is below"
PERCENT_PPM: Final = 10_000
NO_WORD: Final = "it shares no word with the question"
PACKED: Final = "it is in the context"
NOT_OFFERED: Final = "no memory type offers it for this question"
AT_HAND: Final = "it is only on a scratchpad, which contexts include but recall does not"
OTHER_LAYER: Final = "the profile stage1 answers from episodes and facts"
ENDED: Final = {
    recall_filter.FORGOTTEN: "it was forgotten, deleted or replaced",
    recall_filter.NOT_VALID: "it was not true yet on that day",
    recall_filter.EXPIRED: "it has expired",
    recall_filter.UNANSWERED: "it only asks to forget something",
    recall_filter.FILTERED: "the filter excludes it",
}
OTHER_KIND: Final = {
    "names_several": "the id refers to several records, each of which is recalled by itself",
    "rests_on_others": "it is derived from other records, which are recalled",
    "at_hand_only": "it is in working memory, which contexts include but recall does not",
    "not_a_record": "the id does not refer to a memory",
}
NEWER: Final = "a newer statement of the same person replaced it"
TOO_OLD: Final = "newer episodes fill the window that the profile stage1 looks at"
# The stages of a composition, in the words of an answer.
LOST: Final = {
    "filtered": (recall_filter.NOT_WANTED, "the filters exclude it"),
    "replaced": (recall_filter.REPLACED, NEWER),
    "pool": (recall_filter.RANK, BETTER),
    "in_working_memory": (recall_filter.NEAR_DUPLICATE, "working memory already has it"),
    "repeated": (recall_filter.NEAR_DUPLICATE, "another line of the context says the same"),
    "top_k": (recall_filter.RANK, BETTER),
    "budget": (recall_filter.BUDGET, "the token budget had no room for it"),
}


class WhyNot(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one item for one question: the stage that decided, and its threshold."""

    id: str
    stage: str
    reason: str
    rank: int = 0  # in the order, where it has a place
    score_ppm: int = 0
    threshold: int = 0  # what it would have needed
    other: str = ""  # what it repeats
    terms: dict[str, int] = {}


def why_not(answer: RecallAnswer, item_id: str) -> WhyNot:
    """The stage that kept an item out of an answer; absent and foreign items look alike."""
    trust, wanted = answer.question.snapshot.desk.policy.trust, answer.question.wanted
    placed = _placed(answer, item_id, trust)
    if placed is not None:
        return placed
    keys = [fact.key for fact in answer.facts]
    if answer.approved is not None and item_id in keys:
        return _unplaced(answer, item_id, answer.approved, keys.index(item_id))
    for ranked, view in _views(answer):
        number = _number(view, item_id, wanted, trust)
        if not isinstance(number, WhyNot):
            return _unplaced(answer, item_id, ranked, number)
        if number.stage != recall_filter.NOT_VISIBLE:
            return number
    return WhyNot(id=item_id, stage=recall_filter.NOT_VISIBLE, reason=ABSENT)


def _views(answer: RecallAnswer) -> Iterator[tuple[RankedCollection, IndexView]]:
    """Every collection that was asked, and what lies in it: one's own, shared ones, documents."""
    yield answer.ranked, answer.view
    reads = answer.question.snapshot
    for each in answer.shared:
        home = answer.homes[id(each.ranking)]
        yield each, home.view(reads.reads.get(home.stream.ref, reads.seq))


def of_kind(item_id: str, limit: str) -> WhyNot:
    """What no recall looks at, whatever is asked: other reads tell of its kind."""
    return WhyNot(id=item_id, stage=recall_filter.NOT_WANTED, reason=OTHER_KIND[limit])


def of_fact(key: str, *, stands: bool) -> WhyNot:
    """A governed fact that no answer could hold: not so on the day that is asked, or retired."""
    stage = recall_filter.NOT_VALID if stands else recall_filter.FORGOTTEN
    return WhyNot(id=key, stage=stage, reason=ENDED[stage])


def left_out(key: str) -> WhyNot:
    """A governed fact that stands, and that the caller's own filter leaves out."""
    stage = recall_filter.FILTERED
    return WhyNot(id=key, stage=stage, reason=ENDED[stage])


def of_scratchpad(memo_id: str) -> WhyNot:
    """A memo that no recall looks at: contexts are told it as long as it is at hand."""
    return WhyNot(id=memo_id, stage=recall_filter.NOT_WANTED, reason=AT_HAND)


class Overlaps(msgspec.Struct, frozen=True, kw_only=True):
    """What the profile `stage1` found: all that shares a word, best first."""

    hits: tuple[Hit, ...]
    known: set[str]  # everything that was looked at
    view: IndexView


def why_not_overlapping(
    found: Overlaps, item_id: str, wanted: RecallFilter, policy: Policy
) -> WhyNot:
    """The same for an answer by shared words alone."""
    for rank, hit in enumerate(found.hits, start=1):
        if hit.id == item_id:
            return _by_overlap(hit, rank, wanted)
    if item_id in found.known:
        return WhyNot(id=item_id, stage=recall_filter.NOT_A_CANDIDATE, reason=NO_WORD)
    number = _number(found.view, item_id, wanted, policy.trust)
    if isinstance(number, WhyNot):
        return number
    if not found.view.register.of_layer((episodes.SHELF,))[number]:
        return WhyNot(id=item_id, stage=recall_filter.NOT_WANTED, reason=OTHER_LAYER)
    window = policy.recall.window_entries
    return WhyNot(id=item_id, stage=recall_filter.TOO_OLD, reason=TOO_OLD, threshold=window)


def _by_overlap(hit: Hit, rank: int, wanted: RecallFilter) -> WhyNot:
    count = wanted.results_max
    return WhyNot(
        id=hit.id,
        stage=recall_filter.RECALLED if rank <= count else recall_filter.RANK,
        reason=ANSWERS if rank <= count else BETTER,
        rank=rank,
        score_ppm=hit.score_ppm,
        threshold=0 if rank <= count else count,
        terms={recall_results.OVERLAP: hit.score_ppm},
    )


def _number(view: IndexView, item_id: str, wanted: RecallFilter, trust: Trust) -> int | WhyNot:
    """An item's number; or the first stage that bars it, whatever is asked."""
    register = view.register
    number = register.find(item_id)
    if number is None:
        return WhyNot(id=item_id, stage=recall_filter.NOT_VISIBLE, reason=ABSENT)
    for stage, mask in recall_filter.barred(view, wanted, trust):
        if mask[number]:
            reason, threshold = _barred(stage, register.origin_of(number), trust)
            return WhyNot(id=item_id, stage=stage, reason=reason, threshold=threshold)
    return number


def _unplaced(answer: RecallAnswer, item_id: str, ranked: RankedCollection, number: int) -> WhyNot:
    """What became of an item that nobody had to look at: too far down, or no candidate."""
    terms = ranked.ranking.terms(number)
    every = [each for each in (answer.approved, answer.ranked) if each] + list(answer.shared)
    rank = candidate_selection.place(every, item_id) if number in ranked.order.numbers else 0
    enough = ranked.ranking.enough(number, ranked.likeness_ppm)
    return WhyNot(
        id=item_id,
        stage=recall_filter.RANK if rank else recall_filter.NOT_A_CANDIDATE,
        reason=BETTER if rank else f"{UNLIKE} {enough // PERCENT_PPM} percent",
        rank=rank,
        score_ppm=sum(terms.values()),
        threshold=answer.question.wanted.results_max if rank else enough,
        terms={name: value for name, value in terms.items() if value},
    )


def in_context(found: WhyNot, bundle: MemoryBundle, rules: Assembly, top_k: int) -> WhyNot:
    """What became of an item in a context: told there, left out on the way, or never offered."""
    for item in bundle.items:
        if item.id == found.id:
            return _packed(found, item)
    lost = bundle.left_out.get(found.id)
    if lost is None:
        if found.stage != recall_filter.RECALLED:
            return found
        return msgspec.structs.replace(found, stage=recall_filter.NOT_WANTED, reason=NOT_OFFERED)
    stage, reason = LOST[lost]
    alike = rules.near_duplicate_percent * PERCENT_PPM
    thresholds = {
        "in_working_memory": alike,
        "repeated": alike,
        "top_k": top_k,
        "budget": bundle.budget_tokens,
    }
    threshold = thresholds.get(lost, 0)
    return msgspec.structs.replace(found, stage=stage, reason=reason, threshold=threshold, other="")


def _packed(found: WhyNot, item: Selected) -> WhyNot:
    """The reason is the context's own: what is at hand is told whatever the question is."""
    reason = f"{PACKED}: {item.why}" if item.why else PACKED
    return msgspec.structs.replace(
        found,
        stage=recall_filter.RECALLED,
        reason=reason,
        rank=item.rank,
        threshold=0,
        other="",
    )


def _placed(answer: RecallAnswer, item_id: str, trust: Trust) -> WhyNot | None:
    """What became of an item that was looked at one by one."""
    for place, pick in enumerate(answer.found.picks, start=1):
        if pick.candidate.id == item_id:
            return _told(pick.candidate, recall_filter.RECALLED, ANSWERS, place)
    for drop in answer.found.drops:
        if drop.candidate.id == item_id:
            reason, threshold = _dropped(drop, answer.question.wanted, trust)
            told = _told(drop.candidate, drop.stage, reason, drop.rank)
            return msgspec.structs.replace(told, threshold=threshold, other=drop.other)
    return None


def _told(candidate: RecallCandidate, stage: str, reason: str, rank: int) -> WhyNot:
    terms = candidate.ranking.terms(candidate.number)
    return WhyNot(
        id=candidate.id,
        stage=stage,
        reason=reason,
        rank=rank,
        score_ppm=candidate.score_ppm,
        terms={name: value for name, value in terms.items() if value},
    )


def _dropped(drop: Drop, wanted: RecallFilter, trust: Trust) -> tuple[str, int]:
    if drop.stage == recall_filter.SAYS_NOTHING:
        return "it is a courtesy, and says nothing else", 0
    if drop.stage == recall_filter.NEAR_DUPLICATE:
        return f"it says the same as {drop.other}", diversification.ALIKE_PPM
    if drop.stage == recall_filter.SOURCE_CAP:
        return "its source, or its like, has said enough here", trust.results_per_source
    if drop.stage == recall_filter.REPLACED:
        return NEWER, 0
    return BETTER, wanted.results_max


def _barred(stage: str, origin: Origin, trust: Trust) -> tuple[str, int]:
    match stage:
        case _ if stage in ENDED:
            return ENDED[stage], 0
        case recall_filter.QUARANTINED:
            return (
                f"its origin is {origin}: it waits for a person's yes or for more sources",
                trust.corroborating_sources,
            )
        case _:
            return f"its origin is {origin}: not enough to act on", 0

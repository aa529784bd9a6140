"""Memo gate: how an item is scored, and in which places it is stored."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from muniment.model.kinds.memo import (
    AUTO,
    WHOLE_PPM,
    Mandate,
    MemoPlace,
    MemoSource,
    MemoType,
    Scores,
)
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.policy.memo_gate import Gating
from muniment.model.text import similarity
from muniment.model.text.phrase_pattern import Cue, phrases
from muniment.model.unicode14 import known

# Where each type goes by itself: reasoning is of the moment, what happened is an episode, what
# was distilled is knowledge. An observation is both at hand and an episode.
ROUTES: Final[dict[MemoType, tuple[str, ...]]] = {
    MemoType.THOUGHT: (MemoPlace.WM,),
    MemoType.PLAN: (MemoPlace.EM, MemoPlace.WM),
    MemoType.USER_MESSAGE: (MemoPlace.EM, MemoPlace.WM),
    MemoType.OBSERVATION: (MemoPlace.EM, MemoPlace.WM),
    MemoType.ACTION: (MemoPlace.EM,),
    MemoType.TOOL_RESULT: (MemoPlace.EM,),
    MemoType.METRIC: (MemoPlace.EM,),
    MemoType.FACT: (MemoPlace.SM,),
    MemoType.SKILL: (MemoPlace.SM,),
    MemoType.PATTERN: (MemoPlace.SM,),
    MemoType.SUMMARY: (MemoPlace.SM,),
}
DISTILLED: Final = frozenset({MemoType.FACT, MemoType.SKILL, MemoType.PATTERN, MemoType.SUMMARY})
ACTIONABLE: Final = {
    MemoType.ACTION: 900_000,
    MemoType.SKILL: 900_000,
    MemoType.PLAN: 800_000,
    MemoType.PATTERN: 700_000,
    MemoType.TOOL_RESULT: 600_000,
    MemoType.USER_MESSAGE: 600_000,
    MemoType.OBSERVATION: 500_000,
    MemoType.FACT: 400_000,
    MemoType.SUMMARY: 400_000,
    MemoType.METRIC: 300_000,
    MemoType.THOUGHT: 200_000,
}
OF_THE_USER: Final = {
    MemoSource.USER: 1_000_000,
    MemoSource.SYSTEM: 500_000,
    MemoSource.TOOL: 400_000,
    MemoSource.MODEL: 400_000,
    MemoSource.EXTERNAL: 400_000,
}
CERTAIN: Final = {
    MemoSource.SYSTEM: 1_000_000,
    MemoSource.USER: 900_000,
    MemoSource.TOOL: 900_000,
    MemoSource.MODEL: 600_000,
    MemoSource.EXTERNAL: 600_000,
}
HALF_PPM: Final = 500_000
CUE_PPM: Final = 200_000  # what a word of consequence, or one about the user, adds

_CONSEQUENCE = phrases(
    *("must", "should", "need", "needs", "failed", "fail", "fails", "error", "errors", "fixed"),
    *("works", "done", "deadline", "decided", "because", "always", "never", "cause", "caused"),
    *("blocked", "succeeded"),
)
_THE_USER = phrases(
    *("user", "users", "customer", "customers", "they asked", "i", "my", "me", "you", "your"),
)
# Said of the step at hand: it will not hold in another episode.
_OF_THE_MOMENT = lazy_pattern(
    r"\b(?:for now|right now|just now|at the moment|temporarily|for the time being"
    r"|(?:in|for|on|during|of) this (?:step|turn|run|session|once|attempt|call|page)"
    r"|this (?:step|turn|time|once) only|only (?:for )?this (?:step|turn|time|once)"
    r"|in the (?:current|next) (?:step|turn)|next step|current step)\b",
    re.IGNORECASE,
)


class GateItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item before the gate, already screened."""

    kind: MemoType
    text: str
    source: MemoSource
    tokens: int
    store: str = AUTO
    importance_ppm: int | None = None
    confidence_ppm: int | None = None
    tags: tuple[str, ...] = ()
    keyed: bool = False  # it is a version of something that has a name
    in_episode: bool = False
    likeness_ppm: int = 0  # to the nearest thing that is kept
    is_repeated: bool = False  # word for word


class GateVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """Where an item goes, what it weighs, and every rule that spoke, in order."""

    places: tuple[str, ...]
    scores: Scores
    reasons: tuple[str, ...]
    rules: tuple[str, ...] = ()  # in the words of whoever wrote them


def judge(
    item: GateItem,
    gating: Gating,
    *,
    goals: Iterable[str] = (),
    mandates: Sequence[Mandate] = (),
    tokens_kept: int = 0,
) -> GateVerdict:
    """Weigh, route, and let only pass what the thresholds and the turn's budget let pass."""
    called = [each for each in mandates if _speaks_of(item, each)]
    scores = weigh(item, gating, goals, floor=max((m.importance_ppm for m in called), default=0))
    places, reasons, rules = _routed(item, gating, called)
    kept, more = _passed(item, gating, scores, places, spent=tokens_kept)
    return GateVerdict(places=kept, scores=scores, reasons=(*reasons, *more), rules=rules)


def weigh(item: GateItem, gating: Gating, goals: Iterable[str], *, floor: int = 0) -> Scores:
    """Importance as given, or as five things add up to it; novelty and size beside it."""
    novelty = WHOLE_PPM - item.likeness_ppm
    goal = _goal(item, goals)
    user = min(OF_THE_USER[item.source] + _cue(_THE_USER, item), WHOLE_PPM)
    confidence = CERTAIN[item.source] if item.confidence_ppm is None else item.confidence_ppm
    actionability = min(ACTIONABLE[item.kind] + _cue(_CONSEQUENCE, item), WHOLE_PPM)
    summed = (
        goal * gating.goal_weight_ppm
        + user * gating.user_weight_ppm
        + confidence * gating.confidence_weight_ppm
        + novelty * gating.novelty_weight_ppm
        + actionability * gating.actionability_weight_ppm
    )
    computed = summed // WHOLE_PPM
    given = item.importance_ppm is not None
    importance = item.importance_ppm if item.importance_ppm is not None else computed
    return Scores(
        importance=max(min(importance, WHOLE_PPM), floor),
        novelty=novelty,
        tokens=item.tokens,
        given=given,
        importance_min=gating.importance_min_ppm,
        novelty_min=gating.novelty_min_ppm,
        goal=goal,
        user=user,
        confidence=confidence,
        actionability=actionability,
    )


def _goal(item: GateItem, goals: Iterable[str]) -> int:
    """How much of the nearest goal an item speaks of; without goals nobody can say."""
    shares = []
    words: frozenset[str] = frozenset()
    for goal in goals:
        words = words or similarity.words(item.text)
        wanted = frozenset(word for word in similarity.words(goal) if len(word) > 2)  # noqa: PLR2004 - "of", "to"
        shares.append(len(wanted & words) * WHOLE_PPM // len(wanted) if wanted else 0)
    return max(shares, default=HALF_PPM)


def _cue(cue: Cue, item: GateItem) -> int:
    return CUE_PPM if cue.search(item.text) else 0


def _speaks_of(item: GateItem, mandate: Mandate) -> bool:
    return item.kind in mandate.types or bool(set(mandate.tags) & set(item.tags))


def _routed(
    item: GateItem, gating: Gating, mandates: Sequence[Mandate]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The caller's own choice, then mandates, then configured rules, then type and content."""
    if item.store != AUTO:
        return (item.store,), (f"asked:{item.store}",), ()
    for mandate in mandates:
        if mandate.places:
            return mandate.places, ("mandate",), (mandate.name,)
    for rule in gating.routing:
        by_type, by_tag = rule.type == item.kind, bool(rule.tag) and rule.tag in item.tags
        if by_tag or (by_type and not rule.tag):
            named = f"tag:{rule.tag}" if by_tag else f"type:{rule.type}"
            return rule.places, ("override:tag" if by_tag else "override:type",), (named,)
    places, reasons = ROUTES[item.kind], (f"type:{item.kind}",)
    if item.kind in DISTILLED and not item.keyed and _OF_THE_MOMENT.search(known(item.text)):
        return (MemoPlace.EM,), (*reasons, "content:of_the_moment"), ()
    if item.kind is MemoType.SUMMARY and item.in_episode:
        return (MemoPlace.EM,), (*reasons, "content:of_one_episode"), ()
    return places, reasons, ()


def _passed(
    item: GateItem, gating: Gating, scores: Scores, places: tuple[str, ...], *, spent: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Working memory takes what it is given, for it forgets by itself; what lasts must earn it."""
    reason = _refused(item, gating, scores, spent)
    if not reason:
        return places, ()
    return tuple(place for place in places if place == MemoPlace.WM), (reason,)


def _refused(item: GateItem, gating: Gating, scores: Scores, spent: int) -> str:
    exempt = item.keyed or item.kind in gating.novelty_exempt
    if item.is_repeated and item.kind not in gating.novelty_exempt:
        return "said_already"
    if scores.importance <= gating.importance_min_ppm:
        return "below_importance"
    if not exempt and scores.novelty < gating.novelty_min_ppm:
        return "below_novelty"
    over = spent + scores.tokens > gating.turn_tokens_max
    if over and scores.importance < gating.working_guard_ppm:
        return "turn_budget_spent"
    return ""

"""Relevance feedback: items that an answer used, quality of contexts, better weights."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from muniment.model.fixed_point import MILLION, rounded
from muniment.model.policy.context import Assembly, Coefficients
from muniment.model.text.tokens import tokens
from muniment.retrieval.context.bundle import Pools, compose

RULE: Final = "distinctive-words-1"
SUCCESS_WEIGHT: Final = 2  # what a task that succeeded rested on counts twice
STEPS_PPM: Final = (0, 100_000, 200_000, 250_000, 300_000, 400_000, 500_000, 600_000, 700_000)
ROUNDS: Final = 2
TURNS_MIN: Final = 3  # fewer say nothing about the weights


class PastContext(msgspec.Struct, frozen=True, kw_only=True):
    """A past context: what it could choose from, what proved useful, and how its task ended."""

    receipt_id: str
    pools: Pools
    used: frozenset[str]
    unused: frozenset[str] = frozenset()
    outcome: str = ""  # success, failure, or nobody has said


class Quality(msgspec.Struct, frozen=True, kw_only=True):
    """How good contexts are: useful items inside the budget, and how high they stand."""

    turns: int
    inside_ppm: int  # of the useful items, the share that is in the context
    rank_ppm: int  # the mean of one over the rank of each useful item; absent ones count nothing

    @property
    def score(self) -> tuple[int, int]:
        return self.inside_ppm, self.rank_ppm


class Grounds(msgspec.Struct, frozen=True, kw_only=True):
    """What a proposal rests on."""

    receipts: tuple[str, ...]
    useful: tuple[tuple[str, int], ...]  # items that proved useful, and how often
    unused: tuple[tuple[str, int], ...]  # items that were there for nothing, and how often
    succeeded: int
    failed: int


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    before: Coefficients
    after: Coefficients
    quality_before: Quality
    quality_after: Quality
    evidence: Grounds

    @property
    def improves(self) -> bool:
        return self.quality_after.score > self.quality_before.score


def used_in(answer: str, texts: Mapping[str, str], prompt: str, least_percent: int) -> list[str]:
    """The items whose own words an answer repeats: words that neither the question nor any other
    item of the context has.
    """
    said = set(tokens(answer))
    asked = set(tokens(prompt))
    shared = Counter(word for text in texts.values() for word in set(tokens(text)))
    found: list[str] = []
    for name, text in texts.items():
        own = {word for word in tokens(text) if shared[word] == 1 and word not in asked}
        if own and len(own & said) * 100 >= least_percent * len(own):
            found.append(name)
    return found


def quality(turns: Sequence[PastContext], rules: Assembly) -> Quality:
    """Every past context composed again under these rules, from what it could choose from."""
    weights = inside = ranks = 0
    for turn in turns:
        weight = SUCCESS_WEIGHT if turn.outcome == "success" else 1
        found = {each.id: each.rank for each in compose(turn.pools, rules).items}
        for name in turn.used:
            weights += weight
            inside += weight * (name in found)
            ranks += weight * MILLION // found[name] if name in found else 0
    return Quality(
        turns=len(turns),
        inside_ppm=rounded(inside * MILLION, weights) if weights else 0,
        rank_ppm=ranks // weights if weights else 0,
    )


def propose(turns: Sequence[PastContext], rules: Assembly) -> Proposal:
    """The weights under which past contexts would have served best; the present ones if none."""
    telling = [turn for turn in turns if turn.used and turn.outcome != "failure"]
    before = quality(telling, rules)
    best, reached = rules.coefficients, before
    if len(telling) >= TURNS_MIN:
        for _ in range(ROUNDS):
            for change in _changes(best):
                tried = quality(telling, msgspec.structs.replace(rules, coefficients=change))
                if tried.score > reached.score:
                    best, reached = change, tried
    return Proposal(
        before=rules.coefficients,
        after=best,
        quality_before=before,
        quality_after=reached,
        evidence=evidence(turns),
    )


def evidence(turns: Sequence[PastContext]) -> Grounds:
    useful = Counter(name for turn in turns for name in turn.used)
    unused = Counter(name for turn in turns for name in turn.unused)
    return Grounds(
        receipts=tuple(turn.receipt_id for turn in turns),
        useful=_most(useful),
        unused=_most(unused),
        succeeded=sum(turn.outcome == "success" for turn in turns),
        failed=sum(turn.outcome == "failure" for turn in turns),
    )


def _changes(weights: Coefficients) -> Iterator[Coefficients]:
    for name in msgspec.structs.asdict(weights):
        for step in STEPS_PPM:
            if getattr(weights, name) != step:
                yield msgspec.structs.replace(weights, **{name: step})


def _most(counted: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counted.items(), key=lambda each: (-each[1], each[0]))[:32])

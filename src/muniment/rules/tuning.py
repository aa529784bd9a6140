"""Tuning rules: which fields of an identity may change, and whether a trial was better."""

from collections.abc import Iterable, Sequence
from typing import Final

from muniment.model.policy.identity import IMPLICIT_BLACKLIST, TuningPolicy
from muniment.model.text.tokens import tokens

RUBRIC: Final = "coverage-recall-2"
MILLION: Final = 1_000_000
# What the user asked for counts most; then whether the loops are still found; length costs.
COVERAGE_WEIGHT: Final = 2
RECALL_WEIGHT: Final = 1
NOTE_TOKENS_FREE: Final = 200
NOTE_TOKEN_COST_PPM: Final = 2_000
SHORT_WORD: Final = 3  # words this short carry no wish


def refusal(paths: Iterable[str], policy: TuningPolicy) -> str:
    """Why a patch may not touch these paths; the blacklist beats the whitelist."""
    barred = (*policy.blacklist, *IMPLICIT_BLACKLIST)
    for path in paths:
        if any(_covers(each, path) or _covers(path, each) for each in barred):
            return "tuning_path_barred"
        if not any(_covers(each, path) for each in policy.whitelist):
            return "tuning_path_not_listed"
    return ""


def wishes(feedback: str, *, understood: bool) -> frozenset[str]:
    """The words of a feedback that carry a wish; letters that nobody understands carry none."""
    return frozenset(word for word in tokens(feedback) if understood and len(word) > SHORT_WORD)


def score(wished: frozenset[str], notes: Sequence[str], ranks: Sequence[int]) -> int:
    """How well an identity answers a wish, in millionths.

    `ranks` says at which place each recent loop is found by its own question, 0 when it is not.
    """
    noted = [word for note in notes for word in tokens(note)]
    coverage = _ppm(len(wished.intersection(noted)), len(wished))
    recall = sum(_ppm(1, rank) for rank in ranks if rank) // max(len(ranks), 1)
    gained = COVERAGE_WEIGHT * coverage + RECALL_WEIGHT * recall
    return gained - max(0, len(noted) - NOTE_TOKENS_FREE) * NOTE_TOKEN_COST_PPM


def _covers(parent: str, path: str) -> bool:
    return path == parent or path.startswith(f"{parent}.")


def _ppm(part: int, whole: int) -> int:
    return part * MILLION // whole if whole else 0

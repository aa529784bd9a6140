"""Fuzzy search in loop summaries: word similarity, weighted by age, kind and visibility."""

from typing import Final

import msgspec

from muniment.model import ids
from muniment.model.fixed_point import MILLION, halved_ppm, rounded
from muniment.model.kinds.loop import LoopSummary, Mark
from muniment.model.policy.identity import ONE, Heuristics
from muniment.model.text.tokens import tokens
from muniment.retrieval.ranking.sort_order import best_first

PERCENT_PPM: Final = MILLION // 100


class Likeness(msgspec.Struct, frozen=True, kw_only=True):
    """One loop that answers a fuzzy question, with every factor of its score."""

    summary: LoopSummary
    score_ppm: int
    similarity_ppm: int
    recency_ppm: int
    boost_ppm: int


def search(
    query: str, summaries: list[LoopSummary], heuristics: Heuristics, *, as_of: str
) -> list[Likeness]:
    """Summaries alike enough, best first: score descending, time descending, id ascending."""
    found = [score(query, each, heuristics, as_of=as_of) for each in summaries]
    least = heuristics.threshold * PERCENT_PPM
    alike = [each for each in found if each.similarity_ppm >= least and each.score_ppm]
    return ordered(alike)[: heuristics.top_k]


def ordered(found: list[Likeness]) -> list[Likeness]:
    return best_first(found, lambda each: (each.score_ppm, each.summary.ts_end, each.summary.id))


def score(query: str, summary: LoopSummary, heuristics: Heuristics, *, as_of: str) -> Likeness:
    """(w_similarity * similarity + w_recency * recency) * boost, in millionths."""
    similarity = token_set_ratio_ppm(query, summary.summary)
    age_ms = max(0, ids.time_ms(as_of) - ids.time_ms(summary.ts_end)) if as_of else 0
    recency = halved_ppm(age_ms, heuristics.recency_half_life_seconds * 1000)
    weighed = (
        heuristics.similarity_weight_ppm * similarity + heuristics.recency_weight_ppm * recency
    )
    boost = boost_ppm(answering(query, summary), heuristics)
    return Likeness(
        summary=summary,
        score_ppm=rounded(weighed * boost, MILLION * MILLION),
        similarity_ppm=similarity,
        recency_ppm=recency,
        boost_ppm=boost,
    )


def answering(query: str, summary: LoopSummary) -> tuple[Mark, ...]:
    """The marks of the lines that share most words with a question; of all, where none does.

    Every loop begins with what somebody said aloud: by all its marks each would weigh the same.
    """
    asked = set(tokens(query))
    shared: dict[str, int] = {}
    for line in summary.summary.splitlines():
        kind, _, text = line.partition(": ")
        shared[kind] = max(shared.get(kind, 0), len(asked & set(tokens(text))))
    most = max(shared.values(), default=0)
    found = tuple(mark for mark in summary.marks if most and shared.get(mark.kind) == most)
    return found or summary.marks


def boost_ppm(marks: tuple[Mark, ...], heuristics: Heuristics) -> int:
    """The largest product of kind and visibility; what has no boost counts as one."""
    products = [
        rounded(
            heuristics.kind_boosts_ppm.get(mark.kind, ONE)
            * heuristics.visibility_boosts_ppm.get(mark.visibility, ONE),
            MILLION,
        )
        for mark in marks
    ]
    return max(products, default=ONE)


def normalised(text: str) -> str:
    """Lower case words with single spaces; punctuation says nothing."""
    return " ".join(tokens(text))


def token_set_ratio_ppm(one: str, other: str) -> int:
    """RapidFuzz's token_set_ratio on normalised text, as an exact quotient of its distances."""
    left, right = set(normalised(one).split()), set(normalised(other).split())
    if not left or not right:
        return 0
    shared = " ".join(sorted(left & right))
    only_left, only_right = " ".join(sorted(left - right)), " ".join(sorted(right - left))
    if shared and not (only_left and only_right):
        return MILLION
    common = len(shared)
    joint = common + (1 if common else 0)  # and the space that joins it to what is not shared
    longer_left, longer_right = joint + len(only_left), joint + len(only_right)
    whole = longer_left + longer_right
    ratio = rounded((whole - _distance(only_left, only_right)) * MILLION, whole)
    if not common:
        return ratio
    beside = [
        rounded(2 * common * MILLION, common + longer) for longer in (longer_left, longer_right)
    ]
    return max(ratio, *beside)


def _distance(one: str, other: str) -> int:
    """Indel distance: letters to insert and to delete beside the longest common subsequence.

    Bit-parallel (Hyyrö 2004): a whole row of the table is one number, with a bit for each letter.
    """
    places: dict[str, int] = {}
    for at, letter in enumerate(one):
        places[letter] = places.get(letter, 0) | 1 << at
    row = whole = (1 << len(one)) - 1
    for letter in other:
        shared = row & places.get(letter, 0)
        row = (row + shared | row - shared) & whole
    common = len(one) - row.bit_count()
    return len(one) + len(other) - 2 * common

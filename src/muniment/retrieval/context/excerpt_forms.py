"""Excerpt forms: which lines of a context may be told in an excerpt, and the lines of these."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final

import msgspec

from muniment.model.fixed_point import MILLION
from muniment.retrieval.context import excerpt
from muniment.retrieval.context.candidates import RankedCandidate
from muniment.retrieval.context.pack import Shorter

BEST: Final = 3  # of what was searched: who is further down gives way whole
LIKE_PPM: Final = MILLION // 2  # of the likeness of the best, that an answer has
IN_EXCERPT: Final = "in an excerpt"


def shorter(
    ranked: Sequence[RankedCandidate],
    before: int,
    asked: str,
    line: Callable[[RankedCandidate], str],
) -> Shorter:
    """The shorter lines of the best answers, by their place behind so many other lines."""
    searched = [
        place for place, each in enumerate(ranked, start=before) if not each.candidate.standing
    ]
    best = {place for place in searched[:BEST] if ranked[place - before].similarity_ppm >= LIKE_PPM}

    @cache
    def forms(place: int) -> Sequence[str]:
        if place not in best:
            return ()
        its = ranked[place - before]
        return tuple(line(_in_excerpt(its, each)) for each in _options(its, asked))

    return forms


def cut(
    ranked: Sequence[RankedCandidate], before: int, asked: str, forms: Mapping[int, int]
) -> list[RankedCandidate]:
    """The same candidates, those at some places in one of their excerpts."""
    cut = list(ranked)
    for place, form in forms.items():
        its = ranked[place - before]
        cut[place - before] = _in_excerpt(its, _options(its, asked)[form])
    return cut


def _options(its: RankedCandidate, asked: str) -> Sequence[str]:
    return excerpt.options(its.candidate.text, asked, its.candidate.speaker)


def _in_excerpt(its: RankedCandidate, text: str) -> RankedCandidate:
    """The candidate with a part of its text, which says that it is one."""
    mark = ", ".join(filter(None, (its.candidate.mark, excerpt.MARK)))
    why = ", ".join(filter(None, (its.candidate.why, IN_EXCERPT)))
    shown = msgspec.structs.replace(its.candidate, text=text, mark=mark, why=why)
    return msgspec.structs.replace(its, candidate=shown)

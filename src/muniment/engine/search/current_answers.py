"""Conflict resolution in a recall: statements that a newer one replaced are left out."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from muniment.engine.projections.index_view import IndexView
from muniment.engine.search.candidate_selection import Drop, Pick, Selection
from muniment.engine.search.recall_filter import REPLACED
from muniment.model import ids
from muniment.retrieval import arrays as np
from muniment.retrieval.ranking import current_answer
from muniment.retrieval.ranking.current_answer import ClaimSource, Standing
from muniment.retrieval.ranking.ranker import Ranking


def settled(found: Selection, aliases: Mapping[str, str]) -> tuple[Selection, Standing]:
    """The newest word takes the place and the score of what it replaces."""
    standing = current_answer.standing([_record(pick) for pick in found.picks], aliases)
    if not standing.replaced:
        return found, standing
    places = {pick.candidate.id: n for n, pick in enumerate(found.picks)}
    best = {each: places[each] for each in standing.replaced.values()}
    for gone, stands in standing.replaced.items():
        best[stands] = min(best[stands], places[gone])
    kept = [pick for pick in found.picks if pick.candidate.id not in standing.replaced]
    kept.sort(key=lambda pick: best.get(pick.candidate.id, places[pick.candidate.id]))
    picks = [_lifted(pick, found.picks[best.get(pick.candidate.id, 0)], best) for pick in kept]
    drops = [
        Drop(pick.candidate, REPLACED, n, standing.replaced[pick.candidate.id])
        for n, pick in enumerate(found.picks, start=1)
        if pick.candidate.id in standing.replaced
    ]
    counts = dict(sorted((found.counts | {REPLACED: len(drops)}).items()))
    return Selection(tuple(picks), (*found.drops, *drops), counts), standing


def moments(view: IndexView, ranking: Ranking, pick: Pick) -> list[int]:
    """When its words were told: each time that still stands, by whom the same log holds."""
    candidate, register = pick.candidate, view.register
    if not candidate.said or candidate.ranking is not ranking:
        return [candidate.moment]
    equal = np.flatnonzero(register.column("said") == candidate.said)
    if len(equal) < 2:  # noqa: PLR2004 - itself alone, nearly always
        return [candidate.moment]
    standing = equal[~register.ended(valid_at=None)[equal]]
    return [*map(int, view.collection.moments[standing])] or [candidate.moment]


def _lifted(pick: Pick, before: Pick, best: Mapping[str, int]) -> Pick:
    if pick.candidate.id not in best:
        return pick
    score = max(pick.candidate.score_ppm, before.candidate.score_ppm)
    return Pick(msgspec.structs.replace(pick.candidate, score_ppm=score), pick.said)


def _record(pick: Pick) -> ClaimSource:
    its = pick.candidate
    return ClaimSource(
        id=its.id,
        text=pick.said.text,
        origin=its.stands.origin,
        moment=ids.time_text(its.moment) if its.moment >= 0 else "",
        speaker=its.speaker,
        governed=its.fact is not None,
    )

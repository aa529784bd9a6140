"""Conflict resolution in a recall: statements that a newer one replaced are left out."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from muniment.engine.projections.index_view import IndexView
from muniment.engine.search.candidate_selection import Selection
from muniment.engine.search.diversification import Drop, Pick
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


def moments(view: IndexView, ranking: Ranking, picks: Sequence[Pick]) -> list[list[int]]:
    """The moments at which each record of this log was said, as far as they are in force."""
    register, spoken = view.register, view.register.column("said")
    own = [its.said if its.ranking is ranking else 0 for its in (pick.candidate for pick in picks)]
    equal = np.flatnonzero(np.isin(spoken, [said for said in own if said]))
    times = Counter(spoken[equal].tolist())
    # A text that stands alone, as nearly all do, was told when it was told.
    again = equal[np.isin(spoken[equal], [said for said, count in times.items() if count > 1])]
    standing = again[~register.ended(valid_at=None)[again]] if len(again) else again
    told: defaultdict[int, list[int]] = defaultdict(list)
    for said, moment in zip(
        spoken[standing].tolist(), view.collection.moments[standing].tolist(), strict=True
    ):
        told[said].append(moment)
    return [
        told.get(said) or [pick.candidate.moment] for said, pick in zip(own, picks, strict=True)
    ]


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
        place=(its.stands.seq, its.stands.n),
        speaker=its.speaker,
        governed=its.fact is not None,
    )

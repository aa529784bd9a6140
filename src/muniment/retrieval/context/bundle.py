"""Context bundle: pure function from the candidates of all memory types to a context's text.

filter → cut the pools → re-rank → drop what repeats → keep the best → pack. Every stage says how
many it dropped, so that nothing is ever missing without a reason.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from muniment.model.fixed_point import MILLION
from muniment.model.kinds.episode import Evidence
from muniment.model.policy import context
from muniment.model.policy.context import (
    STABLE,
    Assembly,
    ContextFilters,
    ContextReceipt,
    Spent,
)
from muniment.model.text import near_duplicates
from muniment.model.text.near_duplicates import TextSignature
from muniment.retrieval.context import (
    budget_shares,
    cross_type_rank,
    duplicate_filter,
    excerpt_forms,
    pack,
    render_line,
)
from muniment.retrieval.context.budget_shares import Allotment
from muniment.retrieval.context.candidates import ContextCandidate, RankedCandidate, passes
from muniment.retrieval.context.pack import ESTIMATE, TokenCounter
from muniment.retrieval.ranking import current_answer
from muniment.retrieval.ranking.current_answer import ClaimSource

UNREAD: Final = "this memory could not be read"
DAY_LETTERS: Final = len("2026-03-05")
IN_FORCE: Final = "facts"  # each holds until another takes its place: its day says nothing
STAGES: Final = ("filtered", "replaced", "pool", "in_working_memory", "repeated", "top_k", "budget")


class Pools(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a composition depends on: equal pools and rules give an equal bundle."""

    candidates: tuple[ContextCandidate, ...]
    types: tuple[str, ...]  # every memory type that was asked
    budget_tokens: int
    failed: dict[str, str] = {}  # types that could not answer, and why
    wanted: ContextFilters = ContextFilters()
    aliases: dict[str, str] = {}  # spellings of attributes, as the policy joins them
    counter: TokenCounter = ESTIMATE
    query: str = ""  # what the sentences of a long text are held against
    told: ContextReceipt | None = None  # of a context whose tokenizer may not be here any more


class Selected(msgspec.Struct, frozen=True, kw_only=True):
    """One item of a bundle: its line, where it comes from, and why it is here."""

    id: str
    section: str
    text: str
    why: str
    tokens: int
    type: str = ""  # the memory type that offered it
    place: str = ""
    authority: str = ""
    origin: str = ""
    created: str = ""
    rank: int = 0  # among everything that was selected, from 1
    score_ppm: int = 0
    similarity_ppm: int = 0
    recency_ppm: int = 0  # computed for this query; it is stored nowhere
    importance_ppm: int = 0
    duplication_ppm: int = 0
    evidence: Evidence = Evidence()


class MemoryBundle(msgspec.Struct, frozen=True, kw_only=True):
    items: tuple[Selected, ...]  # in the order in which the text has them
    text: str
    tokens: int
    budget_tokens: int
    considered: int
    dropped: dict[str, int]  # at each stage
    left_out: dict[str, str]  # by id, of what was offered: the last stage that it came to
    spent: tuple[Spent, ...]  # by memory type
    excerpts: tuple[tuple[int, int], ...] = ()  # which items are excerpts, and which of theirs


class Losses:
    """What each stage of a composition left out."""

    def __init__(self) -> None:
        self._ids: dict[str, list[str]] = {stage: [] for stage in STAGES}

    def note(
        self, stage: str, before: Iterable[ContextCandidate], after: Iterable[ContextCandidate]
    ) -> None:
        stays = {id(each) for each in after}
        self._ids[stage] += [each.id for each in before if id(each) not in stays]

    def counts(self) -> dict[str, int]:
        return {stage: len(lost) for stage, lost in self._ids.items()}

    def by_id(self) -> dict[str, str]:
        """Two memory types may offer the same: what came furthest tells."""
        return {each: stage for stage, lost in self._ids.items() for each in lost}


def compose(pools: Pools, rules: Assembly) -> MemoryBundle:
    """The best that fits, whatever order the candidates came in."""
    losses = Losses()
    kept = [each for each in pools.candidates if passes(each, pools.wanted)]
    losses.note("filtered", pools.candidates, kept)
    standing = _marked(kept, pools.aliases)
    stays = {each.id for each in standing}
    losses.note("replaced", kept, [each for each in kept if each.id in stays])
    pooled = cut(standing, rules)
    losses.note("pool", standing, pooled)
    working = [near_duplicates.saying(each.text) for each in pooled if each.place == "WM"]
    ranked = cross_type_rank.rerank(pooled, working, rules)
    ranked = _best(_new(ranked, working, rules, losses), pools.wanted, rules, losses)
    return _packed(pools, ranked, rules, losses)


def _marked(
    candidates: Sequence[ContextCandidate], aliases: Mapping[str, str]
) -> list[ContextCandidate]:
    """Without what a newer word replaced; a governed fact that was contradicted says so."""
    found = current_answer.standing([_record(each) for each in candidates], aliases)
    marks = {
        fact: f"governed, contradicted since {claim.moment[:DAY_LETTERS]}".strip()
        for fact, claim in found.contradicted.items()
    } | dict.fromkeys(found.contradicting, "not governed, contradicts the governed fact")
    return [
        msgspec.structs.replace(each, mark=marks[each.id]) if each.id in marks else each
        for each in candidates
        if each.id not in found.replaced
    ]


def _record(its: ContextCandidate) -> ClaimSource:
    return ClaimSource(
        id=its.id,
        text=its.text,
        origin=its.origin,
        moment=its.told or its.created,
        place=(-its.age, 0),
        speaker=its.speaker,
        governed=its.type == IN_FORCE,
        authority=its.authority,
    )


def cut(candidates: Sequence[ContextCandidate], rules: Assembly) -> list[ContextCandidate]:
    """Each place's pool: the newest N, the k1 best by likeness and age, the k2 best by likeness."""
    pools: dict[str, list[ContextCandidate]] = {"WM": [], "EM": [], "SM": []}
    for each in candidates:
        pools[each.place].append(each)
    standing = [each for pool in ("EM", "SM") for each in pools[pool] if each.standing]
    searched = {pool: [each for each in pools[pool] if not each.standing] for pool in ("EM", "SM")}
    newest = sorted(pools["WM"], key=lambda each: (each.age, each.id))
    decayed = sorted(searched["EM"], key=lambda each: (-_decayed(each, rules), each.age, each.id))
    alike = sorted(searched["SM"], key=lambda each: (-each.similarity_ppm, each.age, each.id))
    return [
        *newest[: rules.working_recent],
        *standing,
        *decayed[: rules.episodic_candidates],
        *alike[: rules.semantic_candidates],
    ]


def _decayed(candidate: ContextCandidate, rules: Assembly) -> int:
    recency = cross_type_rank.recency_ppm(candidate.age, candidate.span, rules)
    return candidate.similarity_ppm * recency // MILLION


def _new(
    ranked: list[RankedCandidate], working: Sequence[TextSignature], rules: Assembly, losses: Losses
) -> list[RankedCandidate]:
    """Without what working memory says already, and without what is said twice."""
    of_working = [each for each in ranked if each.candidate.place == "WM"]
    others = [each for each in ranked if each.candidate.place != "WM"]
    told = [each.saying for each in others]
    places, in_working = duplicate_filter.keep(
        told, working, rules.near_duplicate_percent * MILLION // 100
    )
    new = [others[place] for place in places]
    said = [others[place] for place in in_working]
    losses.note("in_working_memory", _candidates(said), ())
    losses.note("repeated", _candidates(others), _candidates([*new, *said]))
    return cross_type_rank.ordered([*of_working, *new])


def _candidates(ranked: Sequence[RankedCandidate]) -> list[ContextCandidate]:
    return [each.candidate for each in ranked]


def _best(
    ranked: list[RankedCandidate], wanted: ContextFilters, rules: Assembly, losses: Losses
) -> list[RankedCandidate]:
    """The first `top_k` of what was searched; what stands whatever is asked is not counted."""
    room = wanted.top_k or rules.top_k
    kept: list[RankedCandidate] = []
    for each in ranked:
        if each.candidate.standing or room:
            kept.append(each)
            room -= 0 if each.candidate.standing else 1
    losses.note("top_k", _candidates(ranked), _candidates(kept))
    return kept


def _packed(
    pools: Pools, ranked: list[RankedCandidate], rules: Assembly, losses: Losses
) -> MemoryBundle:
    budget = pools.budget_tokens
    unread = render_line.line(UNREAD, authority="system_imposed", origin="engine")
    told = [pack.ContextLine(section=name, type=name, text=unread) for name in sorted(pools.failed)]
    lines = [*told, *map(_context_line, ranked)]
    sections = context.order({each.section for each in lines})
    headers = {name: render_line.header(name) for name in sections}
    parts = budget_shares.share(sorted({each.type for each in lines}), budget, rules)
    shorter = excerpt_forms.shorter(ranked, len(told), pools.query, _line)
    packed = pack.sections(lines, headers, parts, budget, pools.counter, shorter=shorter)
    places = list(packed.taken) if pools.told is None else _again(ranked, len(told), pools.told)
    cut = packed.cut if pools.told is None else _cut_again(ranked, len(told), pools.told)
    ranked = excerpt_forms.cut(ranked, len(told), pools.query, cut)
    lines = [*told, *map(_context_line, ranked)]
    text, items, tokens = _composed(pools, ranked, lines, places)
    while tokens > budget:  # a tokenizer may count a text above the sum of its lines
        places.pop()
        text, items, tokens = _composed(pools, ranked, lines, places)
    taken = [ranked[place - len(told)] for place in places if place >= len(told)]
    losses.note("budget", _candidates(ranked), _candidates(taken))
    spent = _spent(pools, budget_shares.share(pools.types, budget, rules), items, packed.used)
    return MemoryBundle(
        items=tuple(items),
        text=text,
        tokens=tokens,
        budget_tokens=budget,
        considered=len(pools.candidates),
        dropped=losses.counts(),
        left_out=losses.by_id(),
        spent=spent if pools.told is None else pools.told.spent,
        excerpts=_excerpts(items, [(ranked[n - len(told)], form) for n, form in cut.items()]),
    )


def _again(ranked: Sequence[RankedCandidate], before: int, told: ContextReceipt) -> list[int]:
    """The places of what a context held, whoever counted its tokens."""
    held = {*zip(told.types, told.ids, strict=True)}
    known = enumerate((each.candidate for each in ranked), start=before)
    return [place for place, each in known if (each.type, each.id) in held]


def _excerpts(
    items: Sequence[Selected], cut: Sequence[tuple[RankedCandidate, int]]
) -> tuple[tuple[int, int], ...]:
    forms = {(each.candidate.type, each.candidate.id): form for each, form in cut}
    named = enumerate((each.type, each.id) for each in items)
    return tuple((place, forms[name]) for place, name in named if name in forms)


def _cut_again(
    ranked: Sequence[RankedCandidate], before: int, told: ContextReceipt
) -> dict[int, int]:
    """The places of what a context held in an excerpt, and which excerpt it was."""
    forms = {(told.types[n], told.ids[n]): form for n, form in told.excerpts}
    known = enumerate((each.candidate for each in ranked), start=before)
    named = ((place, (each.type, each.id)) for place, each in known)
    return {place: forms[name] for place, name in named if name in forms}


def _composed(
    pools: Pools,
    ranked: Sequence[RankedCandidate],
    lines: Sequence[pack.ContextLine],
    places: Sequence[int],
) -> tuple[str, list[Selected], int]:
    """The text of the lines at some places, what is in it, and what it counts."""
    before = len(lines) - len(ranked)
    notes = {lines[place].section: lines[place].text for place in places if place < before}
    taken = [ranked[place - before] for place in places if place >= before]
    chosen = [_selected(each, rank, pools.counter) for rank, each in enumerate(taken, start=1)]
    sections = context.order({each.section for each in lines})
    text, items = _text(sections, list(zip(chosen, taken, strict=True)), notes)
    return text, items, pools.counter.text(text) if pools.told is None else pools.told.tokens


def _text(
    sections: Sequence[str],
    shown: Sequence[tuple[Selected, RankedCandidate]],
    notes: dict[str, str],
) -> tuple[str, list[Selected]]:
    lines: list[str] = []
    items: list[Selected] = []
    for name in sections:
        here = [each for each in shown if each[0].section == name]
        inside = [each for each, _ in sorted(here, key=lambda each: _place_in(name, *each))]
        if inside or name in notes:
            lines += [render_line.header(name), *([notes[name]] if name in notes else ())]
            lines += [each.text for each in inside]
            items += inside
    return "\n".join(lines), items


def _place_in(section: str, item: Selected, ranked: RankedCandidate) -> tuple[int, str]:
    """The stable part by name, so that it stays as it was; matches best first; the rest by time."""
    if section in STABLE:
        return 0, item.id
    if ranked.candidate.standing or ranked.candidate.place == "WM":
        return -ranked.candidate.age, item.id
    return item.rank, item.id


def _section(ranked: RankedCandidate) -> str:
    return ranked.candidate.section or ranked.candidate.type


def _context_line(ranked: RankedCandidate) -> pack.ContextLine:
    its = ranked.candidate
    return pack.ContextLine(section=_section(ranked), type=its.type, text=_line(ranked))


def _line(ranked: RankedCandidate) -> str:
    its = ranked.candidate
    day = "" if its.type == IN_FORCE else its.created[:DAY_LETTERS]
    return render_line.line(
        its.text, authority=its.authority, origin=its.origin, day=day, mark=its.mark
    )


def _selected(ranked: RankedCandidate, rank: int, counter: TokenCounter) -> Selected:
    its, line = ranked.candidate, _line(ranked)
    return Selected(
        id=its.id,
        section=_section(ranked),
        type=its.type,
        text=line,
        why=its.why,
        tokens=counter.text(line),
        place=its.place,
        authority=its.authority,
        origin=its.origin,
        created=its.created,
        rank=rank,
        score_ppm=ranked.score_ppm,
        similarity_ppm=ranked.similarity_ppm,
        recency_ppm=ranked.recency_ppm,
        importance_ppm=ranked.importance_ppm,
        duplication_ppm=ranked.duplication_ppm,
        evidence=its.evidence,
    )


def _spent(
    pools: Pools, allotments: list[Allotment], items: list[Selected], used: dict[str, int]
) -> tuple[Spent, ...]:
    considered = Counter(each.type for each in pools.candidates)
    taken = Counter(each.type for each in items)
    return tuple(
        Spent(
            type=each.type,
            allocated=each.allocated,
            used=used.get(each.type, 0),
            considered=considered[each.type],
            taken=taken[each.type],
            failed=pools.failed.get(each.type, ""),
        )
        for each in allotments
    )

"""Compaction: memos are replaced by summaries; the log keeps every original.

A memo leaves its place only where every value that it names stands in what stays, and only where
that saves a good part of the tokens. So a compaction never makes a memory longer. What left is
archived: recall finds it in full, and not the summary that quotes it.
"""

from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from muniment.engine.decide.decision_context import DecisionContext
from muniment.engine.decide.memos import keep as memo_decisions
from muniment.layers import memo_reads, model_outputs
from muniment.layers.memos import memos
from muniment.layers.memos.scratchpads import Scratchpad
from muniment.model import ids
from muniment.model.commands.memos import Memorize
from muniment.model.commands.threads import Compact, RecordOutput
from muniment.model.events import AnyEvent
from muniment.model.events.memos import MemoKept, MemosEvicted
from muniment.model.events.threads import MemosCompacted, OutputRecorded
from muniment.model.kinds.memo import (
    QUOTES_RECALLED,
    WHOLE_PPM,
    Memo,
    MemoPlace,
    MemoSource,
    MemoType,
)
from muniment.model.policy.maintenance import Resolution
from muniment.model.struct_copy import copied
from muniment.model.text.tokens import tokens_by_length
from muniment.retrieval.languages import statement_levels
from muniment.retrieval.languages.statement_levels import Level
from muniment.rules.memos import clustering, summarise, thinning
from muniment.rules.memos.clustering import ClusterText
from muniment.rules.memos.summarise import Summary
from muniment.rules.memos.thinning import Weighed

EXTRACTIVE: Final = "extractive"
# What is tried where a summary says too little of what is distinctive.
LARGER: Final = {
    Resolution.MICRO: (Resolution.MESO, Resolution.MACRO),
    Resolution.MESO: (Resolution.MACRO,),
}
WORDS_KEPT_PPM: Final = 500_000  # of a memo that leaves: what stays must speak of the same
DAY_MS: Final = 86_400_000


class WordedSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A summary, how it was made, and why not otherwise."""

    summary: Summary
    resolution: Resolution
    by: str
    fallback: str


def record_output(now: DecisionContext, command: RecordOutput) -> list[AnyEvent]:
    """What a model said, once for each request; a second answer would make the first a lie."""
    if model_outputs.is_answered(now.shelves, command.request):
        return now.deny("output_exists", command.request)
    return [copied(OutputRecorded, command)]


def compact(now: DecisionContext, command: Compact) -> list[AnyEvent]:
    if command.request and model_outputs.said(now.shelves, command.request) is None:
        return now.deny("output_missing", command.request)
    return STRATEGIES[command.strategy](now, command)


# ── Summaries ───────────────────────────────────────────────────────────────────────────────────


def _summarise(now: DecisionContext, command: Compact) -> list[AnyEvent]:
    """An episode is told by one summary with pointers to everything it stands for."""
    sources = _living(now, command, MemoPlace.EM)
    if len(sources) < 2:  # noqa: PLR2004 - one memo is its own summary
        return now.deny("nothing_to_compact")
    words = _words(now, command, [memo.text for memo in sources])
    gone = [memo for memo in sources if _is_told(memo, words.summary.text)]
    if not _saves(now, words.summary.tokens, _tokens(gone)):
        return now.deny("nothing_gained")
    key = command.episode_id or f"task:{command.task_id}"
    archived = now.desk.policy.writing.archive
    told = _memo(command, sources, words, MemoPlace.EM, key, quotes=archived)
    kept = memo_decisions.keep(now, told)
    if not any(isinstance(each, MemoKept) for each in kept):
        return now.deny("nothing_gained")
    done = _compacted(command, kept, sources, gone, words)
    return [*kept, msgspec.structs.replace(done, archived=archived)]


def _saves(now: DecisionContext, after: int, before: int) -> bool:
    least = before * now.desk.policy.compaction.saving_min_ppm // WHOLE_PPM
    return after < before and before - after >= least


def _tail(now: DecisionContext, command: Compact) -> list[AnyEvent]:
    """The tail of a scratchpad becomes one item of it; what leaves is found in episodic memory."""
    pad = memos.pad_key(command.subject, command.task_id)
    held = now.desk.memos.pads.get(pad, Scratchpad()).held
    sources = [each.memo for each in held if each.memo.id in set(command.memo_ids)]
    if len(sources) < 2:  # noqa: PLR2004 - one memo is its own summary
        return now.deny("nothing_to_compact")
    words = _words(now, command, [memo.text for memo in sources])
    if words.summary.tokens >= _tokens(sources):
        return now.deny("nothing_gained")
    left = memo_decisions.left_working(now, pad, tuple(sources), "tail_summary", command.trigger)
    kept = memo_decisions.keep(
        _after(now, pad, sources), _memo(command, sources, words, MemoPlace.WM, f"tail:{pad}")
    )
    # None of them leaves episodic memory; of the scratchpad, where they stood, the summary stays.
    told = _compacted(command, kept, sources, [], words)
    told = msgspec.structs.replace(told, place=MemoPlace.WM, tokens_after=words.summary.tokens)
    return [*left, *kept, told]


def _after(now: DecisionContext, pad: str, gone: Sequence[Memo]) -> DecisionContext:
    """The situation in which these have left already: the summary takes their room."""
    shorter = now.desk.memos.pads[pad].without([memo.id for memo in gone])
    state = msgspec.structs.replace(now.desk.memos, pads=now.desk.memos.pads | {pad: shorter})
    return msgspec.structs.replace(now, desk=msgspec.structs.replace(now.desk, memos=state))


def _words(now: DecisionContext, command: Compact, texts: Sequence[str]) -> WordedSummary:
    """A model's recorded words where they are good enough; else sentences of the memos."""
    rules = now.desk.policy.compaction
    small = Resolution.MICRO if command.strategy == "tail" else Resolution.MESO
    output = model_outputs.said(now.shelves, command.request)
    fallback = command.fallback
    if output is not None:
        told = _as_said(texts, output.text)
        if told.quality_ppm >= rules.quality_min_ppm and told.tokens <= rules.macro_tokens:
            return WordedSummary(summary=told, resolution=small, by=output.model, fallback="")
        fallback = "quality"
    resolution = small
    summary = summarise.summarise(texts, rules.limit(resolution), _says_something)
    for larger in LARGER[small]:
        if summary.quality_ppm >= rules.quality_min_ppm:
            break
        say = summarise.patterns if larger is Resolution.MACRO else summarise.summarise
        resolution, summary = larger, say(texts, rules.limit(larger), _says_something)
    return WordedSummary(summary=summary, resolution=resolution, by=EXTRACTIVE, fallback=fallback)


def _says_something(_: int, sentence: str) -> int:
    """Questions, orders and courtesies take no room from what was said."""
    return int(statement_levels.level(sentence) >= Level.BESIDE)


def _as_said(texts: Sequence[str], said: str) -> Summary:
    from_model = summarise.quality_ppm(texts, said)
    return Summary(text=said, tokens=tokens_by_length(said), quality_ppm=from_model)


def _is_told(memo: Memo, summary: str) -> bool:
    named = summarise.keeps_values(memo.text, summary)
    return named and summarise.keeps_words_ppm(memo.text, summary) >= WORDS_KEPT_PPM


def _memo(
    command: Compact,
    sources: Sequence[Memo],
    words: WordedSummary,
    place: MemoPlace,
    key: str,
    *,
    quotes: bool = False,
) -> Memorize:
    metadata = {"summary_of": len(sources), "resolution": str(words.resolution), "by": words.by}
    return Memorize(
        kind=MemoType.SUMMARY,
        text=words.summary.text,
        source=_source(sources),
        store=place,
        importance_ppm=max(memo.importance_ppm for memo in sources),
        metadata=metadata | ({QUOTES_RECALLED: True} if quotes else {}),
        task_id=command.task_id,
        episode_id=command.episode_id,
        key=key,
        subject=command.subject,
    )


def _source(sources: Sequence[Memo]) -> MemoSource:
    """Trust cannot rise by being summarised: what several said is said by nobody above a model."""
    said = {memo.source for memo in sources}
    return said.pop() if len(said) == 1 else MemoSource.MODEL


def _compacted(
    command: Compact,
    kept: Sequence[AnyEvent],
    sources: Sequence[Memo],
    gone: Sequence[Memo],
    words: WordedSummary,
) -> MemosCompacted:
    (summary,) = (each.memo for each in kept if isinstance(each, MemoKept))
    before = _tokens(sources)
    return MemosCompacted(
        place=MemoPlace.EM,
        strategy=command.strategy,
        trigger=command.trigger,
        told_by=summary.id,
        sources=tuple(memo.id for memo in sources),
        gone=tuple(memo.id for memo in gone),
        resolution=words.resolution,
        by=words.by,
        fallback=words.fallback,
        quality_ppm=words.summary.quality_ppm,
        tokens_before=before,
        tokens_after=before - _tokens(gone) + words.summary.tokens,
        subject=command.subject,
    )


# ── One of several alike; the least worth its room; a sample ────────────────────────────────────


def _merge(now: DecisionContext, command: Compact) -> list[AnyEvent]:
    """Of memos that say the same, with equal values, the most important and newest stays."""
    living = {memo.id: memo for memo in _living(now, command, MemoPlace.SM)}
    told = [ClusterText(id=memo.id, text=memo.text, kind=memo.type) for memo in living.values()]
    groups = clustering.clusters(told, now.desk.policy.compaction.alike_ppm)
    if not groups:
        return now.deny("nothing_to_compact")
    return [_merged(command, [living[each] for each in group]) for group in groups]


def _merged(command: Compact, alike: Sequence[Memo]) -> MemosCompacted:
    by_time = sorted(alike, key=lambda memo: (memo.timestamp, memo.id), reverse=True)
    stays, *gone = sorted(by_time, key=lambda memo: -memo.importance_ppm)
    return MemosCompacted(
        place=MemoPlace.SM,
        strategy=command.strategy,
        trigger=command.trigger,
        told_by=stays.id,
        sources=tuple(memo.id for memo in alike),
        gone=tuple(memo.id for memo in gone),
        by="clusters",
        quality_ppm=1_000_000,
        tokens_before=_tokens(alike),
        tokens_after=stays.tokens_estimate,
        subject=command.subject,
    )


def _by_density(now: DecisionContext, command: Compact) -> list[AnyEvent]:
    """Down to a budget of tokens or items: least utility for its size leaves first."""
    living = _living(now, command, MemoPlace.EM)
    leaving = thinning.evicted(
        _weighed(now, living),
        half_life=now.desk.policy.compaction.half_life_days,
        tokens_max=command.tokens_max,
        items_max=command.items_max,
    )
    return _evicted(now, command, [each.id for each in leaving], "utility_density")


def _by_sample(now: DecisionContext, command: Compact) -> list[AnyEvent]:
    """A seeded sample stays, in which what matters more is likelier to be."""
    living = _living(now, command, MemoPlace.EM)
    stays = thinning.reservoir(
        _weighed(now, living),
        len(living) if command.items_max is None else command.items_max,
        seed=now.stamp.seed,
        half_life=now.desk.policy.compaction.half_life_days,
    )
    kept = {each.id for each in stays}
    gone = [memo.id for memo in living if memo.id not in kept]
    return _evicted(now, command, gone, "weighted_reservoir")


def _evicted(
    now: DecisionContext, command: Compact, gone: Sequence[str], policy: str
) -> list[AnyEvent]:
    if not gone:
        return now.deny("nothing_to_compact")
    reason = "tokens" if command.tokens_max is not None else "items"
    return [
        MemosEvicted(
            place=MemoPlace.EM,
            memo_ids=tuple(gone),
            policy=policy,
            reason=reason,
            subject=command.subject,
        )
    ]


def _weighed(now: DecisionContext, living: Sequence[Memo]) -> list[Weighed]:
    at = now.received.at or max((memo.timestamp for memo in living), default="")
    moment = ids.time_ms(at) if at else 0
    return [
        Weighed(
            id=memo.id,
            tokens=memo.tokens_estimate,
            importance_ppm=memo.importance_ppm,
            age=max(moment - ids.time_ms(memo.timestamp), 0) // DAY_MS,
        )
        for memo in living
    ]


STRATEGIES: Final[dict[str, Callable[[DecisionContext, Compact], list[AnyEvent]]]] = {
    "summary": _summarise,
    "tail": _tail,
    "merge": _merge,
    "density": _by_density,
    "reservoir": _by_sample,
}


def _living(now: DecisionContext, command: Compact, place: MemoPlace) -> list[Memo]:
    """The named memos that live in the place and are about whom the command is about."""
    found: list[Memo] = []
    shelf = memos.SHELF_OF[place]
    for memo_id in dict.fromkeys(command.memo_ids):
        line = now.shelves.get(shelf, memo_id)
        if line is not None and getattr(line.event, "subject", "") == command.subject:
            memo = memo_reads.resolved(now.shelves, line)
            found += [memo] if memo else []
    return found


def _tokens(found: Sequence[Memo]) -> int:
    return sum(memo.tokens_estimate for memo in found)

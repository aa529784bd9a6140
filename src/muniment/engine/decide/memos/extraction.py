"""Extraction decisions: facts of a model's recorded answer, kept, replaced, ended, undone."""

from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import episodes, loop_events, memo_reads, model_outputs
from muniment.layers.memos import extractions
from muniment.layers.shelves import ARCHIVE, ITEMS, Shelves
from muniment.log.entry import Line
from muniment.model.commands.learning import ExtractFacts, UndoExtraction
from muniment.model.commands.memos import Memorize
from muniment.model.events import AnyEvent
from muniment.model.events.learning import ExtractionUndone, FactsExtracted
from muniment.model.events.memos import MemoDeclined, MemoKept, MemosForgotten
from muniment.model.kinds.episode import Origin
from muniment.model.kinds.memo import Memo, MemoPlace, MemoSource, MemoType
from muniment.model.kinds.origin_tables import ORIGIN_WEIGHT
from muniment.model.struct_copy import copied
from muniment.retrieval.dates import validity
from muniment.retrieval.index import index_feed
from muniment.retrieval.index.index_feed import MIRROR, Offered
from muniment.rules import extraction as rules
from muniment.rules import write_gate
from muniment.rules.extraction import ExtractedFact, ShownText

EXTRACTED: Final = "extracted"  # the field of a memo's metadata that says where it comes from
NOT_EXTRACTED: Final = "not_extracted"  # only what was extracted is replaced or ended by a model
REPLACED_IN_BATCH: Final = "replaced_twice"
OUTRANKED: Final = "outranked"  # what is known comes from words that weigh more
# A text's word weighs one step less when a model tells it; what came from outside stays outside.
SOURCES: Final = {
    Origin.TOOL: MemoSource.TOOL,
    Origin.EXTERNAL: MemoSource.EXTERNAL,
}
KINDS: Final = {episodes.SHELF: (episodes.SHELF,), ITEMS: (ITEMS, ARCHIVE)}


def offered(
    shelves: Shelves, line: Line, subject: str, observed: str, *, ever: bool = False
) -> list[Offered]:
    """The living texts of an entry about somebody, or about nobody; memos are not among them.

    Nor is a wish to forget. `ever`: also those that live no more.
    """
    shared = line.is_only_about(shelves.stream.ref)
    if not shelves.is_about_us(line) or shared == bool(subject):
        return []
    changes = index_feed.changes_of(shelves.stream, line, observed)
    found = (each for each in changes if isinstance(each, Offered) and not each.only_wishes)
    return [each for each in found if ever or lives(shelves, each)]


def label(text: Offered) -> str:
    """By what name a model is shown a text: its entry, and its place there."""
    return f"{text.seq}.{text.n}"


def extract(now: DecisionContext, command: ExtractFacts) -> list[AnyEvent]:
    output = model_outputs.said(now.shelves, command.request)
    if output is None:
        return now.deny("output_missing", command.request)
    if command.after != _reached(now, command) or now.shelves.has(
        extractions.SHELF, command.request
    ):
        return now.deny("extraction_exists", command.request)
    texts = {label(each): each for each in _texts(now, command)}
    privacy = now.desk.policy.privacy
    found = rules.believed(
        output.text,
        [ShownText(label=name, text=it.text, speaker=it.speaker) for name, it in texts.items()],
        now.desk.policy.learning,
        lambda said: write_gate.DENY_PATTERN if privacy.denies(said) else "",
    )
    work = _Extraction(now, command, texts)
    for fact in found.facts:
        work.take(fact)
    again = found.reason and command.attempt < now.desk.policy.learning.attempts_max
    told = copied(
        FactsExtracted,
        command,
        origin=command.origin,
        upto=command.after if again else command.upto,
        sources=len(texts),
        model=output.model,
        kept=tuple(work.kept),
        replaced=tuple(work.replaced),
        ended=tuple(work.ended),
        dropped=dict(sorted(_added(found.dropped, work.dropped).items())),
        reason=found.reason,
    )
    return [*work.events, told]


def _reached(now: DecisionContext, command: ExtractFacts) -> int:
    """Up to which entry the texts of an origin are read; two who ask at once are not both read."""
    named = extractions.reach(command.subject, command.origin)
    line = now.shelves.get(extractions.REACHED, named)
    return line.event.upto if line and isinstance(line.event, FactsExtracted) else 0


class _Extraction:
    """One answer as it is kept, fact after fact; each sees what those before it took."""

    def __init__(
        self, now: DecisionContext, command: ExtractFacts, texts: dict[str, Offered]
    ) -> None:
        self._now, self._command, self._texts = now, command, texts
        self._taken: set[str] = set()  # keys that this answer wrote or ended
        self.events: list[AnyEvent] = []
        self.kept: list[str] = []
        self.replaced: list[str] = []
        self.ended: list[str] = []
        self.dropped: dict[str, int] = {}

    def take(self, fact: ExtractedFact) -> None:
        if fact.op == "add":
            self._keep(fact, self._free_key(fact))
            return
        before = self._known(fact.replaces)
        if not before:
            self._drop(NOT_EXTRACTED)
        elif fact.replaces in self._taken:
            self._drop(REPLACED_IN_BATCH)
        elif any(_weight(memo) > ORIGIN_WEIGHT.index(self._command.origin) for memo in before):
            self._drop(OUTRANKED)
        elif fact.op == "replace":
            self._keep(fact, fact.replaces)
        else:
            self._end(fact.replaces, before)

    def _known(self, key: str) -> list[Memo]:
        """What a key of this person says now, where a model said it."""
        found = memo_reads.current(self._now.shelves, key, self._command.subject)
        return found if all(map(is_extracted, found)) else []

    def _free_key(self, fact: ExtractedFact) -> str:
        """A key that nothing holds: what is added takes nobody's place."""
        named = (fact.key, f"{fact.key}/{rules.slug(fact.object or fact.statement)}")
        counted = (f"{fact.key}/{n}" for n in count(2))
        return next(key for key in chain(named, counted) if not self._is_held(key))

    def _is_held(self, key: str) -> bool:
        subject = self._command.subject
        return key in self._taken or bool(memo_reads.current(self._now.shelves, key, subject))

    def _keep(self, fact: ExtractedFact, key: str) -> None:
        command = self._memo(fact, key)
        told = later.keep.keep(self._now, command)
        declined = next((each for each in told if isinstance(each, MemoDeclined)), None)
        if declined is not None and self._is_on_another_word(declined.like, command):
            told = later.keep.keep(self._now, command, anew=True)
            declined = next((each for each in told if isinstance(each, MemoDeclined)), None)
        if declined is not None:
            self._drop(declined.reasons[-1])
            return
        kept = next(each for each in told if isinstance(each, MemoKept))
        self._taken.add(key)
        self.events += told
        self.kept.append(kept.memo.id)
        self.replaced += [each for each in (kept.supersedes, *kept.chunks_before) if each]
        # The next memo is counted behind this one.
        memos = msgspec.structs.replace(self._now.desk.memos, kept=kept.n)
        desk = msgspec.structs.replace(self._now.desk, memos=memos)
        self._now = msgspec.structs.replace(self._now, desk=desk)

    def _is_on_another_word(self, like: str, command: Memorize) -> bool:
        """Whether the one that says the same has another source: neither speaks for the other."""
        twin = memo_reads.get(self._now.shelves, like) if like else None
        return twin is not None and twin.source != command.source

    def _end(self, key: str, before: Sequence[Memo]) -> None:
        self._taken.add(key)
        gone = tuple(memo.id for memo in before)
        self.ended += gone
        self.events.append(
            MemosForgotten(
                place=MemoPlace.SM,
                memo_ids=gone,
                phrase=validity.OVER,
                subject=self._command.subject,
            )
        )

    def _drop(self, code: str) -> None:
        self.dropped[code] = self.dropped.get(code, 0) + 1

    def _memo(self, fact: ExtractedFact, key: str) -> Memorize:
        shown = self._texts[fact.source]
        origin = {
            "request": self._command.request,
            "source": shown.id,
            "origin": str(shown.origin),
            "quote": fact.quote,
            "subject": fact.subject,
            "relation": fact.relation,
            "object": fact.object,
            "category": fact.category,
        }
        return Memorize(
            kind=MemoType.FACT,
            text=fact.statement.strip(),
            source=SOURCES.get(self._command.origin, MemoSource.MODEL),
            store=MemoPlace.SM,
            metadata={EXTRACTED: {name: value for name, value in origin.items() if value}},
            key=key,
            since=f"{fact.day or shown.ts[:10]}T00:00:00.000Z",
            subject=self._command.subject,
        )


def undo(now: DecisionContext, command: UndoExtraction) -> list[AnyEvent]:
    """What one extraction kept leaves, and what it replaced or ended is back where nothing is."""
    line = now.shelves.get(extractions.SHELF, command.request)
    told = line.event if line else None
    if not isinstance(told, FactsExtracted) or told.subject != command.subject:
        return now.deny("extraction_unknown", command.request)
    if now.shelves.has(extractions.UNDONE, command.request):
        return now.deny("extraction_undone", command.request)
    leaving = [each for each in told.kept if memo_reads.lives_in(now.shelves, each)]
    gone = _kept(now, (*told.replaced, *told.ended))
    restored = [each for each in gone if _is_free(now, each, leaving)]
    events: list[AnyEvent] = []
    if leaving:
        events.append(
            MemosForgotten(
                place=MemoPlace.SM,
                memo_ids=tuple(leaving),
                phrase="",
                reason=command.request,
                subject=command.subject,
            )
        )
    for each in restored:
        assert isinstance(each.event, MemoKept)
        events.append(later.keep.shelved(each.event, each.seq, (MemoPlace.SM,), "restored"))
    undone = ExtractionUndone(
        request=command.request,
        forgotten=tuple(leaving),
        restored=tuple(_id(each) for each in restored),
        subject=command.subject,
    )
    return [*events, undone]


def is_extracted(memo: Memo) -> bool:
    """Whether a model said it; what a person keeps is theirs, whatever its metadata says."""
    theirs = memo.source in {MemoSource.USER, MemoSource.SYSTEM}
    return not theirs and isinstance(memo.metadata, dict) and EXTRACTED in memo.metadata


def _weight(memo: Memo) -> int:
    """How much the words weigh that a fact was extracted from; most, where nobody can say."""
    match memo.metadata:
        case {"extracted": {"origin": str(origin)}} if origin in set(Origin):
            return ORIGIN_WEIGHT.index(Origin(origin))
        case _:
            return len(ORIGIN_WEIGHT)


def _texts(now: DecisionContext, command: ExtractFacts) -> Iterable[Offered]:
    """The texts that the model was shown, as far as they live, are of this origin and about us."""
    wanted = set(command.sources)
    for seq in sorted({int(each.partition(".")[0]) for each in wanted if is_label(each)}):
        line = now.shelves.line(seq) if command.after < seq <= command.upto else None
        observed = validity.moment(now.shelves, line) if line else ""
        for each in offered(now.shelves, line, command.subject, observed) if line else ():
            if label(each) in wanted and each.origin == command.origin:
                yield each


def is_label(name: str) -> bool:
    seq, dot, n = name.partition(".")
    return bool(dot) and seq.isdecimal() and n.isdecimal() and len(name) <= len("9" * 24)


def lives(shelves: Shelves, text: Offered) -> bool:
    """Whether nobody has forgotten, replaced or erased a text."""
    if text.layer == MIRROR:
        return not shelves.has(loop_events.FORGOTTEN, text.id)
    return any(shelves.has(shelf, text.id) for shelf in KINDS.get(text.layer, ()))


def _kept(now: DecisionContext, memo_ids: Iterable[str]) -> Iterable[Line]:
    for each in memo_ids:
        line = memo_reads.kept_at(now.shelves, each)
        if line is not None and not memo_reads.lives_in(now.shelves, each):
            yield line


def _is_free(now: DecisionContext, line: Line, leaving: Sequence[str]) -> bool:
    """Whether nothing that stays holds the key of a memo."""
    assert isinstance(line.event, MemoKept)
    held = memo_reads.current(now.shelves, line.event.memo.key, line.event.subject)
    return all(memo.id in leaving for memo in held)


def _id(line: Line) -> str:
    assert isinstance(line.event, MemoKept)
    return line.event.memo.id


def _added(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {code: one.get(code, 0) + other.get(code, 0) for code in {*one, *other}}

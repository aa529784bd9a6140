"""Bulk forgetting by filter: a preview, one append, and an undo for all of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.conversation import revert_change
from muniment.engine.conversation.resting_records import resting_on
from muniment.engine.projections.index import Index
from muniment.engine.search import recall_filter, recall_results
from muniment.engine.search.recall import Recaller
from muniment.engine.search.recall_filter import RecallFilter
from muniment.engine.session.agent_session import AgentSession
from muniment.layers.governance import governed_facts
from muniment.layers.shelves import ITEMS
from muniment.log.entry import Line
from muniment.model.commands import AnyCommand, Forget
from muniment.model.errors import HELD, InputError
from muniment.model.policy import Trust
from muniment.retrieval import arrays as np
from muniment.retrieval.index import index_feed

AT_ONCE_MAX: Final = 10_000  # records of one change: who means more narrows it, and comes again
EVERYBODY: Final = Trust(quarantined=())


class ForgetCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """One record that a filter names."""

    id: str
    kind: str
    text: str


class ForgottenRecords(msgspec.Struct, frozen=True, kw_only=True):
    """What a filter names, and between which entries it was forgotten; a preview has none."""

    records: tuple[ForgetCandidate, ...]
    refused: tuple[str, ...] = ()  # ids of what may not be forgotten by this call; a preview knows
    # what is about nobody, which is not one user's to forget
    held: tuple[str, ...] = ()  # the legal holds that some of these wait for, each as it is named
    governed: tuple[
        ForgetCandidate, ...
    ] = ()  # facts that it names: each needs a request and a yes
    first: int = 0
    last: int = 0


class BulkForget:
    """Forgets what a filter names in the memory of one session, whatever kind it is."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session
        self._recaller = Recaller(session)

    def forget(self, where: object, *, reason: str, preview: bool) -> ForgottenRecords:
        spelled = self._recaller.spelled(where)
        if not spelled:
            raise InputError("where: a filter is needed, and it must not match everything")
        named = tuple(self.named(spelled))
        if len(named) > AT_ONCE_MAX:
            raise InputError(f"where: it names {len(named)}; the limit is {AT_ONCE_MAX}")
        found = tuple(each for each, is_theirs in named if is_theirs)
        stay = tuple(each.id for each, is_theirs in named if not is_theirs)
        governed = tuple(self._governed(spelled))
        if preview or not found:
            return ForgottenRecords(records=found, refused=stay, governed=governed)
        resting = resting_on(self._session, {each.id for each in found})
        also = (
            Forget(item_id=each, reason=reason, subject=self._session.subject) for each in resting
        )
        told = self._session.append_all([*(self.command(each, reason) for each in found), *also])
        refused = [each.id for each, its in zip(found, told, strict=False) if its.refusal]
        noes = [each.refusal for each in told if each.refusal]
        return ForgottenRecords(
            records=tuple(each for each in found if each.id not in refused),
            refused=(*refused, *stay),
            held=tuple(dict.fromkeys(no.detail for no in noes if no.reason == HELD)),
            governed=governed,
            first=told[0].lines[0].seq,
            last=told[-1].lines[-1].seq,
        )

    def restore(self, first: int, last: int) -> int:
        """Bring back what was forgotten between two entries, both included; says how many."""
        return revert_change.revert(self._session, first, last)

    def named(self, where: str) -> Iterator[tuple[ForgetCandidate, bool]]:
        """Everything alive that passes, also what has expired or waits for a yes; and whether
        it is theirs to forget. What is about nobody is everybody's, and no one user's.
        """
        snapshot, mine = self._session.snapshot(), self._session.writer.stream.ref
        known: set[str] = set()
        for index, seq in self._recaller.indexes(snapshot):
            for each, line in _passing(index, seq, where):
                if each.id not in known:
                    known.add(each.id)
                    yield each, not (self._session.subject and line.is_only_about(mine))

    def _governed(self, where: str) -> Iterator[ForgetCandidate]:
        """Facts about this person that pass: they stay, whatever else goes."""
        for fact in recall_results.let_in(self._session.snapshot().own, where):
            text = recall_results.fact_line(fact)
            yield ForgetCandidate(id=fact.key, kind=governed_facts.SHELF, text=text)

    def command(self, record: ForgetCandidate, reason: str) -> AnyCommand:
        if record.kind == ITEMS:
            return later.item_conversation.holding(self._session, record.id).retraction(record.id)
        return Forget(item_id=record.id, reason=reason, subject=self._session.subject)


def _passing(index: Index, seq: int, where: str) -> Iterator[tuple[ForgetCandidate, Line]]:
    """What passes, with the entry that holds its words."""
    view = index.view(seq)
    wanted = RecallFilter(results_max=0, where=where, listed=True)
    out = np.zeros(view.register.count, dtype=bool)
    for _, mask in recall_filter.barred(view, wanted, EVERYBODY):
        out |= mask
    numbers = np.flatnonzero(~out)
    names, places = view.collection.ids_of(numbers), view.register.stands(numbers)
    for name, stands in zip(names, places, strict=True):
        line = index.lines([stands.seq])[stands.seq]
        kept = index_feed.kept_at(line)
        held = index.lines([kept])[kept]
        text = index_feed.text_of(index.stream, held, stands.n)
        if text is not None:
            yield ForgetCandidate(id=name, kind=stands.layer, text=text), held

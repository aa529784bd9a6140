"""Forgetting by filter: a preview of what would go, all of it in one append, and all of it back."""

from collections.abc import Iterator
from typing import Final

import msgspec
import numpy as np

from muniment.engine.conversation.item_conversation import holding
from muniment.engine.projections.index import Index
from muniment.engine.search import candidate_selection
from muniment.engine.search.candidate_selection import RecallFilter
from muniment.engine.search.recall import Recaller
from muniment.engine.session.agent_session import AgentSession
from muniment.layers import episodes
from muniment.layers.shelves import ITEMS
from muniment.log.entry import Line
from muniment.model.commands import AnyCommand, Forget, RestoreRecord
from muniment.model.commands.conversation import RetractItem
from muniment.model.commands.memos import RestoreMemo
from muniment.model.errors import InputError
from muniment.model.events import ItemForgotten
from muniment.model.events.conversation import Forwarded, ItemDeleted
from muniment.model.events.memos import MemosForgotten
from muniment.model.policy import Trust
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
    refused: tuple[str, ...] = ()  # ids of what may not be forgotten by this call
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
            raise InputError("where: a filter is wanted; what would forget everything is no filter")
        found = tuple(self._named(spelled))
        if len(found) > AT_ONCE_MAX:
            raise InputError(f"where: it names {len(found)}; at most {AT_ONCE_MAX} go at once")
        if preview or not found:
            return ForgottenRecords(records=found)
        told = self._session.append_all([self._command(each, reason) for each in found])
        refused = [each.id for each, its in zip(found, told, strict=True) if its.refusal]
        return ForgottenRecords(
            records=tuple(each for each in found if each.id not in refused),
            refused=tuple(refused),
            first=told[0].lines[0].seq,
            last=told[-1].lines[-1].seq,
        )

    def restore(self, first: int, last: int) -> int:
        """Bring back what was forgotten between two entries, both included; says how many."""
        shelves = self._session.shelves(None)
        lines = self._session.writer.lines(after=first - 1, upto=last)
        commands = [
            each for line in lines if shelves.is_about_us(line) for each in self._undo(line)
        ]
        told = self._session.append_all(commands)
        return sum(each.refusal is None for each in told)

    def _named(self, where: str) -> Iterator[ForgetCandidate]:
        """Everything alive that passes, also what has expired or waits for a yes."""
        snapshot = self._session.snapshot()
        known: set[str] = set()
        own = self._session.index(snapshot.desk.policy)
        spaces = [
            (self._session.hub.index(space, self._session.subject, own.embedder.name), seq)
            for space, seq in snapshot.shared.items()
        ]
        for index, seq in [(own, snapshot.seq), *spaces]:
            for each in _passing(index, seq, where):
                if each.id not in known:
                    known.add(each.id)
                    yield each

    def _command(self, record: ForgetCandidate, reason: str) -> AnyCommand:
        if record.kind == ITEMS:
            return holding(self._session, record.id).retraction(record.id)
        return Forget(item_id=record.id, reason=reason, subject=self._session.subject)

    def _undo(self, line: Line) -> Iterator[AnyCommand]:
        subject, batch = self._session.subject, line.header.cause
        match line.event:
            case ItemForgotten(item_id=item_id, shelf=episodes.SHELF):
                yield RestoreRecord(item_id=item_id, subject=subject)
            case MemosForgotten(memo_ids=memo_ids):
                for memo_id in memo_ids:
                    yield RestoreMemo(memo_id=memo_id, subject=subject)
            case ItemDeleted(item_id=item_id, reason="retracted"):
                yield holding(self._session, item_id).undoing(batch, item_id, {})
            case Forwarded(to=place, command=RetractItem(item_id=item_id)):
                effect = self._session.hub.effect(line)
                if effect:
                    elsewhere = {place: effect[1][0].seq}
                    yield holding(self._session, item_id).undoing(batch, item_id, elsewhere)
            case _:
                return


def _passing(index: Index, seq: int, where: str) -> Iterator[ForgetCandidate]:
    view = index.view(seq)
    wanted = RecallFilter(results_max=0, where=where)
    out = np.zeros(view.register.count, dtype=bool)
    for _, mask in candidate_selection.barred(view, wanted, EVERYBODY):
        out |= mask
    numbers = np.flatnonzero(~out)
    names, places = view.collection.ids_of(numbers), view.register.stands(numbers)
    for name, stands in zip(names, places, strict=True):
        line = index.lines([stands.seq])[stands.seq]
        kept = index_feed.kept_at(line)
        text = index_feed.text_of(index.stream, index.lines([kept])[kept], stands.n)
        if text is not None:
            yield ForgetCandidate(id=name, kind=stands.layer, text=text)

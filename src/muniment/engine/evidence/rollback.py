"""Rollback of a source: what came from it and is derived from it; preview, apply, undo."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.conversation import revert_change
from muniment.engine.evidence.derivations import (
    WAYS,
    By,
    DerivationScan,
    DerivedRecords,
    RollbackTarget,
)
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams import command_pipeline
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.layers import document_rows, episodes, loop_events, memo_reads
from muniment.layers.memos.memos import SHELF_OF
from muniment.layers.shelves import ARCHIVE, ITEMS, Shelves
from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.commands import AnyCommand
from muniment.model.commands.conversation import RetractItem
from muniment.model.commands.rollback import RECORDS_MAX, RollBack
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events import AnyEvent, Shredded
from muniment.model.events.conversation import ItemWritten
from muniment.model.events.rollback import RecordsRevived, SourceRolledBack
from muniment.model.kinds.conversation_item import is_item
from muniment.model.kinds.loop import MIRROR_PREFIX
from muniment.model.scope import StreamId
from muniment.retrieval.index import index_feed
from muniment.retrieval.index.index_feed import MIRROR

UNKNOWN: Final = "item_unknown"  # it went with another that was taken back before it


class RollbackRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One record that a rollback takes back."""

    id: str
    kind: str
    text: str
    why: str  # source, derived
    answers: int = 0  # how many receipts of reads gave it out


class RolledBack(msgspec.Struct, frozen=True, kw_only=True):
    """What a rollback takes back; a preview has no entries, and has changed nothing."""

    what: str
    records: tuple[RollbackRecord, ...]
    restored: tuple[str, ...] = ()  # ids of what they had replaced, which stands again
    governed: tuple[str, ...] = ()  # keys of governed facts that rest on them: these need a yes
    answers: int = 0  # receipts of reads that gave out any of them
    refused: tuple[str, ...] = ()  # ids of what may not be taken back by this call
    first: int = 0
    last: int = 0


@checks_arguments
class Rollback:
    """Takes back a source for one session: what that session sees, and nothing of others."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session

    def roll_back(
        self, by: str, name: str, *, reason: str = "", preview: bool = False
    ) -> RolledBack:
        """Take back everything that came from one source and all that rests on it, as one change.

        `by` says what `name` names: a `source` (a page, a tool, a sender; a site means its pages),
        a `session`, an `item`, an `extraction`, a `model`, an `import` (the digest of its file) or
        an `entry` (all that this call wrote). What it had replaced stands again. A `preview` says
        what would go and changes nothing; `undo_rollback` takes the change back.
        """
        target = RollbackTarget(by=_way(by), name=canonical_json.admit_text(name).strip())
        if not target.name:
            raise InputError("name: a rollback needs a name")
        what = f"{target.by}: {target.name}"
        found, records = self._found(target)
        if target.by == "item" and not found.why:
            raise NotFoundError
        if len(found.why) > RECORDS_MAX:
            raise InputError(f"it names {len(found.why)} records; the limit is {RECORDS_MAX}")
        commands = self._commands(found, records, what, reason)
        shown = RolledBack(
            what=what,
            records=tuple(records),
            governed=tuple(self._standing(found.governed)),
            answers=found.receipts,
        )
        if preview or not commands:
            tried = [each for it in commands for each in later.dry_run.tried(self._session, it)]
            return msgspec.structs.replace(shown, restored=_restored(tried))
        return self._told(shown, commands)

    def undo_rollback(self, first: int) -> int:
        """Undo a rollback by its first entry: every record is back under its own id; how many."""
        batch = self._session.writer.batch(first)
        told = next((e.event for e in batch if isinstance(e.event, SourceRolledBack)), None)
        if told is None or not all(map(self._session.shelves(None).is_about_us, batch)):
            raise NotFoundError
        for _ in range(told.changes):
            batch = self._session.writer.batch(batch[-1].seq + 1)
        return revert_change.revert(self._session, first, batch[-1].seq)

    # ── What is found ───────────────────────────────────────────────────────────────────────────

    def _found(self, target: RollbackTarget) -> tuple[DerivedRecords, list[RollbackRecord]]:
        """What lives of all that came from the target, here and in the spaces that are shared."""
        hub, own = self._session.hub, self._session.stream_id
        found, records = DerivedRecords(), list[RollbackRecord]()
        for stream_id in (own, *self._session.snapshot().shared):
            known = set(found.why)
            scan = DerivationScan(target, found)
            scan.read(hub.writer(stream_id).lines(), self._seen(stream_id))
            shelves = self._shelves(stream_id)
            records += [
                self._record(stream_id, each, kind, found)
                for each in found.why
                if each not in known and (kind := _kind(shelves, each))
            ]
        return found, records

    def _shelves(self, stream_id: StreamId) -> Shelves:
        own = stream_id == self._session.stream_id
        return self._session.shelves(None) if own else self._session.hub.shelves(stream_id)

    def _seen(self, stream_id: StreamId) -> Callable[[Line], bool]:
        """What is about this session's user, or about nobody; without a user, only the latter."""
        stream = self._session.hub.stream(stream_id)
        keyring = self._session.hub.parts.world.keyring
        mine = command_pipeline.subject_ref(stream, self._session.subject, keyring)
        return lambda line: {part.subject for part in line.header.parts} <= {stream.ref, mine}

    def _record(
        self, stream_id: StreamId, name: str, kind: str, found: DerivedRecords
    ) -> RollbackRecord:
        seq, n = found.places[name]
        hub = self._session.hub
        line = next(iter(hub.writer(stream_id).lines(after=seq - 1, upto=seq)))
        return RollbackRecord(
            id=name,
            kind=kind,
            text=index_feed.text_of(hub.stream(stream_id), line, n) or "",
            why=found.why[name],
            answers=found.answers.get(name, 0),
        )

    def _standing(self, keys: Iterable[str]) -> Iterator[str]:
        held = {fact.key for fact in self._session.snapshot().facts}
        return (key for key in keys if key in held)

    # ── What is asked ───────────────────────────────────────────────────────────────────────────

    def _commands(
        self, found: DerivedRecords, records: Sequence[RollbackRecord], what: str, reason: str
    ) -> list[AnyCommand]:
        """One command for what this log ends itself, and one for each item of a conversation.

        What an item had replaced stands again, unless it came from the same source.
        """
        if not records:
            return []
        items = tuple(each for each in found.why if is_item(each))
        living = {each.id for each in records}
        going = [
            later.item_conversation.holding(self._session, each).retraction(each, without=items)
            for each in reversed(items)
            if each in living
        ]
        first = RollBack(
            records=tuple(found.why),
            what=what,
            reason=reason,
            changes=len(going),
            subject=self._session.subject,
        )
        return [first, *going]

    def _told(self, shown: RolledBack, commands: Sequence[AnyCommand]) -> RolledBack:
        first, *_ = commands
        if later.dry_run.would_be_refused(self._session, first):  # none of it is done
            commands = [msgspec.structs.replace(first, changes=0)]
        told = self._session.append_all(commands)
        told[0].or_raise()
        refused = [
            command.item_id
            for command, its in zip(commands, told, strict=True)
            if isinstance(command, RetractItem) and its.refusal and its.refusal.reason != UNKNOWN
        ]
        events = [line.event for each in told for line in each.lines]
        return msgspec.structs.replace(
            shown,
            records=tuple(each for each in shown.records if each.id not in refused),
            restored=_restored(events),
            refused=tuple(refused),
            first=told[0].lines[0].seq,
            last=told[-1].lines[-1].seq,
        )


def _way(by: str) -> By:
    if by not in WAYS:
        raise InputError(f"by must be one of {', '.join(WAYS)}")
    return by  # type: ignore[return-value]


def _kind(shelves: Shelves, name: str) -> str:
    """What a living record is; empty for one that has ended."""
    if is_item(name):
        return ITEMS if shelves.has(ITEMS, name) or shelves.has(ARCHIVE, name) else ""
    if document_rows.is_document(name):
        return document_rows.SHELF if shelves.has(document_rows.SHELF, name) else ""
    if name.startswith(MIRROR_PREFIX):
        return "" if shelves.has(loop_events.FORGOTTEN, name) else MIRROR
    if shelves.has(episodes.SHELF, name):
        return episodes.SHELF
    places = memo_reads.lives_in(shelves, name)
    return SHELF_OF[places[0]] if places else ""


def _restored(events: Iterable[AnyEvent | Shredded]) -> tuple[str, ...]:
    """What stands again: under its own id, or as an item that says of which it is the return."""
    found: dict[str, None] = {}
    for event in events:
        match event:
            case RecordsRevived() as told:
                found |= dict.fromkeys(loop_events.lives_again(told))
            case ItemWritten(item=item):
                mark = later.space_writer.RESTORED
                tags = (each for each in item.meta.policy_tags if each.startswith(mark))
                found |= dict.fromkeys(each.removeprefix(mark) for each in tags)
            case _:
                pass
    return tuple(found)

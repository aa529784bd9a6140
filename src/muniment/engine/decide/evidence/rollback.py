"""Rollback: records of a source end, and what they had replaced is in force again.

Nothing is told anew: a record that lives again has its own id, its words and its place among
others, so to roll back and to undo that leaves every reading as it was.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from muniment.engine.decide import records
from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import (
    conversation_items,
    document_rows,
    episodes,
    loop_events,
    memo_reads,
    shelves,
)
from muniment.layers.memos import memos
from muniment.log.entry import Line
from muniment.log.shelf_rows import Ending, Opening
from muniment.log.store import ShelfRow
from muniment.model.commands import RestoreRecord
from muniment.model.commands.rollback import LedgerWindow, RevertChange, RollBack
from muniment.model.errors import ABOUT_NOBODY
from muniment.model.events import AnyEvent, EpisodeWritten, ItemForgotten, Received
from muniment.model.events.conversation import Forwarded, ItemDeleted, ItemWritten
from muniment.model.events.documents import DocumentsDropped
from muniment.model.events.learning import FactsExtracted
from muniment.model.events.memos import MemoKept, MemosForgotten
from muniment.model.events.rollback import EndedRow, RecordsRevived, RevivedRow, SourceRolledBack
from muniment.model.kinds.conversation_item import WISHED, Ledger
from muniment.model.struct_copy import copied
from muniment.retrieval.dates import validity

ROLLED_BACK: Final = "rolled_back"
# The shelves whose rows are records: what else an entry notes stays noted.
OF_RECORDS: Final = frozenset(
    {
        episodes.SHELF,
        shelves.ITEMS,
        shelves.RIVALS,
        shelves.ARCHIVE,
        memos.EPISODIC,
        memos.SEMANTIC,
        memos.ARCHIVED,
        document_rows.SHELF,
        loop_events.FORGOTTEN,
    }
)
# What is asked to take something back; anything else between two entries is not undone.
TAKING_BACK: Final = frozenset(
    {"forget", "forget_memos", "retract_item", "roll_back", "drop_documents", "hear_wish"}
)
# In what a person says in their own name they may ask to forget something.
SAYING: Final = frozenset(
    {"remember", "record_interaction", "memorize", "take_turn", "observe_event", "admit_item"}
)
Named = tuple[str, str]  # a shelf, and an id


# ── A source is rolled back ─────────────────────────────────────────────────────────────────────


def roll_back(now: DecisionContext, command: RollBack) -> list[AnyEvent]:
    ends: dict[str, list[AnyEvent]] = {}
    births: list[Line] = []
    for item_id in command.records:
        born, ending = _ended(now, item_id, command.reason)
        if born is not None:
            births.append(born)
            ends[item_id] = ending
    if not ends and not command.changes:
        return now.deny("item_unknown", next(iter(command.records), ""))
    told = copied(SourceRolledBack, command)
    gone = _each_once(each for events in ends.values() for each in events)
    gone_too = {*ends, *command.records}  # what the source told and has lost by now stays away
    back = [row for born in births for row in _replaced(now, born, gone_too)]
    return [told, *gone, *_revived(now, back, [])]


def _ended(now: DecisionContext, item_id: str, reason: str) -> tuple[Line | None, list[AnyEvent]]:
    """The entry that holds a living record, and what ends it."""
    if document_rows.is_document(item_id):
        subject, namespace, key = document_rows.named(item_id)
        line = now.shelves.get(document_rows.SHELF, item_id)
        mine = subject == now.received.command.subject
        if line is None or not mine or now.desk.policy.documents.governed:
            return None, []
        gone = DocumentsDropped(
            namespace=namespace, keys=(key,), subject=subject, reason=ROLLED_BACK, request_id=""
        )
        return line, [gone]
    named = records.find(now, item_id)
    if named is None:
        return None, []
    return named.line, records.ending(now, item_id, named, reason)


def _each_once(events: Iterable[AnyEvent]) -> Iterator[AnyEvent]:
    """A summary that tells of several of them ends with the first."""
    known: set[tuple[str, str]] = set()
    for each in events:
        if isinstance(each, MemosForgotten):
            names = tuple(name for name in each.memo_ids if (each.place, name) not in known)
            known.update((each.place, name) for name in names)
            if not names:
                continue
            yield msgspec.structs.replace(each, memo_ids=names)
        else:
            yield each


def _replaced(now: DecisionContext, born: Line, gone: set[str]) -> Iterator[tuple[str, ShelfRow]]:
    """What a record had put an end to when it came, and what nothing else has replaced since.

    Where that is gone too, what it had put an end to itself.
    """
    for ended in _ends_of(now, born, gone):
        for each in shelves.named_changes(ended):
            if not isinstance(each, Ending) or each.shelf not in OF_RECORDS:
                continue
            lives = list(now.shelves.intervals(each.shelf, each.id))
            last = [row for _, row in lives if row.died == ended.seq]
            if each.id in gone and each.shelf != document_rows.SHELF:
                lines = (now.shelves.line(row.born) for row in last)
                yield from (row for line in lines if line for row in _replaced(now, line, gone))
            elif each.id in gone or all(row.died is not None for _, row in lives):
                yield from ((each.id, row) for row in last)


def _ends_of(now: DecisionContext, born: Line, gone: set[str]) -> Iterator[Line]:
    """The entries that say what a record replaced: its own, and those its batch holds for it."""
    yield born
    told = born.event
    cited = (
        {each.episodic_id for each in told.evidence if each.note == "corrects"}
        if isinstance(told, EpisodeWritten)
        else set()
    )
    if not cited and not isinstance(told, MemoKept):
        return
    batch = list(_batch(now, born.header.cause))
    whole = any(
        isinstance(line.event, FactsExtracted) and gone.issuperset(line.event.kept)
        for line in batch
    )
    for line in batch:
        names = {each.id for each in shelves.named_changes(line) if isinstance(each, Ending)}
        over = isinstance(line.event, MemosForgotten) and line.event.phrase == validity.OVER
        if line.seq != born.seq and (names & cited or (whole and over)):
            yield line


def _batch(now: DecisionContext, first: int) -> Iterator[Line]:
    line = now.shelves.line(first)
    while line is not None and line.header.cause == first:
        if now.shelves.is_about_us(line):
            yield line
        line = now.shelves.line(line.seq + 1)


# ── A change is undone ──────────────────────────────────────────────────────────────────────────


def revert(now: DecisionContext, command: RevertChange) -> list[AnyEvent]:
    """What lived before the change lives again; what it had put there ends."""
    back: list[tuple[str, ShelfRow]] = []
    ended: list[Ending] = []
    for shelf, item_id in _touched(now, command.first, command.last):
        lives = list(now.shelves.intervals(shelf, item_id))
        living = [(begun, row) for begun, row in lives if row.died is None]
        if any(begun > command.last for begun, _ in living):
            continue  # something else has taken its place since
        if any(begun >= command.first for begun, _ in living):
            ended.append(Ending(shelf=shelf, id=item_id))
        back += [
            (item_id, row)
            for begun, row in lives
            if begun < command.first and row.died is not None and row.died >= command.first
        ]
    free = [each for each in back if _is_free(now, *each, ended)]
    events: list[AnyEvent] = [*_revived(now, free, ended, command)]
    events += _there(now, command)
    return events or now.deny("nothing_to_undo")


def is_wished(event: object) -> bool:
    """Whether something left because a person asked for it with what they said."""
    if isinstance(event, ItemDeleted):
        return event.rule == WISHED
    return isinstance(event, ItemForgotten | MemosForgotten)


def wished_elsewhere(now: DecisionContext, batch: int, owner: str) -> list[AnyEvent]:
    """What a wish in a session ended outside of it is back: sentences, memos, other sessions."""
    back: list[tuple[str, ShelfRow]] = []
    ended: list[Ending] = []
    for line in _batch(now, batch):
        here = isinstance(line.event, ItemDeleted) and line.event.owner == owner
        if here or not is_wished(line.event):
            continue
        for each in shelves.named_changes(line):
            if each.shelf == loop_events.FORGOTTEN and isinstance(each, Opening):
                ended.append(Ending(shelf=each.shelf, id=each.id))
            lives = now.shelves.intervals(each.shelf, each.id)
            back += [(each.id, row) for _, row in lives if row.died == line.seq]
    free = [each for each in back if _is_free(now, *each, ended)]
    return [*_revived(now, free, [each for each in ended if now.shelves.has(each.shelf, each.id)])]


def restore(now: DecisionContext, command: RestoreRecord) -> list[AnyEvent]:
    """One record that was forgotten is back where it stood, under its own id.

    Of an event of a loop nothing but a note had kept it from being read.
    """
    name = command.item_id
    heard = records.event_line(now, name)
    if heard is not None:
        if now.is_shared(heard):
            return now.deny(ABOUT_NOBODY, name)
        if not now.shelves.has(loop_events.FORGOTTEN, name):
            return now.deny("item_is_there", name)
        return [*_revived(now, [], [Ending(shelf=loop_events.FORGOTTEN, id=name)])]
    known = next(now.shelves.ever(episodes.SHELF, item_id=name), None)
    if known is None:
        return now.deny("item_unknown", name)
    _, died, line = known
    if now.is_shared(line):
        return now.deny(ABOUT_NOBODY, name)
    if died is None:
        return now.deny("item_is_there", name)
    lives = now.shelves.intervals(episodes.SHELF, name)
    return [*_revived(now, [(name, row) for _, row in lives if row.died == died], [])]


def _touched(now: DecisionContext, first: int, last: int) -> Iterator[Named]:
    known: set[Named] = set()
    cause, by = 0, ""
    for seq in range(first, last + 1):
        line = now.shelves.line(seq)
        if line is None or not now.shelves.is_about_us(line):
            continue
        if line.header.cause != cause:
            cause, asked = line.header.cause, now.shelves.line(line.header.cause)
            told = asked.event if asked else None
            by = told.asked if isinstance(told, Received) else ""
        if by not in TAKING_BACK and not (by in SAYING and is_wished(line.event)):
            continue
        for each in shelves.named_changes(line):
            named = (each.shelf, each.id)
            if each.shelf in OF_RECORDS and named not in known:
                known.add(named)
                yield named


def _is_free(now: DecisionContext, _: str, row: ShelfRow, ended: list[Ending]) -> bool:
    """Whether nothing that stays has taken the key of a record meanwhile."""
    line = now.shelves.line(row.born)
    told, gone = (line.event if line else None), {each.id for each in ended}
    if isinstance(told, ItemWritten) and told.item.meta.dedup_key and told.item.meta.space:
        item = told.item
        held = conversation_items.rivals(
            now.shelves, told.item.meta.space, item.meta.owner, item.kind, item.meta.dedup_key
        )
        return all(each.id in gone for each in held)
    if isinstance(told, MemoKept) and told.memo.key and row.shelf == memos.SEMANTIC:
        known = memo_reads.current(now.shelves, told.memo.key, told.subject)
        return all(memo.id in gone for memo in known)
    return True


def _there(now: DecisionContext, command: RevertChange) -> Iterator[Forwarded]:
    """What the change did in shared spaces is undone in their own streams."""
    sent = now.desk.ledgers.forwarded
    for n, its in enumerate(command.elsewhere, start=sent + 1):
        there = RevertChange(
            first=its.first, last=its.last, windows=its.windows, subject=command.subject
        )
        yield Forwarded(n=n, to=its.to, command=there)


def item_revived(now: DecisionContext, version: conversation_items.ItemVersion) -> RecordsRevived:
    """An item that had been replaced stands again where it stood; its window is another's."""
    name = version.item.id
    back = [
        (name, row)
        for shelf in (shelves.ITEMS, shelves.RIVALS, shelves.ARCHIVE)
        for _, row in now.shelves.intervals(shelf, name)
        if row.died is not None and row.died == version.died
    ]
    told = next(_revived(now, back, []))
    return msgspec.structs.replace(told, ledger=0, window=(), unsummarised=(), summary="")


# ── What is told of both ────────────────────────────────────────────────────────────────────────


class _Group(msgspec.Struct):
    """Rows that one entry tells of: about one person or about nobody, of one space."""

    rows: list[RevivedRow] = []
    ended: list[EndedRow] = []


def _revived(
    now: DecisionContext,
    back: Iterable[tuple[str, ShelfRow]],
    ended: Iterable[Ending],
    command: RevertChange | None = None,
) -> Iterator[RecordsRevived]:
    groups: dict[tuple[str, int], _Group] = defaultdict(_Group)
    for item_id, row in {(row.shelf, row.born, row.n): (name, row) for name, row in back}.values():
        line = now.shelves.line(row.born)
        if line is not None:
            content = RevivedRow(
                row.shelf, item_id, _key(line, row), row.born, row.n, row.died or 0
            )
            groups[_about(now, line)].rows.append(content)
    for gone in ended:
        lives = [row for _, row in now.shelves.intervals(gone.shelf, gone.id)]
        line = now.shelves.line(lives[0].born) if lives else None
        if line is not None:
            # Of a row that had been revived: the end that it had before counts again.
            was = next((it.died for it in lives[1:] if it.born == lives[0].born), None) or 0
            groups[_about(now, line)].ended.append(EndedRow(gone.shelf, gone.id, was))
    for (subject, ledger), its in groups.items():
        told = RecordsRevived(
            first=command.first if command else 0,
            last=command.last if command else 0,
            rows=tuple(its.rows),
            ended=tuple(its.ended),
            ledger=ledger,
            subject=subject,
        )
        yield _with_window(now, told, command)


def _key(line: Line, row: ShelfRow) -> str:
    """Under which the row was found: as the entry says that it began with."""
    opened = shelves.named_changes(line)[row.n - 1]
    return opened.key if isinstance(opened, Opening) else ""


def _about(now: DecisionContext, line: Line) -> tuple[str, int]:
    subject = "" if now.is_shared(line) else now.received.command.subject
    return subject, getattr(line.event, "ledger", 0)


def _with_window(
    now: DecisionContext, told: RecordsRevived, command: RevertChange | None
) -> RecordsRevived:
    """The window of a space as it is from here on: with those that stood in it before."""
    ledger = now.desk.ledgers.open.get(told.ledger)
    if ledger is None:
        return told
    before = (command.windows if command else {}).get(str(told.ledger), LedgerWindow())
    gone = {each.id for each in told.ended} - {each.id for each in told.rows}
    back = {each.id for each in told.rows}
    return msgspec.structs.replace(
        told,
        window=_merged(ledger.window, before.window, back, gone),
        unsummarised=_merged(ledger.unsummarised, before.unsummarised, back, gone),
        summary=_summary(ledger, before, back, gone),
    )


def _summary(ledger: Ledger, before: LedgerWindow, back: set[str], gone: set[str]) -> str:
    stands = ledger.summary if ledger.summary not in gone else ""
    return before.summary if before.summary in back else stands


def _merged(
    held: tuple[str, ...], before: tuple[str, ...], back: set[str], gone: set[str]
) -> tuple[str, ...]:
    """Items in the order in which they were written, which their ids count."""
    names = {*(each for each in held if each not in gone), *(e for e in before if e in back)}
    return tuple(sorted(names, key=lambda each: int(each.rpartition(":")[2])))

"""Watch: notifications when the answer for a key, an entity or a question changes.

A change is told against a cursor: the place of the log and a keyed token of what stood there. So
nothing is kept here between two looks, whoever comes back after a restart goes on where they were,
and what was told cannot be read from a cursor.
"""

from collections.abc import Iterator
from typing import Final, Self

import msgspec

from muniment.engine.evidence.sealed_subscription import Happened
from muniment.engine.learning.entity_view import EntityView
from muniment.engine.search.reader import Reader
from muniment.engine.search.record_list import RecordList
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.session.dry_run import DryRunSession
from muniment.engine.streams.argument_checks import check_count
from muniment.layers import memo_reads
from muniment.log import sealing
from muniment.model import canonical_json, fact_keys
from muniment.model.errors import InputError
from muniment.retrieval.entities.relation_rules import USER

ANSWERS_MAX: Final = 20  # of a question: more than that is a list and no answer
TEXTS_MAX: Final = 200  # that name an entity: the newest
LOOK_TICKS: Final = 5  # between two looks at a memory that stands still
NOTHING: Final = "none"  # the token of what is not known, or not any more
MINUTE: Final = len("2026-03-05T10:00")  # what ends by the clock is noticed within one
TOKEN_DIGITS: Final = 2 * sealing.TOKEN_BYTES


class Watched(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is watched: a key, an entity or a question, exactly one of them."""

    key: str = ""
    entity: str = ""
    question: str = ""
    limit: int = 1  # of a question: how many of its answers count

    def checked(self) -> Self:
        if sum(map(bool, (self.key, self.entity, self.question))) != 1:
            raise InputError("watch exactly one of key, entity and question")
        if not 1 <= check_count(self.limit, "limit") <= ANSWERS_MAX:
            raise InputError(f"limit: from 1 to {ANSWERS_MAX} answers")
        for text in (self.key, self.entity, self.question):
            canonical_json.admit_text(text)
        return self


class WatchedItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is known: its id, what it says, and since when."""

    id: str
    text: str
    created: str = ""
    value: object = None  # of a governed fact


class WatchChange(msgspec.Struct, frozen=True, kw_only=True):
    """What stands now in place of what stood at the cursor before."""

    delivery_id: str  # of this place of the log: what is told twice has it twice
    cursor: str  # where to go on
    change: Happened
    seq: int  # where the reader's own log stood
    items: tuple[WatchedItem, ...] = ()  # all that is known now; of an end, nothing


class WatchedState(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known at one place of the logs, and its token."""

    seq: int
    place: str
    token: str
    items: tuple[WatchedItem, ...]


class Watch:
    """A subscription of one reader: `look()` answers at once, a `for` loop waits.

    What may be read is decided at each look: after a permission has gone, or somebody was erased,
    there is nothing, and that is told as an end.
    """

    def __init__(self, session: AgentSession, watched: Watched, after: str = "") -> None:
        self.watched = watched.checked()
        self.cursor = check_cursor(after)
        # Nobody was answered by a look that finds nothing new, so no receipt is kept of it.
        self._session = DryRunSession.beside(session)
        self._reader = Reader(self._session)
        self._entities = EntityView(self._session)
        self._records = RecordList(self._session)
        self._kept: tuple[tuple[object, ...], WatchedState] | None = None

    def look(self) -> WatchChange | None:
        """What has changed since the cursor, told once; what happened in between is in the log."""
        found = self.since(self.cursor)
        self.cursor = found.cursor if found else self.cursor
        return found

    def since(self, cursor: str) -> WatchChange | None:
        """The same for whoever keeps the cursor themselves."""
        state = self._state()
        before = check_cursor(cursor).partition(".")[2] or NOTHING
        if state.token == before:
            return None
        # Where the council stands counts other people: it is in the id, which says nothing.
        cursor, items = f"{state.seq}.{state.token}", state.items
        return WatchChange(
            delivery_id=self._token(f"{state.place}\x00{cursor}"),
            cursor=cursor,
            change="ended" if not items else "known" if before == NOTHING else "changed",
            seq=state.seq,
            items=items,
        )

    @property
    def items(self) -> tuple[WatchedItem, ...]:
        """All that is known now."""
        return self._state().items

    def __iter__(self) -> Iterator[WatchChange]:
        return self

    def __next__(self) -> WatchChange:
        while (found := self.look()) is None:
            self._session.hub.parts.clock.wait(LOOK_TICKS)
        return found

    # ── Inside ──────────────────────────────────────────────────────────────────────────────────

    def _state(self) -> WatchedState:
        """What stands now; it is read again only where something was written, or time went by."""
        session = self._session
        snapshot, keyring = session.snapshot(), session.hub.parts.world.keyring
        now = session.hub.parts.clock.now()
        on = (snapshot.reads, snapshot.desk.policy_digest, keyring.generation(), now[:MINUTE])
        if self._kept is None or self._kept[0] != on:
            items = self._known(now)
            state = WatchedState(
                seq=snapshot.seq,
                place=canonical_json.encode(dict(sorted(snapshot.reads.items()))).decode(),
                token=self._token(msgspec.json.encode(items).decode()) if items else NOTHING,
                items=items,
            )
            self._kept = (on, state)
        return self._kept[1]

    def _known(self, now: str) -> tuple[WatchedItem, ...]:
        wanted = self.watched
        if wanted.question:
            return self._answers(wanted)
        return self._under_key(wanted.key, now) if wanted.key else self._of_entity(wanted.entity)

    def _answers(self, wanted: Watched) -> tuple[WatchedItem, ...]:
        """The best answers by id: another order of the same ones is no change."""
        hits = self._reader.recall(wanted.question, limit=wanted.limit).hits
        found = (WatchedItem(id=hit.id, text=hit.told, created=hit.created) for hit in hits)
        return tuple(sorted(found, key=lambda each: each.id))

    def _under_key(self, key: str, now: str) -> tuple[WatchedItem, ...]:
        """A governed fact, or the memo of semantic memory that has this key."""
        shelves, subject = self._session.shelves(None), self._session.subject
        memos = tuple(
            WatchedItem(id=memo.id, text=memo.text, created=memo.timestamp)
            for memo in reversed(memo_reads.current(shelves, key, subject))
            if not (memo.expires and now and memo.expires <= now)
        )
        return (*self._fact(key), *memos)

    def _fact(self, key: str) -> tuple[WatchedItem, ...]:
        try:
            wanted = fact_keys.canonical(key)
        except InputError:
            return ()  # a memo's key has a form of its own
        found = self._reader.sem_get(wanted)
        if not found.exists:
            return ()
        told = found.value if isinstance(found.value, str) else _spelled(found.value)
        since = found.meta["last_updated"]
        return (WatchedItem(id=wanted, text=told, created=since, value=found.value),)

    def _of_entity(self, name: str) -> tuple[WatchedItem, ...]:
        """How it is related, and every text that names it, by any of its names."""
        graph = self._entities.graph()
        found, names = graph.about(name), graph.called(name)
        told = [
            WatchedItem(
                id=each.evidence,
                text=f"{each.subject} {each.relation} {each.object}",
                created=each.since,
            )
            for each in (found.relations if found else ())
        ]
        if USER not in names:  # whoever this memory is of is named by nearly nothing in it
            texts = self._records.naming(names, limit=TEXTS_MAX)
            told += [
                WatchedItem(id=each.id, text=each.text, created=each.created) for each in texts
            ]
        return tuple(sorted(told, key=lambda each: (each.id, each.text)))

    def _token(self, text: str) -> str:
        """Keyed by the log, and of this reader and what they watch."""
        watched = msgspec.json.encode(self.watched).decode()
        named = f"watch\x00{self._session.subject}\x00{watched}\x00{text}"
        return sealing.token(self._session.writer.stream.key, named).hex()


def check_cursor(text: str) -> str:
    """A cursor as a change gave it out, or nothing."""
    seq, dot, token = text.partition(".")
    hexadecimal = len(token) == TOKEN_DIGITS and not set(token) - set("0123456789abcdef")
    if text and not (seq.isascii() and seq.isdigit() and dot and (token == NOTHING or hexadecimal)):
        raise InputError("after: expected the cursor of a change")
    return text


def _spelled(value: object) -> str:
    return msgspec.json.encode(value).decode()

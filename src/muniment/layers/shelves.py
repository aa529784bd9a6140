"""Shelves: unbounded state in the store, as rows that point into the log.

A row holds no text: it is an interval over the stream's seq, found by keyed tokens, and its
content is the entry it points to. So a text exists once, an erasure is complete where the log's
is, and a read at any past seq is a predicate.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

import msgspec

from muniment.layers import contexts, document_rows, episodes, loop_events, loop_rows, vectors
from muniment.layers.governance import branches, governed_facts, hold_rows
from muniment.layers.memos import extractions, memos, recent_texts, summaries, threads
from muniment.layers.memos.recent_texts import AtHand, ComparedText
from muniment.log import chain, sealing, shelf_rows
from muniment.log.entry import Entry, Line
from muniment.log.shelf_rows import Ending, Opening, RevivedRows
from muniment.log.store import Birth, Death, Find, RowReader, ShelfRow
from muniment.model import ids
from muniment.model.events import (
    EpisodesWritten,
    EpisodeWritten,
    FactRetired,
    FactSettled,
    ItemForgotten,
    JobOpened,
    Promoted,
    Received,
    RequestRaised,
    Shredded,
)
from muniment.model.events.conversation import (
    ItemDeleted,
    ItemsArchived,
    ItemWritten,
    LedgerOpened,
    LedgerShelved,
    PhaseDropped,
    PhaseStarted,
)
from muniment.model.events.memos import MemoKept, MemosEvicted
from muniment.model.events.rollback import RecordsRevived
from muniment.model.kinds.conversation_item import phase_id, rival_key, store_key
from muniment.model.scope import StreamId

JOBS = "jobs"
ERASED = "erased"  # the key of jobs whose person is gone
PROMOTIONS = "promotions"
REQUESTS = "requests"
ITEMS = "items"
RIVALS = "rivals"
ARCHIVE = "archive"  # items that are no longer at hand, by id
PHASES = "phases"
LEDGERS = "ledgers"
COUNTING = frozenset({JOBS, PROMOTIONS, REQUESTS, PHASES, LEDGERS, governed_facts.SHELF})


class Stream(msgspec.Struct, frozen=True, kw_only=True):
    """A stream as the core holds it: its name, its reference, and the key of its tokens."""

    id: StreamId
    ref: str
    key: bytes


def changes(stream: Stream, line: Line) -> tuple[Birth | Death, ...]:
    """What an entry does to the shelves, in tokens."""
    if isinstance(line.event, Received):
        return ()  # what was asked changes nothing; what was decided does
    if isinstance(line.event, EpisodesWritten):
        return _sentences(stream, line.seq, line.event)
    if isinstance(line.event, MemoKept | MemosEvicted):
        return _of_memos(stream, line)
    seq, moved = line.seq, named_changes(line)
    named = enumerate(moved, start=1)
    return tuple([shelf_rows.change(stream.key, seq, n, change) for n, change in named])


def _of_memos(stream: Stream, line: Line) -> tuple[Birth | Death, ...]:
    """The same without a stop between: memos come often."""
    key, seq, gone = stream.key, line.seq, memos.ended(line)
    deaths = [shelf_rows.death(key, seq, *each) for each in gone]
    new = enumerate(memos.opened(line), start=len(gone) + 1)
    return (*deaths, *[shelf_rows.birth(key, seq, n, *each) for n, each in new])


def _sentences(stream: Stream, seq: int, written: EpisodesWritten) -> tuple[Birth, ...]:
    """A row for each sentence; they share a key, so its token is made once."""
    shelf, key = episodes.SHELF, stream.key
    born = shelf_rows.birth(key, seq, 0, shelf, "", written.job_seed)
    return tuple(
        msgspec.structs.replace(born, n=n, id_token=shelf_rows.id_token(key, shelf, name))
        for n, name in enumerate(episodes.names(written), start=1)
    )


def named_changes(line: Line) -> tuple[Opening | Ending, ...]:
    """What an entry does to the shelves, by name; a row is counted by its place here."""
    match line.event:
        case Received():
            return ()
        case EpisodesWritten(job_seed=seed) as several:
            names = episodes.names(several)
            return tuple(Opening(shelf=episodes.SHELF, id=each, key=seed) for each in names)
        case RecordsRevived(rows=rows, ended=ended):
            gone = [Ending(shelf=each.shelf, id=each.id) for each in ended]
            return (*gone, *(Opening(shelf=each.shelf, id=each.id, key=each.key) for each in rows))
        case _:
            return _changes(line)


def _changes(line: Line) -> tuple[Opening | Ending, ...]:
    match line.event:
        case EpisodeWritten(episodic_id=episodic_id, job_seed=seed) as written:
            kept = Opening(shelf=episodes.SHELF, id=episodic_id, key=seed)
            found = episodes.sayings(written)
            return (kept, *(Opening(shelf=each[0], id=each[1], key=each[2]) for each in found))
        case ItemForgotten() as told:
            return (_forgotten(told),)
        case FactSettled(key=key):
            entity = key.rpartition("/")[0]
            return (
                Ending(shelf=governed_facts.SHELF, id=key),
                Opening(shelf=governed_facts.SHELF, id=key, key=entity),
            )
        case FactRetired(key=key):
            return (Ending(shelf=governed_facts.SHELF, id=key),)
        case JobOpened(job_seed=seed, number=number):
            return (Opening(shelf=JOBS, id=seed, key=str(number)),)
        case Promoted(wm_id=wm_id):
            return (Opening(shelf=PROMOTIONS, id=wm_id),)
        case RequestRaised(request_id=request_id):
            return (Opening(shelf=REQUESTS, id=request_id),)
        case _:
            return _erased(line) or _conversational(line)


def _forgotten(event: ItemForgotten) -> Opening | Ending:
    """An event of a loop stays in the log literally: it is noted that its mirror is forgotten."""
    if event.shelf == loop_events.FORGOTTEN:
        return Opening(shelf=event.shelf, id=event.item_id)
    return Ending(shelf=event.shelf, id=event.item_id)


def _erased(line: Line) -> tuple[Opening, ...]:
    if isinstance(line.event, Shredded) and line.event.wire == "job_opened":
        return (Opening(shelf=JOBS, id=line.header.id, key=ERASED),)
    return ()


def _conversational(line: Line) -> tuple[Opening | Ending, ...]:
    match line.event:
        case ItemWritten(item=item) if item.meta.space is not None:
            place = f"{store_key(item.meta.space, item.meta.owner)}:{item.kind}"
            key = rival_key(item.meta.space, item.meta.owner, item.kind, item.meta.dedup_key)
            rival = (Opening(shelf=RIVALS, id=item.id, key=key),) if item.meta.dedup_key else ()
            return (Opening(shelf=ITEMS, id=item.id, key=place), *rival)
        case ItemDeleted(item_id=item_id):
            return tuple(Ending(shelf=each, id=item_id) for each in (ITEMS, RIVALS, ARCHIVE))
        case ItemsArchived(item_ids=item_ids):
            gone = [Ending(shelf=ITEMS, id=each) for each in item_ids]
            return (*gone, *(Opening(shelf=ARCHIVE, id=each) for each in item_ids))
        case PhaseStarted(space=space, owner=owner, n=n):
            key = store_key(space, owner)
            return (Opening(shelf=PHASES, id=f"{key}:{phase_id(n)}", key=key),)
        case PhaseDropped(space=space, owner=owner, n=n):
            return (Ending(shelf=PHASES, id=f"{store_key(space, owner)}:{phase_id(n)}"),)
        case LedgerShelved(kept=kept):
            return (Opening(shelf=LEDGERS, id=store_key(kept.space, kept.owner)),)
        case LedgerOpened(space=space, owner=owner):
            return (Ending(shelf=LEDGERS, id=store_key(space, owner)),)
        case _:
            return (
                *_moved(line, loop_rows.ended, loop_rows.opened),
                *_moved(line, memos.ended, memos.opened),
                *_moved(line, threads.ended, threads.opened),
                *_filed(line),
            )


def _filed(line: Line) -> tuple[Opening | Ending, ...]:
    return (
        *_moved(line, document_rows.ended, document_rows.opened),
        *_moved(line, contexts.ended, contexts.opened),
        *_moved(line, vectors.ended, vectors.opened),
        *_moved(line, extractions.ended, extractions.opened),
        *_moved(line, summaries.ended, summaries.opened),
        *_moved(line, hold_rows.ended, hold_rows.opened),
        *_moved(line, branches.ended, branches.opened),
    )


def _moved(
    line: Line,
    ended: Callable[[Line], Iterable[tuple[str, str]]],
    opened: Callable[[Line], Iterable[tuple[str, str, str]]],
) -> tuple[Opening | Ending, ...]:
    """What a layer ends and opens on its shelves, as it says itself."""
    gone = [Ending(shelf=shelf, id=item_id) for shelf, item_id in ended(line)]
    new = [Opening(shelf=shelf, id=item_id, key=key) for shelf, item_id, key in opened(line)]
    return (*gone, *new)


class Shelves:
    """One stream's shelves as they stood at one seq; read only.

    A reader who speaks for a person sees what is about that person or about nobody: `subjects`
    are the references it may open. Shelves that only count (jobs, promotions) hide nothing, or
    an id could be given twice.
    """

    def __init__(
        self,
        store: RowReader,
        stream: Stream,
        keyring: sealing.Keyring,
        at: int,
        *,
        subjects: frozenset[str] | None = None,
        at_hand: AtHand | None = None,
    ) -> None:
        self.at = at
        self.at_hand = at_hand or AtHand()
        self.stream = stream
        self._store = store
        self._keyring = keyring
        self._subjects = subjects
        self._last: Line | None = None  # neighbours on a shelf often share an entry
        self._judged = (b"", False)  # the same, of who may see it

    def get(self, shelf: str, item_id: str) -> Line | None:
        return next(self.named(shelf, item_id, limit=1), None)

    def is_seed_of_the_erased(self, seed: str) -> bool:
        """Whether an erased job had this seed: its entry's id was counted from it, and stays."""
        token = sealing.token(self.stream.key, f"{JOBS}\x01{ERASED}")
        rows = self._store.rows(self.stream.ref, Find(shelf=JOBS, at=self.at, key_token=token))
        headers = (self._open(row.entry).header for row in rows)
        base_ms = ids.seeded_base_ms(seed)
        return any(
            each.id == ids.ulid(base_ms + each.seq - each.cause, self.stream.ref, seed, each.seq)
            for each in headers
        )

    def under(self, shelf: str, key: str, limit: int = -1) -> Iterator[Line]:
        """Living rows of a key, newest first; a limit counts rows, whoever they are about."""
        token = sealing.token(self.stream.key, f"{shelf}\x01{key}")
        return self._lines(Find(shelf=shelf, at=self.at, key_token=token, limit=limit))

    def likely(
        self, shelf: str, *, same: str, keys: Sequence[str], each: int, opened: int, named: int = 1
    ) -> tuple[list[int], list[int]]:
        """Where the newest rows of this name begin; of the newest under keys, those sharing most.

        Places only: what stands there may be about somebody else.
        """
        name = self._token(f"{shelf}\x00{same}")
        tokens = [self._token(f"{shelf}\x01{key}") for key in keys]
        finds = [Find(shelf=shelf, at=self.at, limit=named, id_token=name)]
        finds += [Find(shelf=shelf, at=self.at, limit=each, key_token=token) for token in tokens]
        exactly, *found = self._store.births(self.stream.ref, finds)
        shared: dict[int, int] = {}
        for births in found:
            for born in births:
                shared[born] = shared.get(born, 0) + 1
        newest = sorted(shared, reverse=True)
        return exactly, sorted(newest, key=shared.__getitem__, reverse=True)[:opened]

    def named(self, shelf: str, name: str, limit: int = -1) -> Iterator[Line]:
        """Living rows of one name, newest first, where several may share it."""
        token = self._token(f"{shelf}\x00{name}")
        return self._lines(Find(shelf=shelf, at=self.at, id_token=token, limit=limit))

    def picked(self, seqs: Sequence[int]) -> list[Line]:
        """The entries at these places."""
        return [self._open(entry) for entry in self._store.pick(self.stream.ref, seqs)]

    def compared(self, seqs: Sequence[int]) -> list[tuple[ComparedText, Line | None]]:
        """The texts at these places that we may see; with its entry what was not at hand."""
        found: dict[int, tuple[ComparedText, Line | None]] = {}
        missing: list[int] = []
        for seq in seqs:  # asked of some ten for each sentence, and nearly all are at hand
            text = self.at_hand.get(seq)
            if text is None:
                missing.append(seq)
            else:
                found[seq] = text, None
        if missing:
            opened = self.picked(missing)
            self.at_hand.keep_sayings(opened)
            found |= {each.seq: (its, each) for each in opened if (its := recent_texts.said(each))}
        ordered = [found[seq] for seq in seqs if seq in found]
        return [each for each in ordered if self.is_ours(each[0].about)]

    def any(self, shelf: str) -> bool:
        """Whether anything lies on a shelf, whoever it is about."""
        return self.top(shelf) > 0

    def top(self, shelf: str) -> int:
        """Where the newest row of a shelf begins, whoever it is about; 0 where there is none."""
        (found,) = self._store.births(self.stream.ref, [Find(shelf=shelf, at=self.at, limit=1)])
        return found[0] if found else 0

    def has(self, shelf: str, item_id: str) -> bool:
        """Whether a row lives, without opening what it points to."""
        return self.born(shelf, [item_id]) != [0]

    def born(self, shelf: str, ids: Sequence[str]) -> list[int]:
        """Where the row of each begins that lives, unopened; 0 where none does."""
        tokens = [self._token(f"{shelf}\x00{each}") for each in ids]
        finds = [Find(shelf=shelf, at=self.at, id_token=each, limit=1) for each in tokens]
        found = self._store.births(self.stream.ref, finds) if finds else []
        return [max(each, default=0) for each in found]

    def _token(self, name: str) -> bytes:
        return sealing.token(self.stream.key, name)

    def newest(self, shelf: str, limit: int = -1) -> Iterator[Line]:
        """Living rows, newest first; a limit counts what this reader may see."""
        if self._subjects is None or shelf in COUNTING:
            return self._lines(Find(shelf=shelf, at=self.at, limit=limit))
        seen = self._lines(Find(shelf=shelf, at=self.at))
        return seen if limit < 0 else islice(seen, limit)

    def ever(
        self, shelf: str, *, item_id: str = "", key: str = ""
    ) -> Iterator[tuple[int, int | None, Line]]:
        """Rows alive or ended, newest first: where each was born, where it ended, its entry."""
        find = Find(
            shelf=shelf,
            at=self.at,
            every=True,
            id_token=shelf_rows.id_token(self.stream.key, shelf, item_id),
            key_token=shelf_rows.key_token(self.stream.key, shelf, key),
        )
        for row in self._revived().rows(find):
            if not self._may_see(shelf, row.entry):
                continue
            line = self._picked(row)
            if not isinstance(line.event, Shredded):
                ended = row.died if row.died is None or row.died <= self.at else None
                yield row.born, ended, line

    def as_of(self, at: int) -> "Shelves":
        """The same shelves as they stood earlier."""
        earlier = min(at, self.at)
        return Shelves(self._store, self.stream, self._keyring, earlier, subjects=self._subjects)

    def intervals(self, shelf: str, item_id: str) -> Iterator[tuple[int, ShelfRow]]:
        """Every life that a row has had, newest first: where it began, and the row it takes up."""
        token = shelf_rows.id_token(self.stream.key, shelf, item_id)
        find = Find(shelf=shelf, at=self.at, every=True, id_token=token)
        return self._revived().lives(find)

    def line(self, seq: int) -> Line | None:
        entries = self._store.read(self.stream.ref, after=seq - 1, upto=min(seq, self.at))
        return next((self._open(entry) for entry in entries), None)

    def _lines(self, find: Find) -> Iterator[Line]:
        for row in self._revived().rows(find):
            if not self._may_see(find.shelf, row.entry):
                continue
            line = self._picked(row)
            if not isinstance(line.event, Shredded):
                yield line

    def _picked(self, row: ShelfRow) -> Line:
        """The entry a row points to; of sentences that were told together, the one it means."""
        line = self._last if self._last and self._last.hash == row.entry.hash else None
        line = self._last = line or self._open(row.entry)
        if not isinstance(line.event, EpisodesWritten):
            return line
        return msgspec.structs.replace(line, event=episodes.pick(line.event, row.n))

    def _revived(self) -> RevivedRows:
        return RevivedRows(self._store, self.stream.ref, self._open, self._may_see)

    def _may_see(self, shelf: str, entry: Entry) -> bool:
        """By its header alone: what is about somebody else is not even opened."""
        if self._subjects is None or shelf in COUNTING:
            return True
        if self._judged[0] != entry.hash:
            about = (part.subject for part in chain.header_of(entry).parts)
            self._judged = (entry.hash, self.is_ours(about))
        return self._judged[1]

    def is_about_us(self, line: Line) -> bool:
        """Whether an entry is about someone this reader speaks for, or about nobody."""
        return self.is_ours(part.subject for part in line.header.parts)

    def is_ours(self, subjects: Iterable[str]) -> bool:
        """Whether this reader speaks for everybody of these, by reference."""
        return self._subjects is None or self._subjects.issuperset(subjects)

    def _open(self, entry: Entry) -> Line:
        return self.at_hand.opened(entry, self.stream.ref, self._keyring)

"""Shelves: what is unbounded and lives in the store, as rows that point into the log.

A row holds no text: it is an interval over the stream's seq, found by keyed tokens, and its
content is the entry it points to. So a text exists once, an erasure is complete where the log's
is, and a read at any past seq is a predicate.
"""

from collections.abc import Iterator

import msgspec

from muniment.layers import episodic, sem
from muniment.log import chain, sealing
from muniment.log.entry import Entry, Line
from muniment.log.store import Birth, Death, Find, Store
from muniment.model.events import (
    EpisodeWritten,
    FactRetired,
    FactSettled,
    ItemForgotten,
    JobOpened,
    Promoted,
    RequestRaised,
    Shredded,
)
from muniment.model.scope import StreamId

JOBS = "jobs"
PROMOTIONS = "promotions"
REQUESTS = "requests"


class Stream(msgspec.Struct, frozen=True, kw_only=True):
    """A stream as the core holds it: its name, its reference, and the key of its tokens."""

    id: StreamId
    ref: str
    key: bytes


class Opening(msgspec.Struct, frozen=True, kw_only=True):
    shelf: str
    id: str
    key: str = ""


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    shelf: str
    id: str


def changes(stream: Stream, line: Line) -> tuple[Birth | Death, ...]:
    """What an entry does to the shelves, in tokens."""
    return tuple(
        _tokens(stream, line.seq, n, change) for n, change in enumerate(_changes(line), start=1)
    )


def _changes(line: Line) -> tuple[Opening | Ending, ...]:
    match line.event:
        case EpisodeWritten(episodic_id=episodic_id, job_seed=seed):
            return (Opening(shelf=episodic.SHELF, id=episodic_id, key=seed),)
        case ItemForgotten(shelf=shelf, item_id=item_id):
            return (Ending(shelf=shelf, id=item_id),)
        case FactSettled(key=key):
            entity = key.rpartition("/")[0]
            return (Ending(shelf=sem.SHELF, id=key), Opening(shelf=sem.SHELF, id=key, key=entity))
        case FactRetired(key=key):
            return (Ending(shelf=sem.SHELF, id=key),)
        case JobOpened(job_seed=seed):
            return (Opening(shelf=JOBS, id=seed),)
        case Promoted(wm_id=wm_id):
            return (Opening(shelf=PROMOTIONS, id=wm_id),)
        case RequestRaised(request_id=request_id):
            return (Opening(shelf=REQUESTS, id=request_id),)
        case _:
            return ()


def _tokens(stream: Stream, seq: int, n: int, change: Opening | Ending) -> Birth | Death:
    id_token = sealing.token(stream.key, f"{change.shelf}\x00{change.id}")
    if isinstance(change, Ending):
        return Death(shelf=change.shelf, seq=seq, id_token=id_token)
    key_token = sealing.token(stream.key, f"{change.shelf}\x01{change.key}") if change.key else b""
    return Birth(shelf=change.shelf, n=n, seq=seq, id_token=id_token, key_token=key_token)


class Shelves:
    """One stream's shelves as they stood at one seq; read only."""

    def __init__(self, store: Store, stream: Stream, keyring: sealing.Keyring, at: int) -> None:
        self.at = at
        self.stream = stream
        self._store = store
        self._keyring = keyring

    def get(self, shelf: str, item_id: str) -> Line | None:
        token = sealing.token(self.stream.key, f"{shelf}\x00{item_id}")
        return next(self._lines(Find(shelf=shelf, at=self.at, id_token=token, limit=1)), None)

    def under(self, shelf: str, key: str) -> Iterator[Line]:
        token = sealing.token(self.stream.key, f"{shelf}\x01{key}")
        return self._lines(Find(shelf=shelf, at=self.at, key_token=token))

    def newest(self, shelf: str, limit: int = -1) -> Iterator[Line]:
        """Living rows, newest first; a limit counts rows, not hits."""
        return self._lines(Find(shelf=shelf, at=self.at, limit=limit))

    def line(self, seq: int) -> Line | None:
        entries = self._store.read(self.stream.ref, after=seq - 1, upto=min(seq, self.at))
        return next((self._open(entry) for entry in entries), None)

    def _lines(self, find: Find) -> Iterator[Line]:
        for row in self._store.rows(self.stream.ref, find):
            line = self._open(row.entry)
            if not isinstance(line.event, Shredded):
                yield line

    def _open(self, entry: Entry) -> Line:
        return chain.open_entry(entry, origin=self.stream.ref, keyring=self._keyring)

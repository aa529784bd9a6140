"""The `Store` port on PostgreSQL: one schema, one function call per append."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext

from muniment.adapters.storage import long_reads
from muniment.adapters.storage.long_reads import Reading
from muniment.adapters.storage.postgres import connection, reads, writes
from muniment.adapters.storage.postgres.connection import SCHEMA, Reach
from muniment.adapters.storage.postgres.connection_pool import Links
from muniment.adapters.storage.postgres.schema import stream_names
from muniment.adapters.storage.postgres.schema.stream_names import Homes, OneHome, StreamHome
from muniment.adapters.storage.postgres.stream_locks import ServerStreamLocks
from muniment.log import store_checks
from muniment.log.entry import Entry, Head
from muniment.log.store import Batch, Derived, Find, OpenEpisode, Segment, ShelfRow
from muniment.model.errors import HeadMovedError, InputError


class PostgresStore:
    """Acknowledged means durable: an append returns after the server has synced its log."""

    def __init__(
        self,
        dsn: str,
        *,
        schema: str = SCHEMA,
        reach: Reach | None = None,
        names: Homes | None = None,
        reading: Reading | None = None,
    ) -> None:
        """`reach` gives other timeouts than the usual ones; it then names server and schema.

        `names` knows whose each stream is; without it they are all of one tenant.
        """
        self._reach = reach or Reach(dsn=dsn, schema=schema)
        self.schema = self._reach.schema
        connection.check_schema(self.schema)
        self._homes = names or OneHome()
        self._reading = reading
        self._links = Links(self._reach)
        self._locks = ServerStreamLocks(self._links, self._reach.schema)
        with self._links.use():  # a server that cannot be used is refused here, not in the middle
            pass

    def append(self, stream: str, batch: Batch, *, expect: Head) -> None:
        place = self._place(stream)
        self._check_batch(stream, batch, expect)
        try:
            writes.append(self._links, place, batch, expect=expect)
        except HeadMovedError:
            self._locks.collided(stream)
            raise

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        place = self._place(stream)
        first = max(after, 0)
        last = reads.SEQ_MAX if upto is None else upto
        found = self._read(place, first, last if limit is None else min(last, first + limit))
        if self._reading is None:
            return found
        return long_reads.told(found, self._reading, lambda: self.head(stream))

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        return reads.picked(self._links, self._place(stream), seqs)

    def about(self, stream: str, subjects: frozenset[str], *, after: int, upto: int) -> list[int]:
        return reads.about(self._links, self._place(stream), subjects, after=after, upto=upto)

    def head(self, stream: str) -> Head | None:
        return reads.head(self._links, self._place(stream))

    def find(self, stream: str, operation: str) -> int | None:
        return reads.find(self._links, self._place(stream), operation)

    def streams(self) -> list[str]:
        self._links.check_open()
        return reads.streams(self._links, self._homes.tenants())

    def shred(self, stream: str, subject: str) -> int:
        return writes.shred(self._links, self._place(stream), subject)

    def empty(self, stream: str, seqs: Sequence[int]) -> int:
        return writes.empty(self._links, self._place(stream), seqs)

    def write_lock(self, stream: str) -> AbstractContextManager[None]:
        self._place(stream)
        return self._locks.held(stream)

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        return self._rows(self._place(stream), find)

    def births(self, stream: str, finds: Sequence[Find]) -> list[list[int]]:
        return reads.births(self._links, self._place(stream), finds)

    def checkpoint(self, stream: str) -> tuple[int, bytes] | None:
        return reads.checkpoint(self._links, self._place(stream))

    def reset(self, stream: str) -> None:
        writes.reset(self._links, self._place(stream))

    def shelve(self, stream: str, derived: Derived, *, upto: int) -> None:
        place = self._place(stream)
        if upto:
            store_checks.check_upto(upto, head=self.head(stream))
        store_checks.check_derived(derived, first=1, last=upto)
        if upto:  # an empty log gives empty shelves
            writes.shelve(self._links, place, derived, upto=upto)

    def put_segment(self, stream: str, segment: Segment, replaces: tuple[int, ...] = ()) -> None:
        writes.put_segment(self._links, self._place(stream), segment, replaces)

    def segments(self, stream: str, kind: str) -> nullcontext[list[Segment]]:
        return nullcontext(reads.segments(self._links, self._place(stream), kind))

    def episodes(self, stream: str) -> list[OpenEpisode]:
        """The open episodes that live, oldest first."""
        return reads.episodes(self._links, self._place(stream))

    def close(self) -> None:
        self._links.close()

    def _read(self, place: StreamHome, after: int, upto: int) -> Iterator[Entry]:
        while after < upto:
            last = min(upto, after + reads.CHUNK)
            found = reads.entries(self._links, place, after=after, upto=last)
            yield from found
            if len(found) < reads.CHUNK:
                return
            after = found[-1].seq

    def _rows(self, place: StreamHome, find: Find) -> Iterator[ShelfRow]:
        before, left = reads.start(find), find.limit
        while left:
            wanted = min(left, reads.CHUNK) if left > 0 else reads.CHUNK
            found = reads.rows(self._links, place, find, before=before, limit=wanted)
            yield from found
            if len(found) < wanted:
                return
            before, left = (found[-1].born, found[-1].n), left - wanted if left > 0 else left

    def _check_batch(self, stream: str, batch: Batch, expect: Head) -> None:
        """The server checks the head; what else is wrong is only said if the head was right."""
        try:
            store_checks.check_batch(batch, head=expect if expect.seq else None, expect=expect)
        except InputError:
            store_checks.check_batch(batch, head=self.head(stream), expect=expect)
            raise

    def _place(self, stream: str) -> StreamHome:
        self._links.check_open()
        store_checks.check_ref(stream)
        return stream_names.place(self._homes, stream)

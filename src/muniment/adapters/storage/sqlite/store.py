"""SQLite store: the `Store` port over a folder of stream files, with disk space in reserve."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

import apsw

from muniment.adapters.storage import long_reads
from muniment.adapters.storage.long_reads import Reading
from muniment.adapters.storage.sqlite import connection, errors, plain_tables, reads, writes
from muniment.adapters.storage.sqlite.connection_pool import Files, files_allowed
from muniment.adapters.storage.sqlite.head_list import HEADS, Heads
from muniment.adapters.storage.sqlite.reserved_space import BALLAST_BYTES, ReservedFile
from muniment.adapters.storage.sqlite.stream_locks import file_stream_locks
from muniment.adapters.system import durable_files
from muniment.adapters.system.path_exists import is_still, is_there
from muniment.log import store_checks
from muniment.log.entry import Entry, Head
from muniment.log.store import (
    Batch,
    Derived,
    Find,
    OpenEpisode,
    Segment,
    ShelfRow,
    StoredSegment,
)
from muniment.model.errors import HeadMovedError, ReadOnlyError, StoreError

STREAMS: Final = "streams"
FIRST_ENTRIES: Final = 8  # of a read without an end; then four times as many, and so on
FIRST_ROWS: Final = 16  # of a search without a limit; then twice as many, and so on
SEQ_MAX: Final = 2**52  # more entries than a disk holds; keeps every place within 63 bits


class SqliteStore:
    """Acknowledged means durable: an append returns after its bytes are on the disk."""

    def __init__(
        self,
        folder: Path,
        *,
        open_files_max: int = 0,
        page_limit: int | None = None,
        ballast_bytes: int = BALLAST_BYTES,
        vfs: str = "",
        reading: Reading | None = None,
    ) -> None:
        """Tests give a page limit for a full disk, and a file system that fails when told to."""
        connection.check_library(apsw.sqlite_lib_version())
        streams, open_files_max = folder / STREAMS, open_files_max or files_allowed()
        try:
            still = is_still(streams)
            if not still:
                for each in (folder, streams):
                    durable_files.make_folder(each)
                streams.chmod(durable_files.FOLDER_MODE)
        except OSError as error:
            raise errors.told_by_system(error) from error
        self.is_still = still  # nothing can be written here: what is there is read as it lies
        self._heads = Heads(folder / HEADS)
        self._moved: dict[str, Head] = {}  # logs that have grown since that was noted
        self._ballast = ReservedFile(folder / "ballast", ballast_bytes)
        if not still:
            self._ballast.restore()
        self._files = Files(
            streams,
            self._heads,
            open_files_max=open_files_max,
            page_limit=page_limit,
            vfs=vfs,
            make_room=self._ballast.lend,
            still=still,
        )
        self._inhabited: set[str] = set()
        self._reading = reading
        self._locks = file_stream_locks(streams, open_files_max=open_files_max)

    def append(self, stream: str, batch: Batch, *, expect: Head) -> None:
        self._insist_on_writing()
        # A first entry makes the file; a refused one must not.
        with self._files.use(stream, create=not expect.seq) as file:
            if file is None:
                raise HeadMovedError(f"the head is 0, not {expect.seq} as expected")
            writes.append(file, batch, expect=expect)
        last = batch.entries[-1]
        self._moved[stream] = head = Head(seq=last.seq, hash=last.hash)
        if not expect.seq or batch.checkpoint:
            self._heads.note({stream: head})
            self._moved.pop(stream, None)

    def read(
        self, stream: str, *, after: int = 0, upto: int | None = None, limit: int | None = None
    ) -> Iterator[Entry]:
        self._check(stream)
        first = max(after, 0)
        last = SEQ_MAX if upto is None else upto
        found = self._read(stream, first, last if limit is None else min(last, first + limit))
        if self._reading is None:
            return found
        return long_reads.told(found, self._reading, lambda: self.head(stream))

    def pick(self, stream: str, seqs: Sequence[int]) -> list[Entry]:
        with self._files.use(stream) as file:
            return reads.picked(file, seqs) if file else []

    def about(self, stream: str, subjects: frozenset[str], *, after: int, upto: int) -> list[int]:
        with self._files.use(stream) as file:
            return reads.about(file, subjects, after=after, upto=upto) if file else []

    def head(self, stream: str) -> Head | None:
        with self._files.use(stream) as file:
            return reads.head(file) if file else None

    def find(self, stream: str, operation: str) -> int | None:
        with self._files.use(stream) as file:
            return reads.find(file, operation) if file else None

    def streams(self) -> list[str]:
        """Every log that holds an entry, or has held one: whoever asks for a lost one is told."""
        # Entries are never deleted: a stream that had one has one.
        names = self._files.names()
        self._inhabited.update(self._heads.noted())
        found = {
            its: head for its in names if its not in self._inhabited and (head := self.head(its))
        }
        self._heads.note(found)
        self._inhabited.update(found)
        return sorted(self._inhabited)

    def shred(self, stream: str, subject: str) -> int:
        self._insist_on_writing()
        with self._files.use(stream) as file:
            return writes.shred(file, subject) if file else 0

    def empty(self, stream: str, seqs: Sequence[int]) -> int:
        self._insist_on_writing()
        with self._files.use(stream) as file:
            return writes.empty(file, seqs) if file else 0

    def write_lock(self, stream: str) -> AbstractContextManager[None]:
        self._check(stream)
        return self._locks.held(stream)

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        self._check(stream)
        return self._rows(stream, find)

    def births(self, stream: str, finds: Sequence[Find]) -> list[list[int]]:
        with self._files.use(stream) as file:
            return reads.births(file, finds) if file else [[] for _ in finds]

    def checkpoint(self, stream: str) -> tuple[int, bytes] | None:
        with self._files.use(stream) as file:
            return reads.checkpoint(file) if file else None

    def reset(self, stream: str) -> None:
        self._insist_on_writing()
        with self._files.use(stream) as file:
            if file:
                writes.reset(file)

    def shelve(self, stream: str, derived: Derived, *, upto: int) -> None:
        self._insist_on_writing()
        with self._files.use(stream) as file:
            if file and upto:
                # Late, for only a rebuild shelves anew what may be damaged.
                from muniment.adapters.storage.sqlite import repair

                repair.tidy(file.path)
                if connection.problems(file.path):
                    repair.mend(file)
                writes.shelve(file, derived, upto=upto)
                return
        if upto:  # an empty log gives empty shelves
            store_checks.check_upto(upto, head=None)
        store_checks.check_derived(derived, first=1, last=upto)

    def put_segment(self, stream: str, segment: Segment, replaces: tuple[int, ...] = ()) -> None:
        if self.is_still:
            raise StoreError("an index cannot be stored on a read-only medium")
        with self._files.use(stream) as file:
            if file is None:
                store_checks.check_upto(segment.upto, head=None)
            else:
                writes.put_segment(file, segment, replaces)

    @contextmanager
    def segments(self, stream: str, kind: str) -> Iterator[Sequence[StoredSegment]]:
        with self._files.use(stream) as file, reads.segments(file, kind) as found:
            yield found

    def episodes(self, stream: str) -> list[OpenEpisode]:
        """The open episodes that live, oldest first."""
        with self._files.use(stream) as file:
            return plain_tables.living(file) if file else []

    def close(self) -> None:
        moved, self._moved = self._moved, {}
        try:
            self._heads.note(moved)
        finally:  # what cannot be noted now is noted by whoever opens it next
            self._files.close()
            self._locks.close()

    def check(self, stream: str) -> tuple[str, ...]:
        """What SQLite finds wrong with the pages of a file; it reads all of them."""
        self._check(stream)
        path = self._files.path(stream)
        return connection.problems(path) if is_there(path) else ()

    def release_ballast(self) -> bool:
        """Give back the reserved room, so that one failure can still be recorded."""
        return self._ballast.release()

    def restore_ballast(self, *, partly: bool = False) -> bool:
        """Reserve the room again; False while the disk has none to spare."""
        return self._ballast.restore(partly=partly)

    def _read(self, stream: str, after: int, upto: int) -> Iterator[Entry]:
        # Whoever names no end may stop soon: who wants the few entries of one batch.
        size = FIRST_ENTRIES if upto == SEQ_MAX else reads.CHUNK
        while after < upto:
            last = min(upto, after + size)
            with self._files.use(stream) as file:
                found = reads.entries(file, after=after, upto=last) if file else []
            yield from found
            is_whole = len(found) == size
            if not is_whole and size == reads.CHUNK:
                return
            after, size = last, min(4 * size, reads.CHUNK) if is_whole else reads.CHUNK

    def _rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        before, left, size = reads.start(find), find.limit, FIRST_ROWS
        while left:
            # Whoever sets no limit may still stop soon: who wants the newest that he may see.
            wanted = min(left, reads.CHUNK) if left > 0 else size
            size = min(2 * size, reads.CHUNK)
            with self._files.use(stream) as file:
                found = reads.rows(file, find, before=before, limit=wanted) if file else []
            yield from found
            if len(found) < wanted:
                return
            before, left = (found[-1].born, found[-1].n), left - wanted if left > 0 else left

    def _insist_on_writing(self) -> None:
        if self.is_still:
            raise ReadOnlyError

    def _check(self, stream: str) -> None:
        self._files.check_open()
        store_checks.check_ref(stream)

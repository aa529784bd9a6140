"""Pending receipts: readers with receipts that no append has logged yet, bounded.

A view whose receipts are not logged yet is kept here until they are; any other view is kept by its
caller alone.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final, Protocol

import msgspec

from muniment.model.commands import AnyCommand, RecordRecall
from muniment.model.errors import MunimentError
from muniment.model.kinds import episode
from muniment.model.lru_cache import LruCache
from muniment.model.scope import StreamId

DEBTORS_MAX: Final = 512  # readers who never write; then the one that waits longest is logged
RECEIPT_RESULTS_MAX: Final = 500  # of one entry, which is bounded; a longer list takes several
Waiting = tuple[int, AnyCommand]  # a receipt, and the job that read


class ReceiptOwner(Protocol):
    subject: str
    stream_id: StreamId

    def release(self) -> list[Waiting]:
        """The receipts that wait here, for somebody else to log."""

    def flush(self) -> None:
        """Log the receipts that no append has taken along yet."""


class PendingReceipts:
    def __init__(self, readers_max: int = DEBTORS_MAX) -> None:
        # In the order in which they began to wait.
        self._readers = LruCache[ReceiptOwner, ReceiptOwner](readers_max)

    def __len__(self) -> int:
        return len(self._readers)

    def add(self, reader: ReceiptOwner) -> None:
        if reader in self._readers:
            return
        for _, waiting in self._readers.put(reader, reader):
            with suppress(MunimentError):  # its trouble is not this reader's
                waiting.flush()

    def discard(self, reader: ReceiptOwner) -> None:
        self._readers.pop(reader)

    def due(self, owner: ReceiptOwner) -> list[Waiting]:
        """What the next append takes along: every receipt for this log and user, in their order.

        What comes back to memory is known as an echo only once the log holds who was given it.
        """
        if not self._readers:
            return owner.release()
        whose = (owner.stream_id, owner.subject)
        same = [it for it in self._readers.values() if (it.stream_id, it.subject) == whose]
        if owner not in self._readers:
            same.insert(0, owner)  # one that had to leave had waited longest
        for reader in same:
            if reader is not owner:
                self.discard(reader)
        if len(same) > 1:
            self.add(owner)  # it answers for the others until they are logged
        return [receipt for reader in same for receipt in reader.release()]

    def flush(self) -> None:
        for reader in self._readers.values():
            reader.flush()


def parts(whole: RecordRecall) -> Iterator[RecordRecall]:
    """The receipt of a read as entries may hold it: several, where it is long."""
    for start in range(0, max(len(whole.evidence), 1), RECEIPT_RESULTS_MAX):
        some = slice(start, start + RECEIPT_RESULTS_MAX)
        yield msgspec.structs.replace(
            whole,
            ids=tuple(map(episode.cited, whole.evidence[some])),
            scores_ppm=whole.scores_ppm[some],
            evidence=whole.evidence[some],
            handed=b"" if start else whole.handed,
        )

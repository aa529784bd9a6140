"""Pending receipts: readers whose reads no append has logged yet, so many at most.

A view that has read something must live until that is logged; any other is its caller's alone.
"""

from contextlib import suppress
from typing import Final, Protocol

from muniment.model.errors import MunimentError
from muniment.model.lru_cache import LruCache

DEBTORS_MAX: Final = 512  # readers who never write; then the one that waits longest is logged


class ReceiptOwner(Protocol):
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

    def flush(self) -> None:
        for reader in self._readers.values():
            reader.flush()

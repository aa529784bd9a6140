"""Who owes a receipt: readers of whose reads no append has told yet, so many at most.

A view that has read something must live until that is logged; any other is its caller's alone.
"""

from contextlib import suppress
from typing import Final, Protocol

from muniment.model.errors import MunimentError

DEBTORS_MAX: Final = 512  # readers who never write; then the one that waits longest is logged


class ReceiptOwner(Protocol):
    def flush(self) -> None:
        """Log the receipts that no append has taken along yet."""


class PendingReceipts:
    def __init__(self, readers_max: int = DEBTORS_MAX) -> None:
        self._readers_max = readers_max
        self._readers: dict[ReceiptOwner, None] = {}  # in the order in which they began to wait

    def __len__(self) -> int:
        return len(self._readers)

    def add(self, reader: ReceiptOwner) -> None:
        self._readers.setdefault(reader, None)
        while len(self._readers) > self._readers_max:
            first = list(self._readers)[0]  # noqa: RUF015 - threads share it
            self.discard(first)
            with suppress(MunimentError):  # its trouble is not this reader's
                first.flush()

    def discard(self, reader: ReceiptOwner) -> None:
        self._readers.pop(reader, None)

    def flush(self) -> None:
        for reader in list(self._readers):
            reader.flush()

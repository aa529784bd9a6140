"""Desk checkpoints (snapshots): a desk sealed beside its log, tied to the fold's version."""

from typing import Final

from muniment.engine.streams.read_snapshot import DeskAtHead
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.layers.shelves import Stream
from muniment.log import sealing
from muniment.log.entry import Head
from muniment.log.store import Store
from muniment.model.errors import DerivedError, IntegrityError

# The next number whenever a desk holds something else, or the same log is folded into another one.
FORMAT: Final = b"desk-9\n"
# Opening folds at most about so many ordinary entries (or half a megabyte; or a whole one where
# the desk is large: who writes shall not pay more for putting it down than for writing).
DUE_MIN: Final = 128
DUE_MAX: Final = 256
BYTES_EACH: Final = 1024  # of a checkpoint, for each entry of its time


def due(before: int) -> int:
    """After entries of which weight the next one is due, where the last one took so many bytes."""
    return min(max(DUE_MIN, before // BYTES_EACH), DUE_MAX)


def sealed(stream: Stream, desk: Desk) -> bytes:
    return sealing.seal_blob(stream.key, _place(stream), FORMAT + desks.encode(desk))


def latest(store: Store, stream: Stream) -> DeskAtHead | None:
    """The desk that was put down last; None where there is none that we can go on from.

    It is damaged, or of another format: whoever folds otherwise than its writer would go on from a
    desk that no log leads to. The log gives every desk again, at the price of reading it from its
    beginning, once.
    """
    try:
        return at_rest(store, stream)
    except DerivedError:
        return None


def at_rest(store: Store, stream: Stream) -> DeskAtHead | None:
    """The same, for who wants to know whether it is damaged."""
    try:
        saved = store.checkpoint(stream.ref)
        opened = sealing.open_blob(stream.key, _place(stream), saved[1]) if saved else b""
    except IntegrityError as error:
        raise DerivedError(f"the desk beside the log does not open ({error.detail})") from error
    if not saved or not opened.startswith(FORMAT):
        return None
    desk = desks.decode(opened[len(FORMAT) :])
    entry = next(store.read(stream.ref, after=desk.seq - 1, upto=desk.seq), None)
    if entry is None:  # nobody but us could seal it: the log was longer once
        raise IntegrityError("the desk's checkpoint is ahead of the log")
    if desk.seq != saved[0]:
        raise DerivedError("the desk beside the log does not belong to its place")
    return DeskAtHead(desk, Head(seq=desk.seq, hash=entry.hash))


def _place(stream: Stream) -> str:
    return f"desk\x00{stream.ref}"

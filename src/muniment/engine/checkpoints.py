"""A desk at rest: sealed beside its log, good for a program that folds as its writer did."""

from typing import Final

from muniment.engine.standing import Now
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.layers.shelves import Stream
from muniment.log import sealing
from muniment.log.entry import Head
from muniment.log.store import Store
from muniment.model.errors import IntegrityError

# The next number whenever a desk holds something else, or the same log is folded into another one.
FORMAT: Final = b"desk-2\n"
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


def latest(store: Store, stream: Stream) -> Now | None:
    """The desk that was put down last; None where there is none, or where it is of another format.

    Whoever folds otherwise than its writer would go on from a desk that no log leads to. The log
    gives every desk again, at the price of reading it from its beginning, once.
    """
    saved = store.checkpoint(stream.ref)
    if saved is None:
        return None
    seq, data = saved
    opened = sealing.open_blob(stream.key, _place(stream), data)
    if not opened.startswith(FORMAT):
        return None
    desk = desks.decode(opened[len(FORMAT) :])
    if desk.seq != seq:
        raise IntegrityError("the desk's checkpoint does not belong to its place")
    entry = next(store.read(stream.ref, after=seq - 1, upto=seq), None)
    if entry is None:
        raise IntegrityError("the desk's checkpoint is ahead of the log")
    return Now(desk, Head(seq=seq, hash=entry.hash))


def _place(stream: Stream) -> str:
    return f"desk\x00{stream.ref}"

"""Caches of desks (LRU): writers of the most recently used streams, and the last past desks.

A writer holds its stream's desk, so a process that serves many agents must not keep all it ever
met. One that was let go is made again from the log's last checkpoint; should the old one still be
at work meanwhile, the expected head keeps both correct.
"""

from typing import Final

from muniment.engine.streams.stream_writer import Writer
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.log import sealing
from muniment.model.lru_cache import LruCache
from muniment.model.scope import StreamKind

PASTS_KEPT: Final = 64
WRITERS_KEPT: Final = 512  # some 20 kB each, and up to 2 MB where an agent has kept many memos
# One of each for a tenant, and what was read of them is told by whether they are at hand.
STAYING: Final = frozenset({StreamKind.COUNCIL, StreamKind.OPS})


def writer_cache(kept_max: int = WRITERS_KEPT) -> LruCache[str, Writer]:
    """By the text of a stream's id."""
    return LruCache(kept_max, may_leave=_may_leave)


def _may_leave(_: str, writer: Writer) -> bool:
    return writer.stream.id.kind not in STAYING and not writer.is_fenced


class Pasts:
    """The desk of each log that was last read at a past entry.

    A page that stands at an entry asks for its desk several times, and the next one is near.
    """

    def __init__(self, keyring: sealing.Keyring) -> None:
        self._keyring = keyring
        # Each with how far erasures had come.
        self._known = LruCache[str, tuple[bytes, Desk]](PASTS_KEPT)

    def at(self, writer: Writer, seq: int) -> Desk:
        """The desk at an entry that the log has reached, folded from the nearest that is known."""
        erasures = self._keyring.generation()
        when, desk = self._known.get(writer.stream.ref) or (b"", Desk())
        if when != erasures or desk.seq > seq:
            desk = Desk()
        if desk.seq < seq:
            desk = desks.fold(desk, writer.heard(after=desk.seq, upto=seq))
            self._known.put(writer.stream.ref, (erasures, desk))
        return desk

    def clear(self) -> None:
        self._known.clear()

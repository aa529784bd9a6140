"""Cache of past desks: the last one that was read of each log (LRU)."""

from typing import Final

from muniment.engine.streams.stream_writer import Writer
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.log import sealing
from muniment.model.lru_cache import LruCache

KEPT: Final = 64


class Pasts:
    """A page that stands at an entry asks for its desk several times, and the next one is near."""

    def __init__(self, keyring: sealing.Keyring) -> None:
        self._keyring = keyring
        # Each with how far erasures had come.
        self._known = LruCache[str, tuple[bytes, Desk]](KEPT)

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

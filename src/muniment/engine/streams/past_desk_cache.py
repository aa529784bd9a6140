"""Desks as they stood: of each log the one that somebody stood at last, so many logs at most."""

from typing import Final

from muniment.engine.streams.stream_writer import Writer
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.log import sealing

KEPT: Final = 64


class Pasts:
    """A page that stands at an entry asks for its desk several times, and the next one is near."""

    def __init__(self, keyring: sealing.Keyring) -> None:
        self._keyring = keyring
        self._known: dict[str, tuple[bytes, Desk]] = {}  # each with how far erasures had come

    def at(self, writer: Writer, seq: int) -> Desk:
        """The desk at an entry that the log has reached, folded from the nearest that is known."""
        erasures = self._keyring.generation()
        when, desk = self._known.get(writer.stream.ref, (b"", Desk()))
        if when != erasures or desk.seq > seq:
            desk = Desk()
        if desk.seq < seq:
            desk = desks.fold(desk, writer.heard(after=desk.seq, upto=seq))
            self._known.pop(writer.stream.ref, None)
            self._known[writer.stream.ref] = (erasures, desk)  # the one asked for last stands last
        while len(self._known) > KEPT:
            self._known.pop(list(self._known)[0], None)  # noqa: RUF015 - threads share it
        return desk

    def clear(self) -> None:
        self._known.clear()

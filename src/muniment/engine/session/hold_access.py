"""Legal holds in force: read from the council's log, and passed to every decision."""

from collections.abc import Callable, Sequence

import msgspec

from muniment.engine.streams.command_pipeline import Ask
from muniment.engine.streams.stream_writer import Writer
from muniment.layers.governance import hold_rows
from muniment.model.events.holds import HoldPlaced
from muniment.model.kinds.hold import LegalHold
from muniment.model.scope import StreamId, council_stream


class HoldAccess:
    """The holds of each tenant as its council's log has them; looked at once for each head."""

    def __init__(self, known_writer: Callable[[StreamId], Writer | None]) -> None:
        self._known_writer = known_writer
        self._seen: dict[str, tuple[int, tuple[LegalHold, ...]]] = {}

    def of(self, tenant: str) -> tuple[LegalHold, ...]:
        """Those that were placed and not lifted, the oldest first; also what has run out."""
        writer = self._known_writer(council_stream(tenant))
        if writer is None:
            return ()
        seq = writer.head.seq
        known = self._seen.get(tenant)
        if known is None or known[0] != seq:
            lines = writer.shelves().newest(hold_rows.SHELF)
            placed = [line.event.hold for line in lines if isinstance(line.event, HoldPlaced)]
            known = self._seen[tenant] = (seq, tuple(reversed(placed)))
        return known[1]

    def attached(self, tenant: str, asks: Sequence[Ask]) -> list[Ask]:
        """Commands, each with the holds that are in force when it is asked."""
        holds = self.of(tenant)
        return [_under(each, holds) for each in asks] if holds else [*asks]


def _under(ask: Ask, holds: tuple[LegalHold, ...]) -> Ask:
    held = dict.fromkeys((*ask.held, *(each for each in holds if each.in_force(ask.at))))
    return msgspec.structs.replace(ask, held=tuple(held)) if held else ask

"""Legal holds on records: which holds in force cover the records of a read."""

from muniment.engine import lazy_modules as later
from muniment.engine.projections.index import Index
from muniment.engine.session.agent_session import AgentSession
from muniment.layers.governance import governed_facts
from muniment.log.entry import Line
from muniment.model.kinds.hold import LegalHold
from muniment.model.scope import StreamId, council_stream


class HeldRecords:
    """Names the holds on records for one session, as they stand when it is made."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session
        placed = session.hub.holds.of(session.stream_id.tenant)
        now = session.hub.parts.clock.now() if placed else ""
        self._holds: tuple[LegalHold, ...] = tuple(each for each in placed if each.in_force(now))

    def __bool__(self) -> bool:
        """Whether anything is held at all; nearly always nothing is."""
        return bool(self._holds)

    def at(self, index: Index, seq: int) -> tuple[str, ...]:
        """The ids of the holds on what an index found at an entry."""
        return self._on(index.stream.id, index.lines([seq])[seq])

    def _on(self, stream: StreamId, line: Line) -> tuple[str, ...]:
        shelves = self._session.hub.shelves(stream)
        return tuple(
            each.hold_id for each in later.holds.covering_entry(self._holds, stream, shelves, line)
        )

    def on_fact(self, key: str) -> tuple[str, ...]:
        """The same for a governed fact."""
        if not self._holds:
            return ()
        council = council_stream(self._session.stream_id.tenant)
        line = self._session.hub.shelves(council).get(governed_facts.SHELF, key)
        return self._on(council, line) if line else ()

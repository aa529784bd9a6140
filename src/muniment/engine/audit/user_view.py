"""User view: what of any log of a tenant one user may see, for an operator who asks for them."""

from collections.abc import Iterable, Iterator

from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams import own_lines
from muniment.log.entry import Line
from muniment.model import fact_keys
from muniment.model.commands import AdoptPolicy
from muniment.model.events import FactRetired, FactSettled, PolicyAdopted, Received
from muniment.model.events.conversation import ItemWritten
from muniment.model.kinds.conversation_item import Space
from muniment.model.scope import StreamId, StreamKind, name

# Logs of what is kept: what is about nobody there is everybody's. Offices have logs of their own.
OF_MEMORY = frozenset({StreamKind.AGENT, StreamKind.COLLECTION, StreamKind.SPACE})
SHARED = frozenset({Space.PROJECT, Space.SYSTEM})


class UserView:
    """Judges entries by their seals, as the reads of this user do."""

    def __init__(self, hub: StreamHub, tenant: str, user: str) -> None:
        who = fact_keys.user_entity(name(user, "user"))
        self._hub = hub
        self._ref = hub.parts.world.keyring.find("subject", f"{tenant}/{who}")

    def lines(self, stream: StreamId, lines: Iterable[Line]) -> Iterator[Line]:
        """What of these entries of a log the user may see."""
        ours, shelves = self._hub.stream(stream).ref, self._hub.shelves(stream)

        def is_theirs(line: Line) -> bool:
            if isinstance(line.event, ItemWritten) and _is_shared(stream):
                return True
            is_open = stream.kind in OF_MEMORY or _is_public(line)
            allowed = {self._ref, ours} if is_open else {self._ref}
            return allowed.issuperset(part.subject for part in line.header.parts)

        return own_lines.judged(lines, is_theirs, shelves.line)

    def sees(self, stream: StreamId, line: Line) -> bool:
        return next(self.lines(stream, [line]), None) is not None


def _is_public(line: Line) -> bool:
    """Whether an entry of an office's log is for everybody where it is about nobody."""
    event = line.event
    if isinstance(event, Received):
        return isinstance(event.command, AdoptPolicy)
    return isinstance(event, FactSettled | FactRetired | PolicyAdopted)


def _is_shared(stream: StreamId) -> bool:
    """Whether a log is of a space whose items everybody recalls."""
    space = stream.owner.partition(":")[0]
    return stream.kind is StreamKind.SPACE and space in SHARED

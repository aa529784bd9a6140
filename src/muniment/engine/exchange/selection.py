"""Export selection: which records an export holds, by agent, person, space, kind and time."""

from typing import Final

import msgspec

from muniment.model import fact_keys
from muniment.model.errors import InputError
from muniment.model.kinds.carried_record import KINDS
from muniment.model.kinds.conversation_item import Space
from muniment.model.scope import Persona, StreamId, StreamKind, name

SHARED: Final = frozenset({Space.PROJECT, Space.SYSTEM, Space.USER})


class ExportSelection(msgspec.Struct, frozen=True, kw_only=True):
    """Empty fields leave nothing out."""

    agent: str = ""
    persona: Persona | None = None
    user: str = ""
    space: str = ""  # `session:<name>`, `user:<name>`, `project:<name>` or `system`
    kinds: tuple[str, ...] = ()
    since: str = ""  # observed at this moment or later
    until: str = ""  # observed before this moment

    @property
    def subject(self) -> str:
        """As a log names the person."""
        return fact_keys.user_entity(self.user) if self.user else ""

    @property
    def place(self) -> tuple[Space, str] | None:
        """The space that is wanted, and its owner where one is named."""
        if not self.space:
            return None
        word, _, owner = self.space.partition(":")
        try:
            return Space(word), owner
        except ValueError:
            raise InputError(f"a space is one of {', '.join(Space)}, perhaps with :NAME") from None

    def checked(self) -> "ExportSelection":
        """The same, if it can be meant."""
        if self.agent:
            name(self.agent, "agent")
        unknown = [each for each in self.kinds if each not in KINDS]
        if unknown:
            raise InputError(f"there is no kind {unknown[0]!r}; there are {', '.join(KINDS)}")
        _ = self.place
        return self

    def reads(self, stream: StreamId) -> bool:
        """Whether a log can hold anything that is wanted."""
        if self.persona is not None and stream.persona is not self.persona:
            return False
        if stream.kind in {StreamKind.AGENT, StreamKind.COLLECTION}:
            shared = self.place is not None and self.place[0] in SHARED
            return (not self.agent or stream.owner == self.agent) and not shared
        if stream.kind is StreamKind.COUNCIL:
            return self.place is None
        return stream.kind is StreamKind.SPACE and self._wants(stream)

    def _wants(self, stream: StreamId) -> bool:
        return self.place is None or stream.owner.startswith(f"{self.place[0]}:")

    def holds(self, kind: str, at: str, space: Space | None, owner: str) -> bool:
        """Whether a record of a kind, observed then, in a space of somebody, is wanted."""
        if self.kinds and kind not in self.kinds:
            return False
        if (self.since and at < self.since) or (self.until and at >= self.until):
            return False
        if self.place is None:
            return True
        return space is self.place[0] and self.place[1] in {"", owner}

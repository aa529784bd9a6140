"""The seat: who speaks through the MCP door, fixed when it opens and widened by nothing."""

import msgspec

from muniment.engine.agent import Agent
from muniment.engine.memory import Memory
from muniment.engine.views import Council
from muniment.layers.requests import Request
from muniment.log.entry import Line
from muniment.model.errors import InputError, NotFoundError, PermissionDeniedError
from muniment.model.item import Origin
from muniment.model.scope import Persona, Role, name

OWNER = "owner"  # who votes where no user was named
BATCH_MAX = 64  # entries after the one that was named; a batch is short
SEATS = (Role.AGENT, Role.USER, Role.COUNCIL)


class Credential(msgspec.Struct, frozen=True, kw_only=True):
    """What the command line or a key says once; no argument of any tool says it again."""

    agent: str
    user: str = ""
    persona: Persona = Persona.ACTOR
    role: Role = Role.AGENT


class Seat:
    """One principal's hands: `agent` speaks, `user` also answers, `council` only answers."""

    def __init__(self, memory: Memory, credential: Credential) -> None:
        if credential.role not in SEATS:
            raise InputError(f"the role must be one of {', '.join(SEATS)}")
        if credential.persona is Persona.SUBCONSCIOUS and credential.user:
            raise InputError("the Subconscious speaks for no user")
        self.role = credential.role
        self._memory = memory
        self._credential = credential
        self._agent = self._view() if self.speaks else None

    @property
    def speaks(self) -> bool:
        return self.role is not Role.COUNCIL

    @property
    def may_answer(self) -> bool:
        """Whether a person sits at the other end: only then does an answer count as theirs."""
        return self.role is not Role.AGENT

    @property
    def origin(self) -> Origin:
        """Whose words these are follows from the seat, never from a call."""
        return Origin.USER if self.role is Role.USER else Origin.AGENT

    @property
    def agent(self) -> Agent:
        if self._agent is None:
            raise PermissionDeniedError
        return self._agent

    def trace(self, seq: int) -> list[Line]:
        """What one command became: its batch, as this seat may see it."""
        found = self.agent.get_range(seq, seq)
        if not found:
            raise NotFoundError
        cause = found[0].header.cause
        lines = self.agent.get_range(cause, seq + BATCH_MAX)
        return [line for line in lines if line.header.cause == cause]

    def requests(self) -> list[Request]:
        """What awaits a yes: for the council everything, for others what they asked for."""
        return self.agent.requests() if self.speaks else self._council().requests()

    def request(self, request_id: str) -> Request:
        for each in self.requests():
            if each.request_id == request_id and each.status == "pending":
                return each
        raise NotFoundError

    def vote(self, request: Request, vote: str, reason: str) -> str:
        """The person's answer, bound to exactly what they were shown."""
        if not self.may_answer:
            raise PermissionDeniedError
        return self._council().vote(
            request.request_id, vote, reason=reason, binding=request.binding
        )

    def _council(self) -> Council:
        return self._memory.council(name(self._credential.user or OWNER, "user"))

    def _view(self) -> Agent:
        if self._credential.persona is Persona.SUBCONSCIOUS:
            return self._memory.subconscious(self._credential.agent)
        return self._memory.agent(self._credential.agent, user=self._credential.user)

"""MCP session: the principal, exactly as its credential grants it."""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.gateway.gateway import Gateway, Hands, Visit
from muniment.adapters.gateway.work_queue import Joint, Lane
from muniment.adapters.gateway.work_queues import QueueSlot
from muniment.adapters.http.routes import memory
from muniment.adapters.requests.memory import RememberRequest
from muniment.adapters.requests.verb_request import VerbRequest
from muniment.engine.api.remember import Remembered
from muniment.layers.governance.confirmations import Confirmation
from muniment.layers.governance.requests import Request
from muniment.log.entry import Line
from muniment.model.errors import InputError, NotFoundError, PermissionDeniedError
from muniment.model.kinds.episode import EpisodicEntry
from muniment.model.scope import Role

OWNER = "owner"  # who votes where no user was named
BATCH_MAX = 64  # entries after the one that was named; a batch is short
Answer = TypeVar("Answer")

SEATS = (Role.AGENT, Role.USER, Role.COUNCIL)


class Seat:
    """One visitor's chair: `agent` speaks, `user` also answers, `council` only answers.

    `member` is the visit that votes: an API key votes where its role is the council's, and
    whoever started this door at their own store votes as the person who sits there.
    """

    def __init__(self, visit: Visit, lane: Lane | QueueSlot, member: Visit | None = None) -> None:
        if visit.grant.role not in SEATS:
            raise PermissionDeniedError(f"the role must be one of {', '.join(SEATS)}")
        self.role = visit.grant.role
        self._visit = visit
        self._lane = lane
        self._member = visit if self.role is Role.COUNCIL else member

    @classmethod
    def local(cls, reception: Gateway, grant: Grant, lane: Lane) -> "Seat":
        """The seat of who holds the store itself and says on the command line who sits there."""
        if grant.role not in SEATS:
            raise InputError(f"the role must be one of {', '.join(SEATS)}")
        person = Grant(tenant=grant.tenant, role=Role.COUNCIL, who=grant.user or OWNER)
        member = reception.local(person) if grant.role is Role.USER else None
        return cls(reception.local(grant), lane, member)

    @property
    def speaks(self) -> bool:
        return self.role is not Role.COUNCIL

    @property
    def may_answer(self) -> bool:
        """Whether a person sits at the other end: only then does an answer count as theirs."""
        return self.role is not Role.AGENT

    # ── Verbs ───────────────────────────────────────────────────────────────────────────────────

    async def send(self, asked: VerbRequest[Any], handle: Callable[[Hands, Any], Answer]) -> Answer:
        """Answer a request as every door does, beside the event loop."""
        return await self._call(asked.endpoint.permission, lambda hands: handle(hands, asked))

    async def remember(self, asked: RememberRequest, key: str) -> Remembered:
        """Keep a sentence; those that wait at once share one append, each with its own answer."""
        visit = self._visit
        said = Joint(
            kin=(visit.reception, "remember", visit.grant, bool(key), asked.origin),
            said=(asked, key),
            together=lambda said: visit.call(
                "remember", lambda hands: memory.remember_each(hands, said)
            ),
        )
        return await self._lane.run(said)

    async def episode(self, item_id: str) -> EpisodicEntry:
        return await self._call("episodes", lambda hands: hands.agent.episode(item_id))

    async def trace(self, seq: str) -> list[Line]:
        """What one command became: its batch, as this seat may see it."""
        place = _place(seq)
        return await self._call("log", lambda hands: _batch(hands, place))

    # ── Deciding ────────────────────────────────────────────────────────────────────────────────

    async def questions(self) -> list[Confirmation]:
        if not self.speaks:
            return []
        return await self._call("petition", lambda hands: hands.agent.questions())

    async def confirm(self, confirmation_id: str, *, yes: bool) -> str:
        return await self._call(
            "confirm", lambda hands: hands.agent.confirm(confirmation_id, yes=yes)
        )

    async def requests(self) -> list[Request]:
        """What awaits a yes: for the council everything, for others what they asked for."""
        if self.speaks:
            return await self._call("petition", lambda hands: hands.agent.requests())
        return await self._call("requests", lambda hands: hands.requests())

    async def request(self, request_id: str) -> Request:
        for each in await self.requests():
            if each.request_id == request_id and each.status == "pending":
                return await self._as_voted(each)
        raise NotFoundError

    async def _as_voted(self, request: Request) -> Request:
        """With what a vote binds, which only those who may vote are shown."""
        member = self._member
        if member is None:
            return request
        wanted = request.request_id
        return await self._lane.run(
            lambda: member.call("requests", lambda hands: hands.request(wanted)[0])
        )

    async def vote(self, request: Request, vote: str, reason: str) -> str:
        """The person's answer, bound to exactly what they were shown."""
        member = self._member
        if member is None:
            raise PermissionDeniedError
        return await self._lane.run(
            lambda: member.call(
                "vote",
                lambda hands: hands.council.vote(
                    request.request_id, vote, reason=reason, binding=request.binding
                ),
            )
        )

    async def _call(self, verb: str, work: Callable[[Hands], Answer]) -> Answer:
        """One thing, done beside the event loop, which goes on meanwhile."""
        return await self._lane.run(lambda: self._visit.call(verb, work))


def of_words(tenant: str, agent: str, user: str, **rest: object) -> Grant:
    """What a command line says of who sits there, as the grant that an API key would hold."""
    grant = msgspec.convert({"tenant": tenant, **rest}, Grant)
    if grant.role is Role.COUNCIL:
        return msgspec.structs.replace(grant, who=user or OWNER)
    return msgspec.structs.replace(grant, agent=agent, user=user)


def _batch(hands: Hands, seq: int) -> list[Line]:
    found = hands.agent.get_range(seq, seq)
    if not found:
        raise NotFoundError
    cause = found[0].header.cause
    lines = hands.agent.get_range(cause, seq + BATCH_MAX)
    return [line for line in lines if line.header.cause == cause]


def _place(text: str) -> int:
    """Whatever is no place of this log is not found, like a place of another one."""
    if not text.isascii() or not text.isdigit() or len(text) > 15:  # noqa: PLR2004 - below 2^53
        raise NotFoundError
    return int(text)

"""Seats: principals of a set-up, strangers included, and who may read whom."""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

import msgspec

from muniment.adapters.gateway.api_keys import ANY, Grant
from muniment.engine.api.memory import Memory
from muniment.model.scope import StreamKind

STRANGER: Final = "stranger"
EACH_MAX: Final = 2  # tenants, agents of each and users of each: a leak between two is one of many
PERSON: Final = "user_"


class LeakSeat(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """One user of one agent of one tenant; without a user, the agent for nobody."""

    tenant: str
    agent: str
    user: str = ""

    @property
    def name(self) -> str:
        return f"{self.tenant}/{self.agent}/{self.user or '-'}"

    @property
    def project(self) -> str:
        """The shared space that this seat enters: that of its agent."""
        return f"plot-{self.agent}"

    def may_hear(self, owner: "LeakSeat") -> bool:
        """What a person told is theirs with every agent, and their agent's while it speaks for
        nobody; what is about nobody is the agent's, whomever it speaks for.
        """
        if self.tenant != owner.tenant:
            return False
        if owner.user and self.user == owner.user:
            return True
        return self.agent == owner.agent and not (owner.user and self.user)


def of_setup(memory: Memory, grants: Iterable[Grant]) -> list[LeakSeat]:
    """The seats of a store, some of each kind, and a stranger beside each of them."""
    found = sorted({*_of_logs(memory), *_of_grants(grants)}) or [
        LeakSeat(tenant="main", agent="ada")
    ]
    tenants = _some(each.tenant for each in found)
    seats: set[LeakSeat] = set()
    for tenant in tenants:
        mine = [each for each in found if each.tenant == tenant]
        agents = _some(each.agent for each in mine)
        users = _some(each.user for each in mine if each.user)
        pairs = product([*agents, STRANGER], [*users, STRANGER])
        seats |= {LeakSeat(tenant=tenant, agent=agent, user=user) for agent, user in pairs}
        seats |= {LeakSeat(tenant=tenant, agent=agent) for agent in agents}
    first = min(each for each in seats if each.user and each.tenant == tenants[0])
    return sorted(seats | {msgspec.structs.replace(first, tenant=STRANGER)})


def _of_logs(memory: Memory) -> Iterator[LeakSeat]:
    """Names alone: nothing of a log is opened."""
    hub = memory._hub  # noqa: SLF001 - an examination works below the views
    agents = [each for each in hub.known_streams() if each.kind is StreamKind.AGENT]
    people = [who.partition("/") for _, who in hub.parts.world.keyring.known("subject")]
    for stream in agents:
        yield LeakSeat(tenant=stream.tenant, agent=stream.owner)
        for tenant, _, who in people:
            if tenant == stream.tenant and who.startswith(PERSON):
                user = who.removeprefix(PERSON)
                yield LeakSeat(tenant=tenant, agent=stream.owner, user=user)


def _of_grants(grants: Iterable[Grant]) -> Iterator[LeakSeat]:
    for grant in grants:
        if grant.agent:
            user = "" if grant.user == ANY else grant.user
            yield LeakSeat(tenant=grant.tenant, agent=grant.agent, user=user)


def _some(names: Iterable[str]) -> list[str]:
    return sorted({*names})[:EACH_MAX]

"""Governed facts as canaries: put by their person or by the council, and who may read each."""

from typing import Final

from muniment.adapters.leaks.scratch import Scratch
from muniment.adapters.leaks.seats import LeakSeat
from muniment.model import fact_keys
from muniment.model.errors import RefusedError
from muniment.model.policy import Policy
from muniment.model.policy.fact_readers import FactReader

BY_COUNCIL: Final = "council fact"
DOORS: Final = frozenset({"python fact", "http fact", BY_COUNCIL})


def key_of(seat: LeakSeat, text: str) -> str:
    """A key about whoever sits there, or about nobody; for each canary another one."""
    word = text.split()[1]
    about = fact_keys.user_entity(seat.user) if seat.user else ""
    return f"user/profile/{about}/{word}" if about else f"world/garden/{word}/name"


def put(scratch: Scratch, seat: LeakSeat, text: str) -> object:
    return scratch.agent(seat).sem_put(_own(seat, text), text)


def put_over_http(scratch: Scratch, seat: LeakSeat, text: str) -> object:
    return scratch.client(seat).sem_put(_own(seat, text), text)


def decided(scratch: Scratch, seat: LeakSeat, text: str) -> object:
    """Asked for because of a sentence that does not hold it, and approved by a quorum."""
    agent, memory = scratch.agent(seat), scratch.tenant(seat.tenant)
    kept = agent.remember(f"The gate {len(text)} of {seat.name} is green").episodic_id
    request = agent.memory_promote_request(kept, key_of(seat, text), "it is so", value=text)
    for number in range(policy_of(scratch).governance.quorum):
        memory.council(f"olga{number}").approve(request)
    return request


def may_read(scratch: Scratch, reader: LeakSeat, owner: LeakSeat, door: str, text: str) -> bool:
    """Whether the policy lets a seat read a fact; whoever asked for it has asked for it."""
    if reader.tenant != owner.tenant:
        return False
    subject = fact_keys.user_entity(reader.user) if reader.user else ""
    readers = policy_of(scratch).sem.readers
    if FactReader(agent=reader.agent, subject=subject).may_read(key_of(owner, text), readers):
        return True
    return door == BY_COUNCIL and reader.may_hear(owner)


def policy_of(scratch: Scratch) -> Policy:
    return scratch.settings.policy


def _own(seat: LeakSeat, text: str) -> str:
    if not seat.user:
        raise RefusedError("role_not_allowed", "who speaks for nobody states nobody's fact")
    return key_of(seat, text)

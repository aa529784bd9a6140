"""Non-interference: what one person is told is the same with another person's life and without.

Two people of one tenant speak to two agents. What the one is told, answer by answer, must not
have one byte that follows from what the other told, asked for, was granted or was refused.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.errors import MunimentError
from muniment.model.policy import Policy, preset

MINE = "user/profile/user_tuff/drink"
THEIRS = "user/profile/user_mona/drink"
SHARED = "world/city/lisbon/river"
# A link of one's own chain says how far its writer had read, and without the keys it says nothing.
# The padded size of what is sealed grows by one step where a head gains a digit.
ENTRY_HASH = re.compile(rb'"(?:hash|commitment)":"[^"]*"|"bucket":[0-9]+')
KEYED = re.compile(rb"req:(\w{10})\w{16}")  # the moment of a request, and a token that is keyed


class WallClock:
    """What time it is follows from how far the one who listens has come, and from nobody else."""

    def __init__(self) -> None:
        self.second = 0

    def now(self) -> str:
        return f"2026-03-01T12:{self.second // 60:02d}:{self.second % 60:02d}.000Z"

    def wait(self, ticks: int) -> None:
        del ticks


# ── What the other one does ─────────────────────────────────────────────────────────────────────


def put(of: Memory, mona: Agent) -> None:
    mona.sem_put(THEIRS, "gin")


def ask(of: Memory, mona: Agent) -> None:
    kept = mona.remember("I like gin with tonic").episodic_id
    mona.memory_promote_request(kept, THEIRS, "said so", value="gin")


def grant(of: Memory, mona: Agent) -> None:
    for each in of.council("bea").requests():
        if each.key == THEIRS:
            of.council("bea").approve(each.request_id)


def refuse(of: Memory, mona: Agent) -> None:
    for each in of.council("bea").requests():
        if each.key == THEIRS:
            of.council("bea").reject(each.request_id)


def retire(of: Memory, mona: Agent) -> None:
    asked = of.admin("otto").request_deletion(THEIRS, reason="she said so")
    of.council("bea").approve(asked)
    of.admin("otto").delete(asked)


def wish(of: Memory, mona: Agent) -> None:
    asked = mona.remember("Remember my favourite colour is scarlet").question
    if asked is not None:
        mona.confirm(asked.confirmation_id)


def file(of: Memory, mona: Agent) -> None:
    mona.documents(governed=True).put(("notes",), "gin", {"is": "good"})


OTHERS: dict[str, Callable[[Memory, Agent], None]] = {
    each.__name__: each for each in (put, ask, grant, refuse, retire, wish, file)
}

# ── What the one who listens does, and is told ──────────────────────────────────────────────────


def promote(of: Memory, tuff: Agent) -> object:
    kept = tuff.remember("I like tea with lemon").episodic_id
    return tuff.memory_promote_request(kept, MINE, "said so", value="tea")


def promote_theirs(of: Memory, tuff: Agent) -> object:
    kept = tuff.remember("mona drinks rum").episodic_id
    return tuff.memory_promote_request(kept, THEIRS, "I think so", value="rum")


def granted(of: Memory, tuff: Agent) -> object:
    mine = [each for each in tuff.requests() if each.key == MINE]
    return [of.council("bea").approve(each.request_id) for each in mine]


def a_job(of: Memory, tuff: Agent) -> object:
    with tuff.job("a-seed-of-tuffs") as job:
        return job.assemble_context("what do I drink?", 400), job.cwm()


LISTENING: dict[str, Callable[[Memory, Agent], object]] = {
    "remember": lambda of, tuff: tuff.remember("I drink tea with lemon"),
    "sem_put": lambda of, tuff: tuff.sem_put(MINE, "tea") and None,
    "promote": promote,
    "promote_theirs": promote_theirs,
    "requests": lambda of, tuff: tuff.requests(),
    "granted": granted,
    "sem_get": lambda of, tuff: tuff.sem_get(MINE),
    "sem_get theirs": lambda of, tuff: tuff.sem_get(THEIRS),
    "sem_search": lambda of, tuff: tuff.sem_search("user/"),
    "sem_search all": lambda of, tuff: tuff.sem_search(""),
    "sem_search of a day": lambda of, tuff: tuff.sem_search("", valid_at="2026-03-01"),
    "recall": lambda of, tuff: tuff.recall("what do I drink?", explain=True),
    "recall theirs": lambda of, tuff: tuff.recall("gin scarlet", explain=True),
    "why_not": lambda of, tuff: tuff.why_not("what does mona drink?", THEIRS),
    "context": lambda of, tuff: tuff.context("what do I drink?", budget=400),
    "regenerate": lambda of, tuff: tuff.regenerate(tuff.context("tea", budget=400).receipt),
    "job": a_job,
    "log": lambda of, tuff: tuff.get_range(),
    "questions": lambda of, tuff: tuff.questions(),
    "file": lambda of, tuff: tuff.documents(governed=True).put(("notes",), "tea", 1),
    "facts": lambda of, tuff: tuff.memory_type("facts").remember("drink"),
}


def heard(steps: list[tuple[str, str]], policy: Policy, *, with_mona: bool) -> Iterator[bytes]:
    clock = WallClock()
    of = world.memory(policy, clock=clock)
    tuff, mona = of.agent("ada", user="tuff"), of.agent("bob", user="mona")
    for other, own in steps:
        if with_mona:
            attempt(lambda: OTHERS[other](of, mona))  # noqa: B023 - called at once
        clock.second += 1
        yield attempt(lambda: LISTENING[own](of, tuff))  # noqa: B023 - called at once


def attempt(call: Callable[[], object]) -> bytes:
    try:
        told = msgspec.json.encode(call(), enc_hook=repr)
        return KEYED.sub(rb"req:\1", ENTRY_HASH.sub(rb"", told))
    except MunimentError as error:
        return f"{type(error).__name__}: {error}".encode()


STEPS = st.lists(
    st.tuples(st.sampled_from(sorted(OTHERS)), st.sampled_from(sorted(LISTENING))),
    min_size=3,
    max_size=12,
)


@pytest.mark.parametrize("named", ["solo", "council"])
def test_no_answer_tells_one_person_anything_of_another(named: str) -> None:
    """Every verb after everything that the other one can do, in one long life."""
    everything: list[tuple[str, str]] = [(other, own) for own in LISTENING for other in OTHERS]
    compare(everything, preset(named))


@settings(max_examples=60, deadline=None)
@given(steps=STEPS)
def test_in_no_order_does_one_person_hear_of_another(steps: list[tuple[str, str]]) -> None:
    compare(steps, Policy())


def compare(steps: list[tuple[str, str]], policy: Policy) -> None:
    without = heard(steps, policy, with_mona=False)
    with_her = heard(steps, policy, with_mona=True)
    for step, first, second in zip(steps, without, with_her, strict=True):
        assert first == second, (step, first[:1500], second[:1500])


def test_what_the_other_one_does_is_really_done() -> None:
    """A law about nothing would hold as well."""
    of = world.memory(clock=WallClock())
    mona = of.agent("bob", user="mona")
    done: dict[str, Any] = {}
    for name in ("put", "ask", "wish", "file", "retire"):
        before = of.auditor("ann").facts(), len(of.council("bea").requests())
        OTHERS[name](of, mona)
        done[name] = before != (of.auditor("ann").facts(), len(of.council("bea").requests()))
    OTHERS["ask"](of, mona)
    OTHERS["grant"](of, mona)
    assert mona.sem_get(THEIRS).exists
    assert all(done.values()), done

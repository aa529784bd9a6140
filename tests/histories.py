"""Random histories: what agents of two tenants and two personas may do, and how it is played."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from hypothesis import strategies as st
from tests import world

from muniment.engine.agent import Agent
from muniment.engine.job import Job
from muniment.engine.memory import Memory
from muniment.log.entry import Line
from muniment.log.sealing import Keyring
from muniment.log.store import Store
from muniment.model.errors import MunimentError
from muniment.model.policy import Policy
from muniment.model.scope import StreamId

TENANTS = ("north", "south")
PERSONAS = ("actor", "subconscious")
SENTENCES = (
    "I moved to Lisbon in March",
    "Remember my favourite colour is cerulean",
    "remember that my editor is vim",
    "call me on +1 415 555 2671",
    "my password is correct-horse-77",
    "naïve café — 東京 🗼",
    "",
)
VALUES: tuple[object, ...] = (
    "Lisbon",
    {"city": "Lisbon", "since": 3},
    ["a", 1, None, True],
    2.5,
    {"phone": "+1 415 555 2671"},
)
VERBS = (
    "remember",
    "remember_many",
    "confirm",
    "approve",
    "reject",
    "open",
    "insert",
    "insert",
    "reference",
    "reference",
    "tick",
    "tick",
    "promote",
    "goal",
    "write",
    "request",
    "commit",
    "forget",
    "consent",
    "recall",
    "sem_get",
    "council_tick",
)


@dataclass(frozen=True)
class Step:
    tenant: int
    persona: int
    verb: str
    n: int


steps = st.builds(
    Step,
    tenant=st.integers(0, 1),
    persona=st.integers(0, 1),
    verb=st.sampled_from(VERBS),
    n=st.integers(0, 6),
)
histories = st.lists(steps, min_size=1, max_size=24)


@dataclass
class Actor:
    """One persona of one tenant's agent, and what it has at hand."""

    memory: Memory
    agent: Agent
    jobs: list[Job] = field(default_factory=list)
    items: list[str] = field(default_factory=list)
    episodes: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    seeds: int = 0


class Play:
    """Two tenants on one store, each with an agent `ada` of two personas and the same seeds."""

    def __init__(self, store: Store, keyring: Keyring, policy: Policy | None = None) -> None:
        self.memories = {
            tenant: world.memory(policy, store=store, keyring=keyring, tenant=tenant)
            for tenant in TENANTS
        }
        self._actors = {
            (tenant, persona): Actor(memory=memory, agent=_agent(memory, persona))
            for tenant, memory in self.memories.items()
            for persona in PERSONAS
        }

    def run(self, history: list[Step]) -> "Play":
        for step in history:
            actor = self._actors[TENANTS[step.tenant], PERSONAS[step.persona]]
            with suppress(MunimentError):  # a refusal is part of a history
                MOVES[step.verb](actor, step.n)
        return self

    def logs(self) -> dict[StreamId, list[Line]]:
        return {
            stream: memory.log(stream)
            for memory in self.memories.values()
            for stream in memory.streams()
        }


def _agent(memory: Memory, persona: str) -> Agent:
    if persona == "subconscious":
        return memory.subconscious("ada")
    return memory.agent("ada", user="tuff")


def _pick(things: list[str], n: int) -> str:
    return things[n % len(things)] if things else "nothing"


def _job(actor: Actor, n: int) -> Job:
    actor.jobs = [job for job in actor.jobs if job.is_open]
    if not actor.jobs:
        _open(actor, n)
    return actor.jobs[n % len(actor.jobs)]


def _open(actor: Actor, n: int) -> None:
    actor.seeds += 1
    session = "s" if n % 2 else ""
    actor.jobs.append(actor.agent.job(f"seed-{actor.seeds}", session=session))


def _remember(actor: Actor, n: int) -> None:
    told = actor.agent.remember(SENTENCES[n % len(SENTENCES)])
    if told.stored:
        actor.episodes.append(told.episodic_id)
    if told.question:
        actor.questions.append(told.question.confirmation_id)


def _remember_many(actor: Actor, n: int) -> None:
    actor.agent.remember_many(SENTENCES[: n + 1], batch=2)


def _confirm(actor: Actor, n: int) -> None:
    actor.agent.confirm(_pick(actor.questions, n), yes=n % 3 != 0, direct=n % 2 == 0)


def _vote(vote: str) -> Callable[[Actor, int], None]:
    def move(actor: Actor, n: int) -> None:
        waiting = [request.request_id for request in actor.memory.council().requests()]
        actor.memory.council(f"member-{n}").vote(_pick(waiting, n), vote)

    return move


def _insert(actor: Actor, n: int) -> None:
    entry = {"type": ("fact", "context", "hint", "temp")[n % 4], "value": VALUES[n % len(VALUES)]}
    actor.items.append(_job(actor, n).wm_insert(entry))


def _goal(actor: Actor, n: int) -> None:
    _job(actor, n).set_goal(f"g{n}", "to be done", major=n % 2 == 0)


def _write(actor: Actor, n: int) -> None:
    job = _job(actor, n)
    actor.episodes.append(job.episodic_write(f"step {n}", VALUES[n % len(VALUES)]))


def _request(actor: Actor, n: int) -> None:
    key = ("world/city/lisbon/country", "user/profile/tuff/city", "bad key")[n % 3]
    actor.agent.memory_promote_request(_pick(actor.episodes, n), key, "seen", value="x")


MOVES: dict[str, Callable[[Actor, int], object]] = {
    "remember": _remember,
    "remember_many": _remember_many,
    "confirm": _confirm,
    "approve": _vote("approve"),
    "reject": _vote("reject"),
    "open": _open,
    "insert": _insert,
    "reference": lambda actor, n: _job(actor, n).reference(_pick(actor.items, n)),
    "tick": lambda actor, n: _job(actor, n).tick(),
    "promote": lambda actor, n: _job(actor, n).promote(_pick(actor.items, n)),
    "goal": _goal,
    "write": _write,
    "request": _request,
    "commit": lambda actor, n: _job(actor, n).commit(),
    "forget": lambda actor, n: actor.agent.forget(_pick(actor.episodes, n)),
    "consent": lambda actor, n: actor.agent.consent(f"yes {n}"),
    "recall": lambda actor, n: actor.agent.recall(SENTENCES[n % len(SENTENCES)]),
    "sem_get": lambda actor, _: actor.agent.sem_get("user/profile/tuff/favorite_color"),
    "council_tick": lambda actor, _: actor.memory.council().tick(),
}
assert set(MOVES) == set(VERBS)

"""Random histories: what agents of two tenants and two personas may do, and how it is played."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache

from hypothesis import strategies as st
from tests import turning, world
from tests.turning import Kept, Turn

from muniment.engine.api.agent import Agent
from muniment.engine.api.job import Job
from muniment.engine.api.memory import Memory
from muniment.engine.api.subconscious import Subconscious
from muniment.engine.conversation.conversation import Conversation
from muniment.engine.conversation.conversation_results import Recorded
from muniment.engine.streams.parts import Tools
from muniment.log.entry import Line
from muniment.log.sealing import Keyring
from muniment.log.store import Store
from muniment.model.errors import MunimentError
from muniment.model.kinds.loop import EventKind
from muniment.model.policy import Policy
from muniment.model.scope import StreamId
from muniment.retrieval.index.hashing_embedder import HashingEmbedder
from muniment.rules.privacy import screen

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
    "record",
    "record",
    "record_shared",
    "converse_recall",
    "promote_item",
    "correct",
    "retract",
    "undo",
    "phase",
    "diff",
    "impose",
    "do",
    "happen",
    "happen",
    "answer",
    "practise",
    "rag_query",
    "fuzzy_query",
    "dream",
    "learn",
    "apply",
    "put_right",
    "put_document",
    "file_document",
    "add_documents",
    "drop_document",
    "document_for_a_while",
    "vouch",
    "switch_index",
    "later",
    "memorize",
    *turning.TURNS,
)
# What is said in conversations: facts, corrections, wishes, noise, a secret.
SAID = (
    "My name is Ada",
    "Actually my name is Bea and I speak Portuguese",
    "Remember this for me: I prefer tea",
    "We decided: remember for our project that we use Rust",
    "ok",
    "my password is correct-horse-77",
    "remember for everyone: never use tabs",
)


# Histories say the same few texts again and again; what is found in one depends on nothing else.
DETECTOR = lru_cache(maxsize=4_096)(screen.rules_only)


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
    records: list[int] = field(default_factory=list)
    memories: list[str] = field(default_factory=list)
    kept: Kept = field(default_factory=Kept)
    clock: world.StillClock = field(default_factory=world.StillClock)


class OtherEmbedder(HashingEmbedder):
    """One that reads backwards: another index with other numbers, to be switched to."""

    name = "backwards"

    def embed(self, text: str) -> bytes:
        return super().embed(text[::-1])


class Play:
    """Two tenants on one store, each with an agent `ada` of two personas and the same seeds."""

    def __init__(self, store: Store, keyring: Keyring, policy: Policy | None = None) -> None:
        clock, tools = world.StillClock(), Tools(others=(OtherEmbedder(),))
        self.memories = {
            tenant: world.memory(
                policy,
                store=store,
                keyring=keyring,
                tenant=tenant,
                clock=clock,
                tools=tools,
                detector=DETECTOR,
            )
            for tenant in TENANTS
        }
        self._actors = {
            (tenant, persona): Actor(memory=memory, agent=_agent(memory, persona), clock=clock)
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
    session, channel = "s" if n % 2 else "", ("", "mail", "slack")[n % 3]
    actor.jobs.append(actor.agent.job(f"seed-{actor.seeds}", session=session, channel=channel))


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


def _conversation(actor: Actor, n: int) -> Conversation:
    return actor.agent.conversation(session=("s", "t", "")[n % 3], project="apollo")


def _kept(actor: Actor, told: Recorded) -> None:
    actor.records.append(told.seq)
    actor.memories += [each.id for each in told.written]


def _record(actor: Actor, n: int) -> None:
    tools = ({"name": "search", "result": VALUES[n % len(VALUES)]},) if n % 2 else ()
    talk = _conversation(actor, n)
    _kept(actor, talk.record(user=SAID[n % len(SAID)], ai=SENTENCES[n], tools=tools))


def _record_shared(actor: Actor, n: int) -> None:
    space = ("user", "project", "system")[n % 3]
    _kept(actor, _conversation(actor, n).record(user=SAID[n % len(SAID)], space=space))


def _promote_item(actor: Actor, n: int) -> None:
    space = ("user", "project")[n % 2]
    _kept(actor, _conversation(actor, n).promote(_pick(actor.memories, n), space))


def _correct(actor: Actor, n: int) -> None:
    _kept(actor, _conversation(actor, n).correct(_pick(actor.memories, n), SAID[n % len(SAID)]))


def _undo(actor: Actor, n: int) -> None:
    if actor.records:
        _kept(actor, _conversation(actor, n).undo(actor.records[-1 - n % len(actor.records)]))


def _impose(actor: Actor, n: int) -> None:
    actor.memory.admin().impose("ada", SAID[n % len(SAID)], user="tuff", session="s")


def _do(actor: Actor, n: int) -> None:
    actor.jobs.append(actor.agent.do(SENTENCES[n % len(SENTENCES)] or "nothing much"))


def _happen(actor: Actor, n: int) -> None:
    kind = list(EventKind)[n % len(EventKind)]
    actor.items.append(_job(actor, n).observe_event(kind, VALUES[n % len(VALUES)], {"n": n}))


def _answer(actor: Actor, n: int) -> None:
    job = _job(actor, n)
    job.observe_event("actor_output", SENTENCES[n % len(SENTENCES)])
    job.commit()


def _practise(actor: Actor, n: int) -> object:
    """The same thing twice: somebody who practises again has a skill."""
    for k in range(2):
        with actor.agent.do(SENTENCES[0]) as doing:
            doing.tool_call("search", {"n": n + k})
    return actor.agent.skills()


def _dream(actor: Actor, n: int) -> None:
    del n
    if isinstance(actor.agent, Subconscious):
        actor.agent.dream()


def _learn(actor: Actor, n: int) -> None:
    if isinstance(actor.agent, Subconscious):
        actor.agent.learn(SENTENCES[n % len(SENTENCES)] or "be brief")


def _apply(actor: Actor, n: int) -> None:
    waiting = [each.request_id for each in actor.memory.council().requests()]
    actor.memory.identities().apply(_pick(waiting, n))


def _put_document(actor: Actor, n: int) -> None:
    expect = 1 if n == 6 else -1
    namespace = ("prefs", "ui")[: n % 3]
    actor.agent.documents().put(namespace, f"k{n % 2}", VALUES[n % len(VALUES)], expect=expect)


def _drop_document(actor: Actor, n: int) -> None:
    documents = actor.agent.documents(governed=n == 5)
    if n % 3:
        documents.drop(("prefs", "ui")[: n % 3], f"k{n % 2}")
    else:
        documents.clear(("turns",))


def _document_for_a_while(actor: Actor, n: int) -> None:
    documents = actor.agent.documents()
    documents.put(("prefs",), f"k{n % 2}", n, ttl_seconds=60 * (n + 1))
    if n % 3 == 0:
        documents.move({(("prefs",), f"k{n % 2}"): (("moved",), f"k{n % 2}")})


def _vouch(actor: Actor, n: int) -> None:
    told = actor.agent.remember(SENTENCES[n], origin="external", source=f"site {n % 3}")
    if n % 2:
        actor.agent.vouch(told.episodic_id, reason="I was there")


def _switch_index(actor: Actor, n: int) -> None:
    embedder = (HashingEmbedder.name, OtherEmbedder.name, "nobody")[n % 3]
    indexing = actor.memory.indexing()
    indexing.build("ada", embedder)
    indexing.switch("ada", embedder)


def _turned(turn: Turn) -> Callable[[Actor, int], object]:
    return lambda actor, n: turn(actor.agent, _job(actor, n), actor.kept, n)


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
    "record": _record,
    "record_shared": _record_shared,
    "converse_recall": lambda actor, n: _conversation(actor, n).recall(SAID[n % len(SAID)]),
    "promote_item": _promote_item,
    "correct": _correct,
    "retract": lambda actor, n: _conversation(actor, n).forget(_pick(actor.memories, n)),
    "undo": _undo,
    "phase": lambda actor, n: _conversation(actor, n).start_phase(f"chapter {n}"),
    "diff": lambda actor, n: _conversation(actor, n).diff("phase-1", f"phase-{n % 2 + 1}"),
    "impose": _impose,
    "do": _do,
    "happen": _happen,
    "answer": _answer,
    "practise": _practise,
    "rag_query": lambda actor, n: actor.agent.rag_query(SENTENCES[n % len(SENTENCES)]),
    "fuzzy_query": lambda actor, n: actor.agent.fuzzy_query(SENTENCES[n % len(SENTENCES)]),
    "dream": _dream,
    "learn": _learn,
    "apply": _apply,
    "put_right": lambda actor, n: actor.agent.correct(_pick(actor.episodes, n), SENTENCES[n]),
    "put_document": _put_document,
    "file_document": lambda actor, n: actor.agent.documents(governed=True).put(
        ("prefs",), f"k{n}", n
    ),
    "add_documents": lambda actor, n: actor.agent.documents().add(("turns",), VALUES[: n + 1]),
    "drop_document": _drop_document,
    "document_for_a_while": _document_for_a_while,
    "vouch": _vouch,
    "switch_index": _switch_index,
    "later": lambda actor, n: actor.clock.later(minutes=(1, 7, 31, 61, 600, 1500, 50_000)[n]),
    **{name: _turned(turn) for name, turn in turning.TURNS.items()},
}
assert set(MOVES) == set(VERBS)

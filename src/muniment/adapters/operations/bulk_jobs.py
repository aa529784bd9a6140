"""Bulk jobs: maintenance over many agents, in processes or on a cluster.

A chore is a plain value: whoever gets it opens the memory itself and works on one stream. So it
can be sent to another process or another machine that reaches the store and has its keys.
"""

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Final

import msgspec

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.operations.executors import Executor, InProcess
from muniment.engine.api.memory import Memory
from muniment.engine.audit import replayed_stream
from muniment.engine.audit.replay import Proof, joined
from muniment.engine.audit.replayed_stream import WHOLE, DecidedSpan
from muniment.engine.maintenance import dream
from muniment.model.errors import InputError
from muniment.model.policy import Policy
from muniment.model.scope import Persona, StreamId, StreamKind, stream_from_text

IN_MEMORY: Final = ":memory:"
SHARED_ENTRIES_MIN: Final = 5_000  # to decide again: a shorter log is done before another begins


class BulkOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a verb is told besides where: for whom, under which other coefficients or policy."""

    user: str = ""
    coefficients: dict[str, int] = {}
    policy: Policy | None = None
    uncaused: tuple[str, ...] = ()  # entries of other logs that would not be there
    after: dict[str, int] = {}  # by log: what was proved before, and is not decided again
    span: DecidedSpan = WHOLE  # of the log of one chore
    workers: int = 1  # that may share a long log


class Chore(msgspec.Struct, frozen=True, kw_only=True):
    """One verb on one stream of the memory at an address."""

    address: str
    verb: str
    stream: str
    settings: Settings  # all of them: a worker knows the caller's embedders and memory types too
    wish: BulkOptions = BulkOptions()


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a chore answered, as JSON text: equal chores give equal texts."""

    stream: str
    told: str


def prove(memory: Memory, stream: StreamId, wish: BulkOptions) -> object:
    """Verify every link of the stream and decide every batch again."""
    return memory.prove_stream(stream, span=wish.span)


def rebuild(memory: Memory, stream: StreamId, wish: BulkOptions) -> object:
    """Fold desks, shelves and indexes of the stream from its log again."""
    del wish
    return memory.rebuild_stream(stream)


def dream_for(memory: Memory, stream: StreamId, wish: BulkOptions) -> object:
    """Bring the derived layers of the agent up to date."""
    del wish
    return memory.subconscious(stream.owner).dream()


def embed(memory: Memory, stream: StreamId, wish: BulkOptions) -> object:
    """Only the vectors that are owed, or that another embedder made."""
    del wish
    steps = {"embeddings": dream.STEPS["embeddings"]}
    return memory.subconscious(stream.owner).dream(steps=steps)


def what_if(memory: Memory, stream: StreamId, wish: BulkOptions) -> object:
    """The agent's past contexts under other coefficients; nothing changes."""
    return memory.agent(stream.owner, user=wish.user).what_if(wish.coefficients)


def what_if_policy(memory: Memory, stream: StreamId, wish: BulkOptions) -> object:
    """The log decided and its questions asked again under another policy; nothing changes."""
    return memory.what_if_stream(stream, wish.policy, wish.uncaused)


Verb = Callable[[Memory, StreamId, BulkOptions], object]

PROVE: Final = "prove"
EVERY: Final[dict[str, Verb]] = {
    PROVE: prove,
    "rebuild": rebuild,
    "policy-what-if": what_if_policy,
}
AGENTS: Final[dict[str, Verb]] = {"dream": dream_for, "embed": embed, "what-if": what_if}
VERBS: Final = EVERY | AGENTS
NOTHING: Final = BulkOptions()


def do(chore: Chore) -> Result:
    """One chore, from nothing but its own words."""
    with open_memory(chore.address, chore.settings) as memory:
        told = VERBS[chore.verb](memory, stream_from_text(chore.stream), chore.wish)
    return Result(stream=chore.stream, told=msgspec.json.encode(told).decode())


def chores(address: str, verb: str, settings: Settings, wish: BulkOptions = NOTHING) -> list[Chore]:
    """A chore for each stream of the tenant that the verb is for, in the order of their names."""
    if verb not in VERBS:
        raise InputError(f"there is no task {verb!r}; there are {', '.join(VERBS)}")
    if address == IN_MEMORY:
        raise InputError("other processes cannot open a memory that is only in this process")
    with open_memory(address, settings) as memory:
        streams = [each for each in memory.streams() if verb in EVERY or _is_agent(each)]
        wishes = [
            (stream.text, each)
            for stream in streams
            for each in (_spans(memory, stream, wish) if verb == PROVE else [wish])
        ]
    return [
        Chore(address=address, verb=verb, stream=stream, settings=settings, wish=each)
        for stream, each in wishes
    ]


def _spans(memory: Memory, stream: StreamId, wish: BulkOptions) -> list[BulkOptions]:
    """A long log is decided again in as many spans as there are workers."""
    entries, after = memory.head(stream), wish.after.get(stream.text, 0)
    pieces = wish.workers if entries - after >= SHARED_ENTRIES_MIN else 1
    return [
        msgspec.structs.replace(wish, span=each)
        for each in replayed_stream.spans(entries, pieces, after)
    ]


def work(
    address: str,
    verb: str,
    settings: Settings,
    executor: Executor | None = None,
    wish: BulkOptions = NOTHING,
) -> Iterator[Result]:
    """Do a chore on every stream; the answers come in the order of the streams' names."""
    done = (executor or InProcess()).map(do, chores(address, verb, settings, wish))
    return _joined(done) if verb == PROVE else done


def _joined(done: Iterator[Result]) -> Iterator[Result]:
    """Of the spans of one log one proof."""
    for stream, spans in groupby(done, key=lambda each: each.stream):
        proofs = [msgspec.json.decode(each.told, type=Proof) for each in spans]
        yield Result(stream=stream, told=msgspec.json.encode(joined(proofs)).decode())


def _is_agent(stream: StreamId) -> bool:
    return stream.kind is StreamKind.AGENT and stream.persona is Persona.ACTOR

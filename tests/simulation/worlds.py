"""A simulated world: one seed decides what agents do and when the store fails them.

A history is lived once undisturbed, and proved; then in several storms, each a world. A store that
fails and is then asked again may cost time, never a byte: all that is kept of the agents must be
equal in both lives, the log, the shelves, the desk and the keys. A proof reads nothing else, so it
would say the same of both; what may differ, the log of operations, is proved in every world.
"""

from dataclasses import dataclass
from functools import lru_cache

import msgspec
from tests import world
from tests.faults import FaultyStore, down, unanswered
from tests.histories import VERBS, Play, Step

from muniment.engine.api.memory import Memory
from muniment.layers import desk as desks
from muniment.log.entry import Entry
from muniment.log.keyring import SeededEntropy
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Birth
from muniment.model.scope import StreamId, StreamKind

STEPS_MAX = 40
STORMS = 5  # of one history, each another world
FAULTS = ((down, False), (unanswered, False), (unanswered, True))
APPENDS_MAX = 2_000  # of a world, far more than one has
SPACING = 4  # appends between two faults: one retry settles each, two in a row would be final


class Dice:
    def __init__(self, name: str) -> None:
        self._drawn = SeededEntropy(name.encode())

    def __call__(self, sides: int) -> int:
        return int.from_bytes(self._drawn(4), "big") % sides


@dataclass(frozen=True)
class Outcome:
    seed: int
    steps: int
    entries: int
    faults: int
    equal: bool
    proved: bool

    @property
    def is_good(self) -> bool:
        return self.equal and self.proved


@dataclass(frozen=True)
class Kept:
    """All that is kept of one stream: what a proof reads, and what the next write rests on."""

    entries: list[Entry]
    operations: dict[str, int]
    rows: list[tuple[Birth, int | None]]  # with their tokens, and where they ended
    desk: bytes


@dataclass(frozen=True)
class Calm:
    """An undisturbed life."""

    steps: list[Step]
    kept: dict[str, Kept]
    keys: dict[str, bytes]
    proved: bool


def history(dice: Dice) -> list[Step]:
    return [
        Step(tenant=dice(2), persona=dice(2), verb=VERBS[dice(len(VERBS))], n=dice(7))
        for _ in range(10 + dice(STEPS_MAX - 10))
    ]


def schedule(dice: Dice, store: FaultyStore) -> None:
    """Failures that one retry settles: before the commit, or after it and unanswered."""
    nth = 0
    while nth < APPENDS_MAX:
        nth += SPACING + dice(12)
        fault, committed = FAULTS[dice(len(FAULTS))]
        store.plan(nth, fault, committed=committed)


def live(seed: int) -> Outcome:
    calm = undisturbed(seed // STORMS)
    store, keyring = FaultyStore(), world.CountedKeyring()
    schedule(Dice(f"storm {seed}"), store)
    stormy = Play(store, keyring).run(calm.steps)
    assert store.attempts < APPENDS_MAX, "the end of this world was calm"
    faults = sum(1 for nth in store.planned if nth <= store.attempts)
    store.recover()
    kept, beside = agents(stormy, store.real), of_operations(stormy, store.real)
    return Outcome(
        seed=seed,
        steps=len(calm.steps),
        entries=sum(len(each.entries) for each in kept.values()),
        faults=faults,
        equal=kept == calm.kept and without(beside, keyring._keys) == without(beside, calm.keys),
        proved=calm.proved and all(map(_operations_prove, stormy.memories.values())),
    )


@lru_cache(maxsize=1)
def undisturbed(number: int) -> Calm:
    """A history and its life without a storm, for all the worlds that compare theirs with it."""
    steps = history(Dice(f"history {number}"))
    store, keyring = ScratchStore(), world.CountedKeyring()
    played = Play(store, keyring).run(steps)
    return Calm(
        steps=steps,
        kept=agents(played, store),
        keys=without(of_operations(played, store), keyring._keys),
        proved=all(map(_is_proved, played.memories.values())),
    )


def _is_proved(memory: Memory) -> bool:
    """Whether every log was; who was told nothing has none."""
    return [each.stream for each in memory.prove()] == [each.text for each in memory.streams()]


def _operations_prove(memory: Memory) -> bool:
    told = [stream for stream in memory.streams() if _is_of_operations(stream)]
    return [memory.prove_stream(stream).stream for stream in told] == [each.text for each in told]


def _is_of_operations(stream: StreamId) -> bool:
    """Whether it may tell of the storm; agents must not."""
    return stream.kind is StreamKind.OPS


def agents(played: Play, store: ScratchStore) -> dict[str, Kept]:
    return {
        stream.text: _kept(memory, stream, store)
        for memory in played.memories.values()
        for stream in memory.streams()
        if not _is_of_operations(stream)
    }


def of_operations(played: Play, store: ScratchStore) -> set[str]:
    """The references that logs of operations alone use: their own, and who acts in no other."""
    logs: dict[bool, list[tuple[str, list[Entry]]]] = {True: [], False: []}
    for memory in played.memories.values():
        for stream in memory.streams():
            ref = world.hub(memory).stream(stream).ref
            logs[_is_of_operations(stream)].append((ref, store._kept[ref].entries))
    acting = {
        msgspec.json.decode(entry.header)["body"].get("actor", "")
        for _, entries in logs[True]
        for entry in entries
    }
    headers = [entry.header for _, entries in logs[False] for entry in entries]
    alone = {ref for ref in acting if not any(ref.encode() in each for each in headers)}
    return alone | {ref for ref, _ in logs[True]}


def without(beside: set[str], keys: dict[str, bytes]) -> dict[str, bytes]:
    """All keys that were not destroyed, by reference, but these."""
    return {ref: key for ref, key in keys.items() if ref not in beside}


def _kept(memory: Memory, stream: StreamId, store: ScratchStore) -> Kept:
    writer = world.hub(memory).writer(stream)
    inside = store._kept[writer.stream.ref]
    shelves = sorted(inside.shelves.items())
    return Kept(
        entries=inside.entries,
        operations=inside.operations,
        rows=[(row.birth, row.died) for _, shelf in shelves for row in shelf.rows.values()],
        desk=desks.encode(writer.desk),
    )

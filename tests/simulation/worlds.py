"""A simulated world: one seed decides what agents do and when the store fails them.

The same history is lived twice, once undisturbed. A store that fails and is then asked again may
cost time, never a byte: the agents' logs of both lives must be equal, and both must prove.
"""

from dataclasses import dataclass

from tests import world
from tests.faults import FaultyStore, down, unanswered
from tests.histories import VERBS, Play, Step

from muniment.engine.api.memory import Memory
from muniment.log.keyring import SeededEntropy
from muniment.log.reference_store import ScratchStore
from muniment.model.scope import StreamKind

STEPS_MAX = 40
FAULTS = ((down, False), (unanswered, False), (unanswered, True))
APPENDS_MAX = 2_000  # of a world, far more than one has
SPACING = 4  # appends between two faults: one retry settles each, two in a row would be final


class Dice:
    def __init__(self, seed: int) -> None:
        self._drawn = SeededEntropy(b"world %d" % seed)

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
    dice = Dice(seed)
    steps = history(dice)
    calm = Play(ScratchStore(), world.CountedKeyring()).run(steps)
    store = FaultyStore()
    schedule(dice, store)
    stormy = Play(store, world.CountedKeyring()).run(steps)
    assert store.attempts < APPENDS_MAX, "the end of this world was calm"
    faults = sum(1 for nth in store.planned if nth <= store.attempts)
    store.recover()
    mine, theirs = agents(calm), agents(stormy)
    proved = all(_is_proved(memory) for memory in stormy.memories.values())
    return Outcome(
        seed=seed,
        steps=len(steps),
        entries=sum(len(hashes) for hashes in theirs.values()),
        faults=faults,
        equal=mine == theirs,
        proved=proved,
    )


def _is_proved(memory: Memory) -> bool:
    """Whether every log was; who was told nothing has none."""
    return [each.stream for each in memory.prove()] == [each.text for each in memory.streams()]


def agents(played: Play) -> dict[str, list[bytes]]:
    """What the agents' logs say; operations may tell of the storm, agents must not."""
    return {
        stream.text: [line.hash for line in lines]
        for stream, lines in played.logs().items()
        if stream.kind is not StreamKind.OPS
    }

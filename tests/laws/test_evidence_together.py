"""Branches, rollbacks, holds, sweeps, what-if in any order: every log proves, an erasure erases.

What each of them does alone has a law of its own; here they meet in one memory.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st
from tests import soaking, world
from tests.laws.test_branches import WORD, about, erase, told
from tests.laws.test_holds import DAY, SWEPT
from tests.laws.test_rollback import ACTS, MARCH, OTHER, PAGE, TEXTS

from muniment.engine.api.memory import Branch, Memory
from muniment.model.errors import HELD, MunimentError, RefusedError
from muniment.model.events import Shredded
from muniment.model.policy import Policy, Privacy

RUNS = soaking.times(4, 1_000)
NAMES = ("try", "other")
PEOPLE = ("tuff", "eve")
OTHERS = (None, Policy(privacy=Privacy(deny_patterns=("purple",))))


@dataclass
class Life:
    """A memory and its branches, in which two people say things and an owner tries everything."""

    clock: world.StillClock = field(default_factory=lambda: world.StillClock(MARCH))
    memory: Memory = field(init=False)
    rolled_back: list[tuple[Memory, str, int]] = field(default_factory=list)
    holds: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.memory = world.memory(SWEPT, clock=self.clock)

    def places(self) -> list[Memory]:
        """The memory, its branches, and theirs."""
        found: list[Memory] = [self.memory]
        for each in found:
            found += [each.on_branch(its.name) for its in each.branches().list()]
        return found

    def place(self, n: int) -> Memory:
        found = self.places()
        return found[n % len(found)]

    def branch(self, n: int) -> Branch | None:
        found = [each for each in self.places() if isinstance(each, Branch)]
        return found[n % len(found)] if found else None


def _say(life: Life, n: int) -> None:
    verb, user = sorted(ACTS)[n % len(ACTS)], PEOPLE[n % 3 // 2]
    text = f"{TEXTS[n % len(TEXTS)]}, {WORD}" if user == "tuff" else TEXTS[n % len(TEXTS)]
    ACTS[verb](life.place(n).agent("ada", user=user), text, (PAGE, OTHER)[n % 2])


def _roll_back(life: Life, n: int) -> None:
    where, user = life.place(n), PEOPLE[n % 3 // 2]
    by, named = (("source", "example.org"), ("source", OTHER), ("session", "s"))[n % 3]
    done = where.agent("ada", user=user).roll_back(by, named)
    if done.first:
        life.rolled_back.append((where, user, done.first))


def _undo(life: Life, n: int) -> None:
    if life.rolled_back:
        where, user, first = life.rolled_back.pop(n % len(life.rolled_back))
        where.agent("ada", user=user).undo_rollback(first)


def _hold(life: Life, n: int) -> None:
    covers = ({"user": "tuff"}, {"user": "eve"}, {"space": "agent:ada"}, {"since": "2026-03-02"})
    ends = {"ends": "2026-03-06"} if n % 2 else {}
    life.holds.append(life.memory.admin().place_hold(reason="order", **covers[n % 4], **ends))


def _lift(life: Life, n: int) -> None:
    if life.holds:
        life.memory.admin().lift_hold(life.holds.pop(n % len(life.holds)))


def _end(how: str) -> Callable[[Life, int], None]:
    def move(life: Life, n: int) -> None:
        branch = life.branch(n)
        if branch is not None:
            getattr(branch, how)()

    return move


MOVES: dict[str, Callable[[Life, int], object]] = {
    "say": _say,
    "say more": _say,
    "branch": lambda life, n: life.place(n).branch(NAMES[n % 2]),
    "merge": _end("merge"),
    "discard": _end("discard"),
    "roll back": _roll_back,
    "undo": _undo,
    "hold": _hold,
    "lift": _lift,
    "settle": lambda life, _: life.memory.admin().settle_holds(),
    "what if": lambda life, n: life.place(n).admin().what_if_policy(OTHERS[n % 2]),
    "later": lambda life, n: life.clock.later(minutes=(n % 4 + 1) * DAY),
    "sweep": lambda life, _: life.memory.admin().carry_out_due(),
    "ask": lambda life, n: life.place(n).agent("ada", user="tuff").recall(TEXTS[n % len(TEXTS)]),
}
LIVES = st.lists(
    st.tuples(st.sampled_from(sorted(MOVES)), st.integers(0, 23)), min_size=3, max_size=14
)


def lived(moves: list[tuple[str, int]]) -> Life:
    life = Life()
    ACTS["remember"](life.memory.agent("ada", user="tuff"), f"My boat is the {WORD}", PAGE)
    for name, n in moves:
        with suppress(MunimentError):  # a refusal is part of a life
            MOVES[name](life, n)
    for place in life.places():
        world.hub(place).pending_receipts.flush()
    return life


def proved(life: Life) -> None:
    """Every log from its first entry to its last, of the memory and of each open branch."""
    for place in life.places():
        for proof in place.prove():
            assert proof.undecided == 0 or proof.shredded, proof


def refusal(memory: Memory, user: str) -> str:
    """Somebody is erased, or the name of the hold that they wait for."""
    try:
        erase(memory, user)
    except RefusedError as refused:
        if refused.reason == HELD:
            return refused.detail
        raise
    return ""


@settings(max_examples=RUNS, deadline=None)
@given(LIVES)
def test_whatever_was_branched_rolled_back_held_swept_or_tried_every_log_proves(
    moves: list[tuple[str, int]],
) -> None:
    life = lived(moves)
    proved(life)
    assert life.memory.rebuild() == {
        proof.stream: proof.projections for proof in life.memory.prove() if not proof.branch
    }


@settings(max_examples=RUNS, deadline=None)
@given(LIVES)
def test_whatever_was_branched_rolled_back_held_swept_or_tried_an_erasure_is_whole_or_refused(
    moves: list[tuple[str, int]],
) -> None:
    """Given any such life, a hold lets nothing of the person go; without one nothing stays."""
    life = lived(moves)
    ref = world.hub(life.memory).parts.world.keyring.find("subject", "main/user_tuff")
    assert ref is not None
    before = [told(place) for place in life.places()]
    if refusal(life.memory, "tuff"):
        assert [WORD in each for each in before] == [WORD in told(it) for it in life.places()]
        for hold in life.memory.admin().holds():
            life.memory.admin().lift_hold(hold.hold_id)
        assert not refusal(life.memory, "tuff")
    for place in life.places():
        assert all(isinstance(event, Shredded) for event in about(place, ref))
        assert WORD not in told(place)
    proved(life)

"""Laws of branches: one is what the memory would have been, and leaves it as it was."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from tests import world
from tests.histories import Play, Step, _agent, histories, steps
from tests.soaking import times
from tests.turning import Kept

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Branch, Memory
from muniment.engine.session.pending_receipts import PendingReceipts
from muniment.log.reference_store import ScratchStore
from muniment.model.errors import MunimentError
from muniment.model.events import Shredded
from muniment.model.scope import StreamKind

short = st.lists(steps, max_size=10)
timeless = st.lists(steps.filter(lambda step: step.verb != "later"), max_size=10)  # one clock
RUNS = times(3, 1000)
Logs = dict[str, list[bytes]]


def play(history: list[Step]) -> Play:
    played = Play(ScratchStore(), world.CountedKeyring()).run(history)
    return gone_on(played, played.memories)


def gone_on(played: Play, memories: dict[str, Memory]) -> Play:
    """The same people in other memories, or anew in these: what waits to be logged is logged.

    The receipt of a read waits where there is no log yet, with whoever read, for its first entry.
    No log says it, so nobody else goes on from it: here it is left behind, in every memory alike.
    """
    for memory in played.memories.values():
        world.hub(memory).pending_receipts.flush()
        world.hub(memory).pending_receipts = PendingReceipts()
    other = Play(ScratchStore(), world.CountedKeyring())
    other.memories = memories
    other._actors = {
        (tenant, persona): replace(
            actor,
            memory=memories[tenant],
            agent=_agent(memories[tenant], persona),
            jobs=[],
            kept=Kept(),
            items=list(actor.items),
            episodes=list(actor.episodes),
            questions=list(actor.questions),
            records=list(actor.records),
            memories=list(actor.memories),
        )
        for (tenant, persona), actor in played._actors.items()
    }
    return other


def branched(played: Play, name: str = "try") -> tuple[Play, dict[str, Branch]]:
    branches = {tenant: memory.branch(name) for tenant, memory in played.memories.items()}
    return gone_on(played, {**branches}), branches


def logs(played: Play) -> Logs:
    """Every byte of every log, by name; what was read is logged first."""
    for memory in played.memories.values():
        world.hub(memory).pending_receipts.flush()
    return {stream.text: [line.hash for line in lines] for stream, lines in played.logs().items()}


def without_operations(told: Logs) -> Logs:
    return {log: each for log, each in told.items() if f"/{StreamKind.OPS}/" not in log}


@settings(max_examples=RUNS, deadline=None)
@given(histories, timeless, timeless)
def test_a_branch_is_byte_for_byte_what_the_memory_would_have_been(
    before: list[Step], here: list[Step], there: list[Step]
) -> None:
    """What the logs say: a receipt that waits for a log to begin is of whoever read, not of a log.

    And what the memory itself does meanwhile is seen by neither.
    """
    wanted = logs(play(before).run(here))
    parent = play(before)
    untouched = logs(play(before).run(there))

    inside, branches = branched(parent)
    parent.run(there[: len(there) // 2])
    inside.run(here)
    parent.run(there[len(there) // 2 :])

    assert logs(inside) == wanted
    assert without_operations(logs(parent)) == without_operations(untouched)
    for branch in branches.values():
        branch.prove()
    for memory in parent.memories.values():
        memory.prove()


@settings(max_examples=RUNS, deadline=None)
@given(histories, short)
def test_a_branch_that_is_discarded_leaves_every_byte_as_it_was(
    before: list[Step], here: list[Step]
) -> None:
    parent = play(before)
    told = logs(parent)
    inside, branches = branched(parent)
    inside.run(here)
    logs(inside)

    for branch in branches.values():
        branch.discard()

    after = logs(parent)
    assert without_operations(after) == without_operations(told)
    assert all(after[log][: len(each)] == each for log, each in told.items())
    for memory in parent.memories.values():
        assert memory.branches().list() == []
        proofs = {proof.stream: proof.projections for proof in memory.prove()}
        assert memory.rebuild() == proofs


@settings(max_examples=RUNS, deadline=None)
@given(histories, short)
def test_merging_a_branch_that_nobody_wrote_to_is_nothing(
    before: list[Step], there: list[Step]
) -> None:
    parent = play(before)
    _, branches = branched(parent)
    parent.run(there)
    told = without_operations(logs(parent))

    for branch in branches.values():
        assert branch.merge(preview=True).told == ()
        assert branch.merge().told == ()

    assert without_operations(logs(parent)) == told


@settings(max_examples=RUNS, deadline=None)
@given(histories, short)
def test_where_nobody_has_written_since_a_merge_appends_the_same_bytes(
    before: list[Step], here: list[Step]
) -> None:
    parent = play(before)
    inside, branches = branched(parent)
    inside.run(here)
    wanted = without_operations(logs(inside))

    for branch in branches.values():
        previewed = branch.merge(preview=True)
        assert previewed.conflicts == ()
        assert branch.merge() == previewed

    assert without_operations(logs(parent)) == wanted
    for memory in parent.memories.values():
        memory.prove()


@settings(max_examples=RUNS, deadline=None)
@given(histories, short, short)
def test_a_merge_into_a_memory_that_has_gone_on_does_what_its_preview_said_and_proves(
    before: list[Step], here: list[Step], there: list[Step]
) -> None:
    parent = play(before)
    inside, branches = branched(parent)
    inside.run(here)
    parent.run(there)
    logs(parent)
    logs(inside)

    for branch in branches.values():
        previewed = branch.merge(preview=True)
        assert branch.merge() == previewed

    for memory in parent.memories.values():
        proofs = {proof.stream: proof.projections for proof in memory.prove()}
        assert memory.rebuild() == proofs


WORD = "zephyrine"  # nobody says it in a history
SAYINGS: dict[str, Callable[[Agent], object]] = {
    "remember": lambda tuff: tuff.remember(f"My boat is the {WORD}"),
    "record": lambda tuff: tuff.conversation(session="s").record(
        user=f"Remember this for me: my boat is the {WORD}", ai=f"A fine boat, the {WORD}"
    ),
    "record_shared": lambda tuff: tuff.conversation(session="s", project="apollo").record(
        user=f"We decided: remember for our project that the boat is the {WORD}", space="project"
    ),
    "memorize": lambda tuff: tuff.memorize({"type": "fact", "text": f"The boat is the {WORD}"}),
    "put_document": lambda tuff: tuff.documents().put(("prefs",), "boat", {"name": WORD}),
    "insert": lambda tuff: tuff.job("w").wm_insert({"type": "fact", "value": WORD}),
    "write": lambda tuff: tuff.job("x").episodic_write("boat", WORD),
    "recall": lambda tuff: tuff.recall(f"the boat {WORD}"),
    "do": lambda tuff: tuff.do(f"paint the {WORD}"),
}
sayings = st.lists(st.sampled_from(sorted(SAYINGS)), max_size=4)


def say(memories: Mapping[str, Memory], said: list[str]) -> None:
    for memory in memories.values():
        for each in ("remember", *said):
            with suppress(MunimentError):  # a refusal is part of a history
                SAYINGS[each](memory.agent("ada", user="tuff"))


@settings(max_examples=RUNS, deadline=None)
@given(histories, short, sayings, sayings)
def test_whoever_is_erased_is_erased_in_every_branch_and_both_still_prove(
    before: list[Step], here: list[Step], said_before: list[str], said_here: list[str]
) -> None:
    """What only that person said is nowhere; what others say in the same words is theirs.

    In a history also the subconscious speaks, about nobody: its words are nobody's to erase.
    """
    parent = play(before)
    say(parent.memories, said_before)
    inside, branches = branched(parent)
    say(branches, said_here)
    inside.run(here)
    logs(inside)
    for tenant, memory in parent.memories.items():
        assert WORD in told(memory)
        assert WORD in told(branches[tenant])
        ref = world.hub(memory).parts.world.keyring.find("subject", f"{tenant}/user_tuff")

        erase(memory, "tuff")

        for each in (memory, branches[tenant]):
            assert all(isinstance(event, Shredded) for event in about(each, ref))
            assert WORD not in told(each)
            each.prove()


def erase(memory: Memory, user: str) -> None:
    eraser = memory.eraser()
    request = eraser.request(user, reason="asked for it")
    for n in range(3):
        with suppress(MunimentError):  # as many votes as the council wants
            memory.council(f"member-{n}").vote(request, "approve")
    eraser.carry_out(request)


def told(memory: Memory) -> str:
    """All that the logs of a memory say, and what is folded from them."""
    entries = [repr(line.event) for stream in memory.streams() for line in memory.log(stream)]
    desks = [repr(world.hub(memory).writer(stream).desk) for stream in memory.streams()]
    return "\n".join((*entries, *desks)).lower()


def about(memory: Memory, ref: str | None) -> list[object]:
    """What the logs of a memory say under somebody's key."""
    lines = [line for stream in memory.streams() for line in memory.log(stream)]
    return [line.event for line in lines if any(part.subject == ref for part in line.header.parts)]

"""Laws of branches: one is what the memory would have been, and leaves it as it was."""

from contextlib import suppress
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from tests import world
from tests.histories import Play, Step, _agent, histories, steps
from tests.soaking import times
from tests.turning import Kept

from muniment.engine.api.memory import Branch, Memory
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
    """The same people in other memories, or anew in these: what waits to be logged is logged."""
    for memory in played.memories.values():
        world.hub(memory).pending_receipts.flush()
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
    """And what the memory itself does meanwhile is seen by neither."""
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


@settings(max_examples=RUNS, deadline=None)
@given(histories, short)
def test_whoever_is_erased_is_erased_in_every_branch_and_both_still_prove(
    before: list[Step], here: list[Step]
) -> None:
    parent = play(before)
    inside, branches = branched(parent)
    inside.run(here)
    logs(inside)

    for tenant, memory in parent.memories.items():
        ref = world.hub(memory).parts.world.keyring.find("subject", f"{tenant}/user_tuff")
        with suppress(MunimentError):  # nobody of that name, where nothing was said
            eraser = memory.eraser()
            request = eraser.request("tuff", reason="asked for it")
            for n in range(3):
                with suppress(MunimentError):
                    memory.council(f"member-{n}").vote(request, "approve")
            eraser.carry_out(request)
            assert all(isinstance(each, Shredded) for each in about(branches[tenant], ref))
        memory.prove()
        branches[tenant].prove()


def about(memory: Memory, ref: str | None) -> list[object]:
    """What the logs of a branch say under somebody's key."""
    lines = [line for stream in memory.streams() for line in memory.log(stream)]
    return [line.event for line in lines if any(part.subject == ref for part in line.header.parts)]

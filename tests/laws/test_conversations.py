"""Laws of conversations: small desks, short windows, open borders, and whatever was erased."""

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st
from tests import world
from tests.histories import Play, Step
from tests.soaking import times

from muniment.engine.api.memory import Memory
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.log.reference_store import ScratchStore
from muniment.model.errors import NotFoundError, RefusedError
from muniment.model.events.conversation import ItemDenied, ItemWritten
from muniment.model.kinds.conversation_item import EventType, Space
from muniment.model.policy import Brainstate, Policy, RecallPolicy
from muniment.model.policy.conversation import (
    ForgetMode,
    Phasing,
    Retention,
    RetentionRule,
    Spaces,
    Writing,
)

RUNS = times(30, 1_000)
TALK = (
    "record",
    "record",
    "record",
    "record_shared",
    "record_shared",
    "converse_recall",
    "promote_item",
    "correct",
    "retract",
    "undo",
    "phase",
    "diff",
    "impose",
)
TIGHT = Policy(
    brainstate=Brainstate(sessions_max=2),
    recall=RecallPolicy(short_term_messages=2),
    writing=Writing(forget_policy=ForgetMode.TTL, correction_overrides_system=True, archive=False),
    retention=Retention(semantic={EventType.FACT: RetentionRule(mode=ForgetMode.DECAY, ticks=3)}),
    spaces=Spaces(write_spaces=tuple(Space)),
    phase=Phasing(max_phases=2, allow_cross_phase_recall=True),
)

talks = st.lists(
    st.builds(
        Step,
        tenant=st.just(0),
        persona=st.integers(0, 1),
        verb=st.sampled_from(TALK),
        n=st.integers(0, 6),
    ),
    min_size=4,
    max_size=24,
)


def play(history: list[Step], policy: Policy = TIGHT) -> Play:
    return Play(ScratchStore(), world.CountedKeyring(), policy).run(history)


@settings(max_examples=RUNS)
@given(talks)
def test_every_conversation_proves_and_rebuilds_to_the_same_bytes(history: list[Step]) -> None:
    for memory in play(history).memories.values():
        proofs = {proof.stream: proof.projections for proof in memory.prove()}
        assert memory.rebuild() == proofs


@settings(max_examples=RUNS)
@given(talks, st.data())
def test_the_desk_of_a_conversation_does_not_depend_on_where_the_log_is_cut(
    history: list[Step], data: st.DataObject
) -> None:
    for lines in play(history).logs().values():
        whole = desks.fold(Desk(), lines)
        cut = data.draw(st.integers(0, len(lines)))
        pieces = desks.fold(desks.fold(Desk(), lines[:cut]), lines[cut:])
        assert desks.encode(pieces) == desks.encode(whole)
        assert desks.decode(desks.encode(whole)) == whole


@settings(max_examples=RUNS)
@given(talks)
def test_no_id_and_no_tick_of_an_item_is_given_twice_in_a_stream(history: list[Step]) -> None:
    for lines in play(history).logs().values():
        tried = [e.event for e in lines if isinstance(e.event, ItemWritten | ItemDenied)]
        assert len({each.item.id for each in tried}) == len(tried)
        assert [each.created_at for each in tried] == sorted({each.created_at for each in tried})


@settings(max_examples=RUNS)
@given(talks)
def test_the_desk_holds_a_bounded_number_of_sessions_and_messages(history: list[Step]) -> None:
    played = play(history)
    for memory in played.memories.values():
        for stream in memory.streams():
            held = world.hub(memory).writer(stream).desk.ledgers.open.values()
            assert len(held) <= TIGHT.brainstate.sessions_max
            assert all(len(e.window) <= TIGHT.recall.short_term_messages for e in held)


@settings(max_examples=RUNS // 3)
@given(talks, talks)
def test_what_is_left_after_an_erasure_counts_on_and_proves(
    before: list[Step], after: list[Step]
) -> None:
    played = play(before)
    (memory, *_) = played.memories.values()
    clocks = _clocks(memory)
    with suppress(NotFoundError, RefusedError):
        _erase(memory)
    played.run(after)

    proofs = {proof.stream: proof.projections for proof in memory.prove()}
    assert memory.rebuild() == proofs
    for stream, clock in _clocks(memory).items():
        assert clock >= clocks.get(stream, 0)


def _clocks(memory: Memory) -> dict[str, int]:
    hub = world.hub(memory)
    return {each.text: hub.writer(each).desk.ledgers.clock for each in memory.streams()}


def _erase(memory: Memory) -> None:
    request = memory.eraser().request("tuff", reason="asked")
    memory.council("one").approve(request)
    memory.eraser().carry_out(request)


def test_the_tight_policy_is_really_tight() -> None:
    """Every law above would hold of an empty log: this one shows that the logs are not empty."""
    steps = [Step(tenant=0, persona=0, verb=TALK[n % len(TALK)], n=n % 7) for n in range(80)]
    played = play(steps)
    found = {line.header.type for lines in played.logs().values() for line in lines}

    assert found >= {
        "ledger_shelved",
        "item_written",
        "item_denied",
        "item_conflict",
        "item_expired",
        "item_deleted",
        "border_checked",
        "forwarded",
        "item_promoted",
        "phase_started",
        "phase_dropped",
        "phase_diffed",
        "items_recalled",
    }

"""Phases: chapters of a space, begun by themselves or by hand, and compared."""

import pytest
from tests import world
from tests.talks import recalled, talk, texts, traced

from muniment.model.errors import InputError, RefusedError
from muniment.model.kinds.conversation_item import Kind, Space
from muniment.model.policy import Policy
from muniment.model.policy.conversation import Phasing, Spaces

HISTORY = Policy(phase=Phasing(allow_cross_phase_recall=True))


@pytest.mark.covers("B-030", "B-033", "B-097", "B-098", "B-099")
def test_the_first_phase_starts_by_itself_with_the_first_write() -> None:
    ada = talk()
    assert ada.recall("tea").current_phase.n == 0

    ada.record(user="I prefer tea")

    phase = ada.recall("tea").current_phase
    assert (phase.id, phase.started_at, phase.reason) == ("phase-1", 1, "auto")
    (trace,) = traced(ada, "memory_phase_started")
    assert (trace["space"], trace["owner"], trace["phase_id"]) == ("session", "tuff", "phase-1")
    assert trace["reason"] == "auto"
    assert "policy_snapshot" in trace


@pytest.mark.covers("B-031", "B-032", "B-033", "B-068")
def test_another_phase_is_started_by_hand_with_a_name_and_a_reason() -> None:
    ada = talk()
    ada.record(user="I prefer tea")

    phase = ada.start_phase("the second day", "new_day")

    assert (phase.id, phase.name, phase.reason) == ("phase-2", "the second day", "new_day")
    ada.recall("tea")
    ada.record(user="ok")
    (recall,) = traced(ada, "memory_recall")
    assert recall["current_phase"] == {
        "phase_id": "phase-2",
        "phase_name": "the second day",
        "phase_started_at": 4,
        "phase_reason": "new_day",
    }


@pytest.mark.covers("B-041")
def test_recall_shows_the_current_phase_and_counts_what_it_hides() -> None:
    ada = talk()
    ada.record(user="I prefer tea")
    ada.start_phase()
    ada.record(user="I prefer milk")

    found = ada.recall("prefer")

    assert recalled(ada, "prefer", Kind.SEMANTIC) == ["I prefer milk"]
    assert recalled(ada, "prefer", Kind.SHORT_TERM) == ["I prefer milk"]
    assert found.hidden == 2
    assert found.phase_counts["session"] == {"phase-2": 2}


def test_a_fact_said_again_is_kept_once_in_each_phase() -> None:
    ada = talk()
    ada.record(user="My name is Ada")
    ada.record(user="My name is Ada")
    assert [each.id for each in ada.items("profile")] == ["session:tuff:profile:1"]

    ada.start_phase()
    assert recalled(ada, "name", Kind.PROFILE) == []
    ada.record(user="My name is Ada")

    assert recalled(ada, "name", Kind.PROFILE) == ["Ada"]


@pytest.mark.covers("B-041", "B-069")
@pytest.mark.parametrize(
    "phase", [Phasing(allow_cross_phase_recall=True), Phasing(mode="current_plus_history")]
)
def test_earlier_phases_follow_the_current_one_where_policy_lets_them(phase: Phasing) -> None:
    ada = talk(Policy(phase=phase))
    ada.record(user="I prefer tea")
    ada.start_phase()
    ada.record(user="I prefer milk")

    found = ada.recall("tea")

    semantic = [each for each in found.items if each.kind == "semantic"]
    assert texts(semantic) == ["I prefer milk", "I prefer tea"]  # the newer phase first
    assert semantic[0].meta.score is not None
    assert semantic[1].meta.score is not None
    assert semantic[0].meta.score <= semantic[1].meta.score
    assert found.phase_counts["session"] == {"phase-2": 2, "phase-1": 2}


@pytest.mark.covers("B-103", "B-104", "B-105", "B-106", "B-107", "B-108")
def test_a_diff_says_what_was_added_deleted_and_replaced() -> None:
    ada = talk(HISTORY)
    ada.record(user="My name is Ada")
    ada.record(user="I prefer tea")
    ada.start_phase()
    ada.record(user="Actually my name is Bea")
    ada.forget("session:tuff:semantic:2")
    ada.record(user="we decided on Rust")

    told = ada.diff("phase-1", "phase-2")

    # Two turns and the decision are new; the name as a fact and as a saying was replaced.
    assert (told.added_count, told.deleted_count, told.replaced_count) == (3, 1, 2)
    assert told.summary_lines == ("replaced: 2", "added: 3", "deleted: 1")
    assert [each.change for each in told.top_changes] == [
        "replaced",
        "replaced",
        "added",
        "added",
        "added",
        "deleted",
    ]
    first = told.top_changes[0]
    assert (first.id, first.replaces) == ("session:tuff:profile:2", "session:tuff:profile:1")
    assert told.top_changes[-1].id == "session:tuff:semantic:2"


@pytest.mark.covers("B-107")
def test_a_diff_lists_at_most_eight_changes() -> None:
    ada = talk(HISTORY)
    ada.record(user="I prefer tea")
    ada.start_phase()
    for n in range(10):
        ada.record(user=f"I prefer tea number {n}")

    told = ada.diff("phase-1", "phase-2")

    assert told.added_count == 20
    assert len(told.top_changes) == 8


def test_a_diff_compares_the_ends_of_phases_in_either_direction() -> None:
    ada = talk(HISTORY)
    ada.record(user="I prefer tea")
    ada.start_phase()
    ada.record(user="I prefer milk")
    ada.start_phase()
    ada.record(user="I prefer water")

    assert ada.diff("phase-1", "phase-2").added_count == 2
    assert ada.diff("phase-1", "phase-3").added_count == 4
    assert ada.diff("phase-3", "phase-1").deleted_count == 4
    assert ada.diff("phase-2", "phase-2").summary_lines == ("replaced: 0", "added: 0", "deleted: 0")


@pytest.mark.covers("B-041")
def test_max_phases_bounds_how_far_back_a_diff_reaches() -> None:
    ada = talk(Policy(phase=Phasing(max_phases=2, allow_cross_phase_recall=True)))
    ada.record(user="I prefer tea")
    ada.start_phase()
    ada.start_phase()

    assert ada.diff("phase-2", "phase-3").added_count == 0
    with pytest.raises(RefusedError, match="phase_unknown"):
        ada.diff("phase-1", "phase-3")
    assert recalled(ada, "tea", Kind.SEMANTIC) == ["I prefer tea"]  # the items stay


@pytest.mark.covers("B-041")
def test_phases_can_be_switched_off() -> None:
    ada = talk(Policy(phase=Phasing(enabled=False)))
    ada.record(user="I prefer tea")

    with pytest.raises(RefusedError, match="phase_disabled"):
        ada.start_phase()


@pytest.mark.covers("B-041")
def test_diffs_can_be_switched_off() -> None:
    ada = talk(Policy(phase=Phasing(diff_enabled=False)))
    ada.record(user="I prefer tea")

    with pytest.raises(RefusedError, match="phase_diff_disabled"):
        ada.diff("phase-1", "phase-1")


@pytest.mark.covers("B-041")
def test_without_phases_everything_is_recalled_and_nothing_is_stamped() -> None:
    ada = talk(Policy(phase=Phasing(enabled=False)))

    ada.record(user="I prefer tea")

    (kept,) = ada.items("semantic")
    assert (kept.meta.phase_id, kept.created_at) == ("", 2)
    assert recalled(ada, "tea", Kind.SEMANTIC) == ["I prefer tea"]


def test_a_shared_space_has_phases_of_its_own() -> None:
    open_user = Policy(spaces=Spaces(write_spaces=(Space.SESSION, Space.USER)))
    memory = world.memory(open_user)
    ada = talk(of=memory)
    ada.record(user="I prefer tea", space="user")

    phase = ada.start_phase("abroad", space="user")
    ada.record(user="I prefer coffee", space="user")

    assert phase.id == "phase-2"
    assert ada.recall("").current_phase.id == "phase-1"  # of the session
    assert ada.diff("phase-1", "phase-2", "user").added_count == 1
    assert memory.rebuild() == {each.stream: each.projections for each in memory.prove()}


def test_a_shared_space_that_may_not_be_written_starts_no_phase() -> None:
    ada = talk()

    with pytest.raises(RefusedError, match="write_space_disallowed"):
        ada.start_phase(space="user")


@pytest.mark.parametrize("wrong", ["1", "phase-0", "phase-x", "", 2])
def test_a_phase_has_a_name_of_one_form(wrong: object) -> None:
    with pytest.raises(InputError):
        talk().diff("phase-1", wrong)  # type: ignore[arg-type]

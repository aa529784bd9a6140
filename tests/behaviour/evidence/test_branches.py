"""A branch: what is tried there is seen there, merged by the rules of everything, or gone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import world

import muniment
from muniment.engine.api.memory import Memory
from muniment.model.errors import InputError, NotFoundError, RefusedError


@pytest.fixture
def memory() -> Iterator[Memory]:
    with muniment.open(":memory:") as opened:
        ada = opened.agent("ada", user="tuff")
        ada.remember("I like green tea")
        yield opened


def told(memory: Memory, question: str, user: str = "tuff") -> list[str]:
    return [hit.text for hit in memory.agent("ada", user=user).recall(question).hits]


def test_what_is_said_in_a_branch_is_read_there_with_what_was_known_and_nowhere_else(
    memory: Memory,
) -> None:
    branch = memory.branch("try")
    branch.agent("ada", user="tuff").remember("My boat is called Petrel")
    memory.agent("ada", user="tuff").remember("My bicycle is called Rocket")

    assert told(branch, "green tea")[:1] == ["I like green tea"]
    assert told(branch, "What is my boat called?")[:1] == ["My boat is called Petrel"]
    assert "My bicycle is called Rocket" not in told(branch, "bicycle Rocket")
    assert "My boat is called Petrel" not in told(memory, "boat Petrel")
    assert [status.name for status in memory.branches().list()] == ["try"]


def test_what_is_forgotten_in_a_branch_is_still_known_outside(memory: Memory) -> None:
    branch = memory.branch("try")
    agent = branch.agent("ada", user="tuff")

    agent.forget(agent.recall("green tea").hits[0].id)

    assert told(branch, "green tea") == []
    assert told(memory, "green tea")[:1] == ["I like green tea"]


def test_a_branch_from_an_earlier_entry_knows_nothing_that_came_after(memory: Memory) -> None:
    stream = world.stream(memory, "agent")
    then = memory.head(stream)
    memory.agent("ada", user="tuff").remember("My bicycle is called Rocket")

    branch = memory.branch("before", at={stream.text: then})

    assert "My bicycle is called Rocket" not in told(branch, "bicycle Rocket")
    assert told(branch, "green tea")[:1] == ["I like green tea"]
    with pytest.raises(NotFoundError):
        memory.branch("nowhere", at={"main/agent/eve/actor": 1})


def test_the_difference_says_what_was_added_and_what_went(memory: Memory) -> None:
    branch = memory.branch("try")
    agent = branch.agent("ada", user="tuff")
    agent.forget(agent.recall("green tea").hits[0].id)
    agent.remember("I like coffee")

    (changes,) = branch.diff().changes.values()

    assert [(each.change.value, each.text) for each in changes] == [
        ("forgotten", "I like green tea"),
        ("added", "I like coffee"),
    ]


def test_a_merge_says_in_the_memory_what_was_said_in_the_branch_and_ends_it(
    memory: Memory,
) -> None:
    branch = memory.branch("try")
    kept = branch.agent("ada", user="tuff").remember("My boat is called Petrel")
    branch.agent("ada", user="tuff").correct(kept.episodic_id, "My boat is called Albatross")
    memory.agent("ada", user="tuff").remember("My bicycle is called Rocket")

    previewed = branch.merge(preview=True)
    assert told(memory, "my boat") == []

    merged = branch.merge()

    assert merged == previewed
    assert not merged.appended
    assert merged.conflicts == ()  # the correction found what it is about under its new name
    assert told(memory, "What is my boat called?")[:1] == ["My boat is called Albatross"]
    assert memory.branches().list() == []
    memory.prove()


def test_what_conflicts_is_settled_as_if_it_were_said_now_and_the_preview_tells(
    memory: Memory,
) -> None:
    """Both sides name the user: the rule that holds in every conversation decides."""
    talk = {"session": "s"}
    memory.agent("ada", user="tuff").conversation(**talk).record(user="My name is Ada")
    branch = memory.branch("try")
    branch.agent("ada", user="tuff").conversation(**talk).record(user="My name is Bea")
    memory.agent("ada", user="tuff").conversation(**talk).record(user="My name is Cleo")

    merged = branch.merge(preview=True)
    here = memory.agent("ada", user="tuff").conversation(**talk)
    before = [item.text for item in here.items()]
    branch.merge()

    assert [each.asked for each in merged.told] == ["record_interaction"]
    assert [item.text for item in here.items()] != before
    assert "My name is Bea" in str(here.items())
    memory.prove()


def test_a_command_that_is_refused_by_now_is_told_in_the_preview(memory: Memory) -> None:
    agent = memory.agent("ada", user="tuff")
    gone = agent.recall("green tea").hits[0].id
    branch = memory.branch("try")
    branch.agent("ada", user="tuff").correct(gone, "I like black tea")
    agent.forget(gone)

    (conflict,) = branch.merge(preview=True).conflicts

    assert (conflict.asked, conflict.fate) == ("correct", "refused")
    assert conflict.then
    assert conflict.now != conflict.then


def test_a_discarded_branch_takes_nothing_more_and_its_name_is_free(memory: Memory) -> None:
    branch = memory.branch("try")
    branch.agent("ada", user="tuff").remember("My boat is called Petrel")

    with pytest.raises(RefusedError, match="branch_exists"):
        memory.branch("try")
    assert branch.discard() > 0
    with pytest.raises(NotFoundError):
        branch.agent("ada", user="tuff").remember("And my dog Argos")

    again = memory.branch("try")
    assert told(again, "boat Petrel") == []
    memory.prove()


def test_nobody_is_erased_or_signed_for_in_one_branch_alone(memory: Memory) -> None:
    branch = memory.branch("try")

    with pytest.raises(InputError):
        branch.eraser()
    with pytest.raises(InputError):
        branch.notary()


def test_a_branch_of_a_branch_goes_on_from_it(memory: Memory) -> None:
    branch = memory.branch("try")
    branch.agent("ada", user="tuff").remember("My boat is called Petrel")
    inner = branch.branch("deeper")
    inner.agent("ada", user="tuff").remember("My dog is called Argos")

    assert told(inner, "dog Argos")[:1] == ["My dog is called Argos"]
    assert told(inner, "boat Petrel")[:1] == ["My boat is called Petrel"]
    assert "My dog is called Argos" not in told(branch, "dog Argos")
    memory.prove()
    inner.merge()
    branch.merge()
    assert told(memory, "dog Argos")[:1] == ["My dog is called Argos"]
    memory.prove()


def test_a_branch_is_found_again_by_whoever_opens_the_folder_next(tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        memory.agent("ada", user="tuff").remember("I like green tea")
        memory.branch("try").agent("ada", user="tuff").remember("My boat is called Petrel")
        memory.agent("ada", user="tuff").remember("My bicycle is called Rocket")
    with muniment.open(tmp_path) as memory:
        branch = memory.on_branch("try")
        assert told(branch, "boat Petrel")[:1] == ["My boat is called Petrel"]
        assert told(branch, "green tea")[:1] == ["I like green tea"]
        assert "My bicycle is called Rocket" not in told(branch, "bicycle Rocket")
        assert {proof.branch for proof in memory.prove()} == {"", "try"}
        branch.discard()
    with muniment.open(tmp_path) as memory:
        memory.prove()
        with pytest.raises(NotFoundError):
            memory.on_branch("try")


def test_who_is_erased_is_gone_from_every_branch_and_every_file(tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        memory.agent("ada", user="tuff").remember("I like green tea")
        memory.agent("ada", user="eve").remember("Eve keeps bees")
        branch = memory.branch("try")
        branch.agent("ada", user="tuff").remember("My boat is called Petrel")
        branch.agent("ada", user="eve").remember("Eve sells honey")

        eraser = memory.eraser()
        request = eraser.request("tuff", reason="asked for it")
        memory.council().approve(request)
        erased = eraser.carry_out(request)

        assert erased.fragments >= 4
        assert told(branch, "boat Petrel") == []
        assert told(branch, "honey", user="eve")[:1] == ["Eve sells honey"]
        memory.prove()
        branch.prove()
        branch.merge()
        assert told(memory, "honey", user="eve")[:1] == ["Eve sells honey"]
        memory.prove()


def test_a_branch_that_says_what_a_hold_covers_is_not_discarded_until_the_hold_is_lifted(
    memory: Memory,
) -> None:
    branch = memory.branch("try")
    branch.agent("ada", user="tuff").remember("My boat is called Petrel")
    held = memory.admin().place_hold(user="tuff", reason="order 7 of the court")

    with pytest.raises(RefusedError) as refused:
        branch.discard()

    assert (refused.value.reason, refused.value.detail.split()[0]) == ("held", held)
    assert told(branch, "boat Petrel")[:1] == ["My boat is called Petrel"]
    branch.agent("ada", user="tuff").remember("And it leaks")
    memory.prove()
    lifted = memory.admin().lift_hold(held)
    assert (lifted.carried_out, lifted.refused) == (1, 0)
    assert memory.branches().list() == []
    memory.prove()


@pytest.mark.parametrize(
    "covers", [{"user": "bert"}, {"space": "agent:eve"}, {"user": "tuff", "until": "2020-01-01"}]
)
def test_a_hold_on_something_else_keeps_no_branch(memory: Memory, covers: dict[str, str]) -> None:
    branch = memory.branch("try")
    branch.agent("ada", user="tuff").remember("My boat is called Petrel")
    memory.admin().place_hold(**covers, reason="order 7 of the court")

    assert branch.discard() > 0


def test_what_is_held_in_a_branch_of_a_branch_keeps_both(memory: Memory) -> None:
    branch = memory.branch("try")
    inner = branch.branch("deeper")
    inner.agent("ada", user="tuff").remember("My dog is called Argos")
    memory.admin().place_hold(space="agent:ada", reason="order 7 of the court")

    with pytest.raises(RefusedError) as refused:
        inner.discard()
    assert refused.value.detail == "hold:3 (until it is lifted)"
    for end in (branch.discard, branch.merge):
        with pytest.raises(RefusedError, match="branch_has_branches"):
            end()

    assert told(inner, "dog Argos")[:1] == ["My dog is called Argos"]
    inner.merge()  # nothing is lost by it
    assert told(branch, "dog Argos")[:1] == ["My dog is called Argos"]
    branch.merge()
    assert told(memory, "dog Argos")[:1] == ["My dog is called Argos"]
    memory.prove()


@pytest.mark.parametrize("end", ["merge", "discard"])
def test_a_branch_does_not_end_while_a_branch_of_it_is_open(memory: Memory, end: str) -> None:
    """What was written in the inner one would be gone, and nobody had said so."""
    branch = memory.branch("try")
    inner = branch.branch("deeper")
    inner.agent("ada", user="tuff").remember("My dog is called Argos")
    assert [(its.name, its.inner) for its in memory.branches().list()] == [("try", ("deeper",))]

    with pytest.raises(RefusedError) as refused:
        getattr(branch, end)()

    assert (refused.value.reason, refused.value.detail) == ("branch_has_branches", "deeper")
    assert told(memory.on_branch("try/deeper"), "dog Argos")[:1] == ["My dog is called Argos"]
    memory.prove()
    inner.discard()
    getattr(branch, end)()
    assert memory.branches().list() == []
    memory.prove()


def test_a_branch_of_the_same_name_and_moment_is_another_one() -> None:
    """Given no clock, what opened both is the same entry, byte for byte."""
    memory = world.memory(clock=world.StillClock())
    branch = memory.branch("try")
    inner = branch.branch("try")
    inner.agent("ada", user="tuff").remember("My dog is called Argos")

    assert told(branch, "dog Argos") == []
    assert [its.inner for its in memory.branches().list()] == [("try",)]
    assert inner.branches().list() == []
    inner.discard()
    branch.discard()
    memory.prove()


def test_a_preview_of_such_a_merge_says_so_too_and_writes_nothing(memory: Memory) -> None:
    branch = memory.branch("try")
    branch.branch("deeper")
    heads = {stream: memory.head(stream) for stream in memory.streams()}

    with pytest.raises(RefusedError, match="branch_has_branches"):
        branch.merge(preview=True)

    assert heads == {stream: memory.head(stream) for stream in memory.streams()}


def test_a_discard_that_waited_for_a_hold_ends_no_other_branch_of_its_name(memory: Memory) -> None:
    branch = memory.branch("try")
    branch.agent("ada", user="tuff").remember("My boat is called Petrel")
    held = memory.admin().place_hold(user="tuff", reason="order 7 of the court")
    with pytest.raises(RefusedError, match="held"):
        branch.discard()
    branch.merge()
    memory.branch("try").agent("ada", user="tuff").remember("My dog is called Argos")

    assert memory.admin().lift_hold(held).refused == 1

    assert told(memory.on_branch("try"), "dog Argos")[:1] == ["My dog is called Argos"]


def test_what_was_read_is_logged_before_a_branch_goes_on_from_it(memory: Memory) -> None:
    told(memory, "green tea")

    branch = memory.branch("try")

    stream = world.stream(memory, "agent")
    assert branch.log(stream)[-1].header.type == "memory_recall"
    assert branch.log(stream) == memory.log(stream)


def test_what_was_read_before_there_was_a_log_is_logged_where_it_was_read() -> None:
    with muniment.open(":memory:") as memory:
        reader = memory.agent("ada", user="tuff").conversation(session="s")
        reader.recall("green tea")
        branch = memory.branch("try")
        for each in (branch, memory):
            each.agent("ada", user="tuff").remember("I like green tea")

        kinds = [
            [line.header.type for line in each.log(world.stream(each, "agent"))]
            for each in (branch, memory)
        ]

        assert ["items_recalled" in each for each in kinds] == [False, True]


@pytest.mark.parametrize("ending", ["discard", "merge"])
def test_ending_one_branch_leaves_another_that_was_open_before_it_whole(
    memory: Memory, ending: str
) -> None:
    """The entry that opened the first lies beneath the second, which is not its branch."""
    first = memory.branch("first")
    first.agent("ada", user="tuff").remember("My boat is called Petrel")
    second = memory.branch("second")
    assert second.branches().list() == []
    second.agent("ada", user="tuff").remember("My bicycle is called Rocket")

    getattr(memory.branches(), ending)("second")

    assert [status.name for status in memory.branches().list()] == ["first"]
    assert told(first, "What is my boat called?")[:1] == ["My boat is called Petrel"]
    assert first.prove()
    with pytest.raises(NotFoundError):
        memory.branch("third").branches().discard("first")

"""Wishes: what a person says is to be remembered is kept where they may say it, or refused."""

import pytest
from tests import world
from tests.talks import OPEN_SPACES, letter, talk, texts

from muniment.model.errors import RefusedError
from muniment.model.kinds.conversation_item import EventType, Space
from muniment.model.policy import Policy
from muniment.model.policy.conversation import Spaces, WritePolicy, Writing
from muniment.rules.conversation import classify

KEY = "the spare key is under the pot"


@pytest.mark.covers("B-092", "B-017")
@pytest.mark.parametrize(
    ("said", "space"),
    [
        (f"Remember for me: {KEY}", "user"),
        (f"{KEY}. Please save that for me.", "user"),
        (f"Remember that {KEY}", "session"),
        (f"{KEY}, and remember it", "session"),
        (f"Could you remember this for me: {KEY}", "user"),
    ],
)
def test_what_a_person_says_is_to_be_remembered_is_kept(said: str, space: str) -> None:
    ada = talk()

    told = ada.record(user=said)

    (kept,) = ada.items("semantic", space)
    assert (kept.text, kept.meta.event_type) == (said, EventType.FACT)
    assert told.denied == ()


@pytest.mark.parametrize(
    "said",
    [
        "Do you remember anything about me?",
        "Remember when we met in Porto",
        "Please save the file and run it",
        "I remember the old office",
        "Can you remember what I said",
        "Remember what I said about me?",
        KEY,
    ],
)
def test_what_is_no_wish_is_as_passing_as_before(said: str) -> None:
    ada = talk()

    told = ada.record(user=said)

    assert not classify.is_wished(said)
    assert [each.reason for each in told.denied] == ["write_policy_context"]
    assert ada.items("semantic", "user") == []


def test_the_agents_own_words_are_no_wish_of_a_person() -> None:
    ada = talk()

    told = ada.record(ai=f"Remember for me: {KEY}")

    assert [each.reason for each in told.denied] == ["write_policy_context"]


def test_a_wish_is_kept_by_no_policy_that_keeps_nothing() -> None:
    ada = talk(Policy(writing=Writing(write_policy=WritePolicy.NONE)))

    told = ada.record(user=f"Remember for me: {KEY}")

    assert [each.reason for each in told.denied] == ["write_policy_none"]


def test_a_wish_for_the_project_without_the_authority_is_kept_here_and_refused_aloud() -> None:
    ada = talk()
    said = f"Remember for the project: {KEY}"

    told = ada.record(user=said)

    assert [each.reason for each in told.promotions_denied] == ["promotion_authority"]
    assert texts(ada.items("semantic")) == [said]
    assert ada.items("semantic", "project") == []


def test_who_may_write_in_a_project_may_wish_that_something_be_kept_there() -> None:
    memory = world.memory(Policy(spaces=OPEN_SPACES))
    ada = talk(of=memory)
    said = f"Remember for the project: {KEY}"

    (moved,) = ada.record(user=said).promoted

    assert (moved.to_space, moved.authority_used) == ("project", "user_asserted")
    assert texts(ada.items("semantic", "project")) == [said]
    assert ada.items("semantic") == []
    assert memory.prove()


def test_an_agent_that_speaks_for_nobody_has_no_wish_that_is_a_persons() -> None:
    memory = world.memory(Policy(spaces=OPEN_SPACES))
    alone = memory.agent("ada").conversation(project="apollo")

    told = alone.record(user=f"Remember for the project: {KEY}")

    assert [each.reason for each in told.promotions_denied] == ["promotion_authority"]
    assert alone.items("semantic", "project") == []


# ── What stands in a space that one may not write to ────────────────────────────────────────────


@pytest.mark.parametrize("verb", ["correct", "forget"])
def test_whoever_may_not_change_an_item_is_told_and_not_left_to_believe_it(verb: str) -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)
    ada.record(user="We decided on Rust: save it for our project")
    (ours,) = ada.items("semantic", "project")
    words = ("we decided on Go",) if verb == "correct" else ()

    with pytest.raises(RefusedError) as refused:
        getattr(ada, verb)(ours.id, *words)

    assert refused.value.reason == "write_space_disallowed"
    assert [each.id for each in ada.items("semantic", "project")] == [ours.id]
    checks = [e for e in world.events(memory) if getattr(e, "reason", "") == refused.value.reason]
    assert len(checks) == 1, "a refusal is an entry"
    assert memory.prove()


def test_what_another_space_refuses_is_refused_to_whoever_asked() -> None:
    ada = talk(Policy(spaces=OPEN_SPACES))
    ada.record(user="We decided on Rust", space="project")

    with pytest.raises(RefusedError) as refused:
        ada.forget("project:apollo:semantic:99")

    assert refused.value.reason == "item_unknown"


def test_a_person_puts_right_what_stands_where_they_may_write() -> None:
    ada = talk(Policy(spaces=Spaces(write_spaces=(Space.SESSION, Space.PROJECT))))
    ada.record(user="We decided on Rust: save it for our project")
    (ours,) = ada.items("semantic", "project")

    ada.correct(ours.id, "we decided on Go")

    assert texts(ada.items("semantic", "project")) == ["we decided on Go"]

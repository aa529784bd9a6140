"""Withdrawals: who says that something is over is not told it as a fact any more."""

import pytest
from tests import world
from tests.talks import OPEN_SPACES, letter, talk, texts, traced

from muniment.engine.conversation.conversation import Conversation
from muniment.model.kinds.conversation_item import Space
from muniment.model.policy import Policy

FACTS = (
    "My name is Ada",
    "My timezone is Europe/Berlin",
    "My editor is Vim",
    "I speak German",
    "Our project is Apollo",
    "I measure in metres",
)


def known(ada: Conversation, space: str = "session") -> dict[str, str]:
    return {each.meta.key: each.text for each in ada.items("profile", space)}


@pytest.mark.parametrize(
    ("said", "changes"),
    [
        ("I no longer use Vim", {"editor": ""}),
        ("I don't use Vim any more", {"editor": ""}),
        ("I've stopped using Vim", {"editor": ""}),
        ("I don't speak German", {"language": ""}),
        ("I quit working on Apollo", {"project": ""}),
        ("I stopped measuring in metres", {"units": ""}),
        ("my time zone isn't Europe/Berlin any longer", {"timezone": ""}),
        ("I am not called Ada", {"name": ""}),
        ("Stop calling me Ada", {"name": ""}),
        ("Forget my timezone", {"timezone": ""}),
        ("Please forget that I speak German", {"language": ""}),
        ("Could you forget my editor?", {"editor": ""}),
        ("Delete my name please", {"name": ""}),
        ("My name isn't Ada any more; call me Bea", {"name": "Bea"}),
        ("I switched from Vim to Zed", {"editor": "Zed"}),
        ("I use Zed instead of Vim these days", {"editor": "Zed"}),
        # What takes nothing back.
        ("I no longer use Helix", {}),
        ("I never use Vim at work", {}),
        ("I don't speak French", {}),
        ("Don't forget my name", {}),
        ("Did you forget my name?", {}),
        ("Remove my name from the list", {}),
        ("If I stopped using Vim, what then?", {}),
        ("She said my name isn't Ada", {}),
        ("My name is not important", {}),
        ("I moved from Berlin to Porto", {}),
    ],
)
def test_what_is_said_to_be_over_is_a_fact_no_longer(said: str, changes: dict[str, str]) -> None:
    ada = talk()
    for each in FACTS:
        ada.record(user=each)
    before = known(ada)

    ada.record(user=said)

    wanted = {key: changes.get(key, value) for key, value in before.items()}
    assert known(ada) == {key: value for key, value in wanted.items() if value}


def test_the_saying_that_stood_for_the_fact_leaves_with_it_and_what_ended_it_stays() -> None:
    ada = talk()
    ada.record(user="My editor is Helix")

    told = ada.record(user="I no longer use Helix")

    assert texts(ada.items("semantic")) == ["I no longer use Helix"]
    assert {each.reason for each in told.deleted} == {"retracted"}
    assert [each["reason"] for each in traced(ada, "memory_deleted")] == ["retracted"] * 2
    assert "Helix" not in texts([each for each in ada.recall("my editor").items if each.meta.key])


def test_a_fact_that_was_taken_back_is_told_anew_and_undone_like_any_other() -> None:
    ada = talk()
    ada.record(user="My editor is Helix")
    over = ada.record(user="I no longer use Helix")

    ada.undo(over.seq)
    assert known(ada) == {"editor": "Helix"}

    ada.record(user="I no longer use Helix!")
    ada.record(user="My editor is Zed")
    assert known(ada) == {"editor": "Zed"}


def test_what_a_machine_says_takes_nothing_back_nor_does_anyone_what_was_imposed() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)
    memory.admin().impose("ada", "My language is English", user="tuff")
    ada.record(user="My editor is Helix")

    ada.record(user="I don't speak English", ai="I no longer use Helix", tools=["forget my editor"])

    assert known(ada) == {"language": "English", "editor": "Helix"}


def test_a_wish_takes_back_what_lies_in_the_space_it_is_meant_for() -> None:
    ada = talk(Policy(spaces=OPEN_SPACES))
    ada.record(user="My editor is Helix", space=Space.USER)
    assert known(ada, "user") == {"editor": "Helix"}

    ada.record(user="Remember this for me: I no longer use Helix")

    assert known(ada, "user") == {}


@pytest.mark.parametrize(
    "said",
    [
        "My name is Ada, I want to book a flight",
        "I like tea, and my name is Ada",
        "Let's use Rust, call me Ada",
    ],
)
def test_a_fact_is_kept_whatever_else_its_message_is(said: str) -> None:
    ada = talk()

    ada.record(user=said)

    assert known(ada) == {"name": "Ada"}


def test_what_is_so_by_now_takes_the_place_even_of_what_was_put_right() -> None:
    ada = talk()
    ada.record(user="Actually my timezone is Europe/Lisbon")

    ada.record(user="My timezone is now America/New_York")

    assert known(ada) == {"timezone": "America/New_York"}


def test_a_log_with_withdrawals_proves() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)
    for each in (*FACTS, "I no longer use Vim", "I switched from German to French"):
        ada.record(user=each)

    assert [proof.entries for proof in memory.prove()]

"""Denials: privacy first, then policy; each with a stable code and nothing of a secret."""

from collections.abc import Callable

import pytest
from tests import world
from tests.talks import brief, letter, spelled, talk, texts, traced

from muniment.model.kinds.conversation_item import EventType
from muniment.model.policy import Policy, Privacy
from muniment.model.policy.conversation import Promotion, WritePolicy, Writing

TELLING = "my password is correct-horse-77"
MAIL = "mia@example.org"

# Each code with a policy and a message that call for it.
CODES = {
    "privacy_deny_sensitive": (Policy(), TELLING),
    "privacy_deny_pattern": (
        Policy(privacy=Privacy(deny_patterns=(r"\bnightfall\b",))),
        "I prefer Nightfall",
    ),
    "privacy_deny_profile_key": (Policy(privacy=Privacy(profile_keys=())), "My name is Ada"),
    "write_policy_none": (Policy(writing=Writing(write_policy=WritePolicy.NONE)), "I prefer tea"),
    "write_policy_minimal": (
        Policy(writing=Writing(write_policy=WritePolicy.MINIMAL)),
        "it rains",
    ),
    "write_policy_context": (Policy(), "it rains"),
    "policy_deny_event_type": (
        Policy(writing=Writing(deny_event_types=(EventType.PREFERENCE,))),
        "I prefer tea",
    ),
    "policy_deny_promotion": (
        Policy(promotion=Promotion(profile=(EventType.CORRECTION,))),
        "My name is Ada",
    ),
    "policy_low_signal": (
        Policy(writing=Writing(write_policy=WritePolicy.AGGRESSIVE)),
        "Thank you!",
    ),
}


@pytest.mark.covers("B-058", "B-075", "B-115")
@pytest.mark.parametrize("code", sorted(CODES))
def test_every_refusal_has_its_own_code(code: str, golden: Callable[[str, str], None]) -> None:
    policy, text = CODES[code]
    ada = talk(policy)

    ada.record(user=text)

    found = [each for each in traced(ada, "memory_denied") if each["reason"] == code]
    assert found, [each["reason"] for each in traced(ada, "memory_denied")]
    golden(f"traces/denied/{code}.json", brief(found[0]))


@pytest.mark.covers("B-055", "B-056", "B-074")
def test_a_secret_is_denied_before_anything_of_it_is_stored() -> None:
    memory = world.memory(letter())
    ada = talk(of=memory)

    told = ada.record(user=TELLING, ai="I will not keep that", tools=["vault: locked"])

    assert {each.reason for each in told.denied if each.item.source == "user"} == {
        "privacy_deny_sensitive"
    }
    assert texts(ada.items("short_term")) == ["vault: locked", "I will not keep that"]
    logs = [line for stream in memory.streams() for line in memory.log(stream)]
    assert "correct-horse" not in repr(logs)
    assert "correct-horse" not in spelled(ada.traces())


@pytest.mark.covers("B-055")
def test_privacy_is_asked_before_the_write_policy() -> None:
    strict = Policy(
        privacy=Privacy(deny_patterns=("tea",)),
        writing=Writing(write_policy=WritePolicy.NONE, deny_event_types=tuple(EventType)),
    )
    ada = talk(strict)

    told = ada.record(user="I prefer tea")

    assert {each.reason for each in told.denied} == {"privacy_deny_pattern"}


def test_personal_data_is_taken_out_and_the_rest_is_kept() -> None:
    ada = talk()

    ada.record(user=f"I prefer mail to {MAIL}")

    (kept,) = ada.items("semantic")
    assert MAIL not in kept.text
    assert kept.text.startswith("I prefer mail to [email:")


def test_a_fact_whose_value_was_taken_out_is_no_fact() -> None:
    ada = talk()

    told = ada.record(user=f"My name is {MAIL}")

    assert ada.items("profile") == []
    assert [(e.kind, e.reason) for e in told.denied] == [("profile", "privacy_deny_sensitive")]


def test_nothing_to_say_is_nothing_to_record() -> None:
    ada = talk()

    with pytest.raises(Exception, match="text_empty"):
        ada.record(user="  ")

"""Facts about a speaker: found by fixed phrases, and never guessed."""

import pytest

from muniment.model.kinds.conversation_item import EventType, Source, Space
from muniment.rules.conversation import classify


@pytest.mark.covers("B-022")
@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("My name is Ada", {"name": "Ada"}),
        ("hi, my name's Ada Lovelace, nice to meet you", {"name": "Ada Lovelace"}),
        ("Call me Ada.", {"name": "Ada"}),
        ("call me Élise", {"name": "Élise"}),
        ("My name is not Ada but Bea", {"name": "Bea"}),
        ("my name is 'Ada'", {"name": "Ada"}),
        ("My timezone is Europe/Lisbon", {"timezone": "Europe/Lisbon"}),
        ("I speak Portuguese and my editor is vim", {"language": "Portuguese", "editor": "vim"}),
        ("our project is called Apollo", {"project": "Apollo"}),
        ("I measure in meters", {"units": "meters"}),
        ("Remember that my favourite colour is cerulean", {"favourite_colour": "cerulean"}),
        ("Remember my wifi network is called Seagull", {"wifi_network": "Seagull"}),
        ("Remember that my address is now Rua Nova 5", {"address": "Rua Nova 5"}),
        ("My timezone is America/New_York now", {"timezone": "America/New_York"}),
        ("call me Zed from now on, please", {"name": "Zed"}),
        ("My name is " + "x" * 90, {"name": "x" * 60}),
        ("My name isn't Bea, it's Ada", {"name": "Ada"}),
        ("Our project is no longer Apollo but Zeus", {"project": "Zeus"}),
        ("my name is mohammed", {"name": "mohammed"}),
        ("Call me Bea when you write", {"name": "Bea"}),
        ("call me Maria de la Cruz", {"name": "Maria de la Cruz"}),
        ("I speak German at work", {"language": "German"}),
        ("Can you call me Rob?", {"name": "Rob"}),
        ("My editor is Zed, what is yours?", {"editor": "Zed"}),
        ("I write code in Helix", {"editor": "Helix"}),
        # What only looks like one.
        ("I write code in Python", {}),
        ("I write code in C++ and Rust", {}),
        ("What if my editor is broken?", {}),
        ("Is it true that my name is Carl?", {}),
        ("if my name is Carl then call me Carl", {}),
        ("He said my name is Otto", {}),
        ("Forget that my name is Ada", {}),
        ("Call me Monday morning", {}),
        ("I speak Monday at the conference", {}),
        ("my editor is slow today", {}),
        ("my editor is crashing", {}),
        ("our project is late", {}),
        ("my name is spelled with two t", {}),
        ("my time zone is the same as yours", {}),
        ("call me tomorrow", {}),
        ("never call me Bea", {}),
        ("don't call me Bea", {}),
        ("my name is not Ada", {}),
        ("my name is now not Ada", {}),
        ("I speak to them daily", {}),
        ("his name is Carl", {}),
        ("my names are many", {}),
        ("my name is", {}),
    ],
)
def test_a_fixed_phrase_states_a_fact_and_nothing_else_does(
    text: str, facts: dict[str, str]
) -> None:
    assert {each.attribute: each.value for each in classify.profile_facts(text)} == facts


@pytest.mark.covers("B-020")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("My name is Ada", "name"),
        ("No, actually my name is Bea!", "name"),
        ("Remember this for me: my name is Ada", "name"),
        ("My name is Bea now.", "name"),
        ("My name is Ada and I grew up in Porto", None),
        ("My name is Ada and I speak Portuguese", None),
        ("yesterday at the old station someone asked whether my name is Ada", None),
    ],
)
def test_only_a_message_that_is_nothing_but_one_fact_goes_by_its_key(
    text: str, key: str | None
) -> None:
    told = classify.only_fact(text)

    assert (told.attribute if told else None) == key


@pytest.mark.covers("B-014")
@pytest.mark.parametrize("source", list(Source))
def test_tools_execute_and_an_ai_only_gives_context(source: Source) -> None:
    found = classify.event_type(source, "Actually I prefer tea")

    assert found is {
        Source.TOOL: EventType.EXECUTION,
        Source.AI: EventType.CONTEXT,
    }.get(source, EventType.CORRECTION)


@pytest.mark.parametrize(
    ("text", "space"),
    [
        ("remember that for me", Space.USER),
        ("save this about me: I like trains", Space.USER),
        ("please remember for our project", Space.PROJECT),
        ("put it into project memory", Space.PROJECT),
        ("remember for everyone: no tabs", Space.SYSTEM),
        ("do this for me", None),
        ("I remember", None),
    ],
)
def test_a_wish_names_the_space_it_is_meant_for(text: str, space: Space | None) -> None:
    told = classify.wish(text)

    assert (told.to_space if told else None) == space

"""What a sentence says of its speaker, and whether it says nothing else."""

import pytest

from muniment.model.kinds.conversation_item import EventType, Source
from muniment.model.text.self_statements import (
    ATTRIBUTE_WORDS_MAX,
    VALUE_CHARACTERS_MAX,
    Statement,
)
from muniment.rules.conversation import classify

LONG = "x" * VALUE_CHARACTERS_MAX
MANY = " ".join(["very"] * (ATTRIBUTE_WORDS_MAX - 1))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Remember that my motto is 'Onward'", ("motto", "Onward")),
        ("Remember that my motto is ''", None),
        (f"Remember that my motto is {LONG}", ("motto", LONG)),
        (f"Remember that my motto is {LONG}x", None),
        (f"Remember that my {MANY} motto is Go", (f"{MANY} motto", "Go")),
        (f"Remember that my {MANY} old motto is Go", None),
        (f"Remember that my {MANY} old motto is {LONG}x", None),
    ],
)
def test_what_is_to_be_remembered_has_a_short_name_and_a_short_value(
    text: str, told: tuple[str, str] | None
) -> None:
    wanted = Statement(attribute=told[0], value=told[1]) if told else None

    assert classify.lasting_fact(text) == wanted


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("My name is Ada", EventType.FACT),
        ("My timezone is CET now", EventType.CORRECTION),
        ("I remember my old office", EventType.CONTEXT),
        ("It rains", EventType.CONTEXT),
        ("We decided on Zeus", EventType.DECISION),
        ("I like tea", EventType.PREFERENCE),
        ("Actually I like tea", EventType.CORRECTION),
    ],
)
def test_a_sentence_is_of_the_first_type_that_it_shows(text: str, found: EventType) -> None:
    assert classify.event_type(Source.USER, text) is found


def test_what_is_stated_and_to_be_remembered_is_one_fact() -> None:
    assert classify.profile_facts("Remember my name is Ada") == (
        Statement(attribute="name", value="Ada"),
    )
    assert classify.profile_facts("Remember my -- is Ada") == ()


CAT = Statement(attribute="cat", value="Tom")
NAME = Statement(attribute="name", value="Ada")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("my cat is Tom", (CAT,)),
        ("my cat is Tom now", (Statement(attribute="cat", value="Tom", anew=True),)),
        ("My name is Ada", (NAME,)),
        ("Call me Ada. My cat is Tom", (NAME, CAT)),
        ("Remember that my cat is Tom", (CAT,)),
        ("It rains", ()),
    ],
)
def test_what_a_speaker_calls_by_a_name_of_their_own_is_stated_as_well(
    text: str, facts: tuple[Statement, ...]
) -> None:
    assert classify.stated(text) == facts


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("my cat is Tom", CAT),
        ("one two three four five, my cat is Tom.", CAT),
        ("one two three four five six, my cat is Tom", None),
        ("my cat is Tom. It rains", None),
        ("My name is Ada", NAME),
        ("one two three four five: my name is Ada!", NAME),
        ("It rains", None),
    ],
)
def test_a_text_that_is_one_statement_says_nothing_beside_it(
    text: str, told: Statement | None
) -> None:
    assert classify.only_stated(text) == told


@pytest.mark.parametrize(
    ("text", "wished"),
    [
        ("Remember the key is under the pot", True),
        ("Remember, Otto asked: where? Under the pot", True),
        ("Remember it is under the pot?", False),
        ("Remember it is under the pot? \t\n", False),
        ('Remember it "is under the pot?"', False),
        ("?! Remember the key", True),
    ],
)
def test_a_wish_ends_with_no_question_mark_however_it_is_quoted(text: str, wished: bool) -> None:  # noqa: FBT001
    assert classify.is_wished(text) is wished


def test_the_key_of_a_saying_is_its_type_and_its_words() -> None:
    assert classify.dedup_key(EventType.FACT, "My name, is Ada!") == "fact:my name is ada"

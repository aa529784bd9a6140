"""What the log says of an echo: where it stood, how many lines, of which receipt; and whose words
count although they were given out."""

from collections.abc import Callable

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.events import WriteDenied
from muniment.model.events.loops import EventObserved
from muniment.model.events.recalls import EchoHeard

HOME = "I live in Porto near the old bridge"
DOG = "My dog is called Rex and he is brown"
NEWS = "The boiler was mended on Tuesday"
ECHO = f"- {HOME}\n- {DOG}"


def given_out() -> tuple[Memory, Agent, str]:
    """A memory that gave out both sentences, and the receipt of that."""
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    ada.remember(HOME)
    ada.remember(DOG)
    told = ada.context("Where do I live, and what is my dog called?", budget=400)
    return memory, ada, told.receipt.receipt_id


def heard(memory: Memory) -> list[EchoHeard]:
    return [line.event for line in world.lines(memory) if isinstance(line.event, EchoHeard)]


def refusals(memory: Memory) -> list[str]:
    events = [line.event for line in world.lines(memory)]
    return [each.reason for each in events if isinstance(each, WriteDenied)]


def memo(ada: Agent, text: str, source: str = "model") -> None:
    with ada.job("a job") as job:
        job.memorize({"content": text, "type": "fact", "source": source})


DOORS: dict[str, tuple[Callable[[Agent, str], object], str]] = {
    "a tool of a talk": (lambda ada, text: ada.conversation().record(tools=[text]), "tool"),
    "an answer": (lambda ada, text: ada.conversation().record(ai=text), "ai"),
    "a person in a talk": (lambda ada, text: ada.conversation().record(user=text), "user"),
    "a person": (lambda ada, text: ada.remember(text), "text"),
    "a tool": (lambda ada, text: ada.remember(text, origin="tool"), "text"),
    "the second of many": (lambda ada, text: ada.remember_many(["Bees sleep", text]), "2"),
    "a memo": (memo, "text"),
    "a turn": (lambda ada, text: ada.thread("mail").turn(text, source="model"), "text"),
}


@pytest.mark.parametrize("door", sorted(DOORS))
def test_an_echo_beside_own_words_is_told_once_with_its_place_and_its_lines(door: str) -> None:
    memory, ada, receipt = given_out()
    write, where = DOORS[door]

    write(ada, f"{NEWS}\n{ECHO}")

    assert heard(memory) == [EchoHeard(lines=2, where=where, receipt_id=receipt)]
    assert refusals(memory) == []
    assert NEWS in [each.text for each in ada.records().records]


def test_of_several_texts_each_echo_is_told_and_the_others_are_kept() -> None:
    memory, ada, receipt = given_out()

    ada.remember_many([f"{NEWS}\n- {HOME}", "Bees sleep in winter", f"- {DOG}"])

    kept = sorted(each.text for each in ada.records().records)
    assert kept == ["Bees sleep in winter", HOME, DOG, NEWS]
    assert heard(memory) == [
        EchoHeard(lines=1, where="1", receipt_id=receipt),
        EchoHeard(lines=1, where="3", receipt_id=receipt),
    ]


def test_of_a_talk_the_message_that_is_an_echo_goes_and_the_others_stay() -> None:
    memory, ada, receipt = given_out()

    told = ada.conversation().record(user=HOME, ai=f"{NEWS}\n{HOME}", tools=[DOG, "It rains"])

    assert {item.text for item in told.written} == {HOME, NEWS, "It rains"}
    assert heard(memory) == [
        EchoHeard(lines=1, where=each, receipt_id=receipt) for each in ("tool", "ai")
    ]


WITNESSES: dict[str, tuple[Callable[[Agent], object], bool]] = {
    "a person": (lambda ada: ada.remember(HOME), True),
    "a tool without a name": (lambda ada: ada.remember(HOME, origin="tool"), False),
    "a tool with a name": (lambda ada: ada.remember(HOME, origin="tool", source="scales"), True),
    "a person, with others": (lambda ada: ada.remember_many([HOME]), True),
    "a tool, with others": (lambda ada: ada.remember_many([HOME], origin="tool"), False),
    "a memo of a person": (lambda ada: memo(ada, HOME, "user"), True),
    "a memo of a model": (lambda ada: memo(ada, HOME), False),
    "a turn of a person": (lambda ada: ada.thread("mail").turn(HOME, source="user"), True),
    "a turn of a model": (lambda ada: ada.thread("mail").turn(HOME, source="model"), False),
}


@pytest.mark.parametrize("who", sorted(WITNESSES))
def test_a_known_sentence_counts_again_from_a_person_or_a_source_with_a_name(who: str) -> None:
    memory, ada, _ = given_out()
    write, counts = WITNESSES[who]

    write(ada)

    assert (not heard(memory) and not refusals(memory)) is counts


@pytest.mark.parametrize("door", ["a person", "a memo"])
def test_a_text_that_is_nothing_but_an_echo_is_refused_in_one_entry(door: str) -> None:
    memory, ada, receipt = given_out()

    DOORS[door][0](ada, ECHO)

    denied = [line.event for line in world.lines(memory) if isinstance(line.event, WriteDenied)]
    assert [(each.reason, each.detail) for each in denied] == [("echo_of_receipt", receipt)]
    assert heard(memory) == []


def test_a_loop_says_of_its_events_which_are_an_echo_and_a_task_is_none() -> None:
    memory, ada, receipt = given_out()

    with ada.do(HOME) as loop:
        call = loop.tool_call("look", {"at": "home"})
        loop.tool_result(call, HOME)
        loop.answer(f"{NEWS}\n{DOG}")

    events = [line.event for line in world.lines(memory) if isinstance(line.event, EventObserved)]
    assert [(each.echo_of, each.own_words) for each in events] == [
        ("", None),
        ("", None),
        (receipt, ""),
        (receipt, NEWS),
    ]

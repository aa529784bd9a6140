"""No echo: what memory itself gave out is not learned again when somebody repeats it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests import world

import muniment
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.decide import sayings
from muniment.layers import handed_out
from muniment.model.events import WriteDenied
from muniment.model.events.loops import EventObserved
from muniment.model.events.recalls import EchoHeard
from muniment.rules import echoes

HOME = "I live in Porto near the old bridge"
DOG = "My dog is called Rex and he is brown"
NEWS = "The boiler was mended on Tuesday"


def agent() -> tuple[Memory, Agent]:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    ada.remember(HOME)
    ada.remember(DOG)
    return memory, ada


def heard(memory: Memory) -> list[EchoHeard]:
    return [line.event for line in world.lines(memory) if isinstance(line.event, EchoHeard)]


def ids(ada: Agent) -> set[str]:
    return {hit.id for query in (HOME, DOG) for hit in ada.recall(query).hits}


def tool(ada: Agent, text: str) -> None:
    ada.conversation().record(tools=[text])


def answer(ada: Agent, text: str) -> None:
    ada.conversation().record(ai=text)


def user(ada: Agent, text: str) -> None:
    ada.conversation().record(user=text)


def memo(ada: Agent, text: str) -> None:
    with ada.job("a job") as job:
        job.memorize({"content": text, "type": "fact", "source": "model"})


def turn(ada: Agent, text: str) -> None:
    ada.thread("mail").turn(text, source="model")


def loop(ada: Agent, text: str) -> None:
    with ada.do("Look it up") as work:
        work.tool_result(work.tool_call("look"), text)


def observed(ada: Agent, text: str) -> None:
    with ada.job("a job") as job:
        kept = job.observe(text, origin="agent")
        assert not kept or text.startswith("Yes: "), "nothing is left but a word of its own"


def tracked(ada: Agent, text: str) -> None:
    with ada.job("a job") as job:
        job.track_tool_invocation("look", {"q": "x"}, text)


DOORS: dict[str, Callable[[Agent, str], object]] = {
    "user": user,
    "tool": tool,
    "answer": answer,
    "remember": lambda ada, text: ada.remember(text),
    "remember from a tool": lambda ada, text: ada.remember(text, origin="tool"),
    "remember many": lambda ada, text: ada.remember_many([text]),
    "memo": memo,
    "turn": turn,
    "loop": loop,
    "tracked": tracked,
    "observed": observed,
}
FORMS: dict[str, Callable[[Agent], str]] = {
    "a context": lambda ada: ada.context("Where do I live?", budget=400).text,
    "a context in tags": lambda ada: (
        f"<memory>\n{ada.context('Where do I live?', budget=400).text}\n</memory>"
    ),
    "a line of a context": lambda ada: next(
        line
        for line in ada.context("Where do I live?", budget=400).text.splitlines()
        if "Porto" in line
    ),
    "a line of a context behind a word": lambda ada: f"Yes: {FORMS['a line of a context'](ada)}",
    "a context on one line": lambda ada: " ".join(FORMS["a context"](ada).splitlines()),
    "hits in a list": lambda ada: "\n".join(f"* {hit.text}" for hit in ada.recall(HOME).hits),
    "hits line by line": lambda ada: "\n".join(hit.text for hit in ada.recall("live dog").hits),
    "a quotation": lambda ada: f"> {ada.recall(HOME).hits[0].text}",
    "in quotation marks": lambda ada: f"“{ada.recall(HOME).hits[0].text}”",
    "a conversation's recall": lambda ada: ada.conversation().recall("Where do I live?").text,
}


@pytest.mark.parametrize("form", sorted(FORMS))
@pytest.mark.parametrize("door", sorted(DOORS))
def test_what_was_given_out_is_not_learned_again(door: str, form: str) -> None:
    memory, ada = agent()
    before = ids(ada)
    text = FORMS[form](ada)
    assert HOME in text

    DOORS[door](ada, text)

    new = {hit.id: hit.text for query in (HOME, DOG) for hit in ada.recall(query, limit=20).hits}
    assert not [told for name, told in new.items() if name not in before and "Porto" in told]
    events = [line.event for line in world.lines(memory)]
    receipts = {each.receipt_id for each in heard(memory)} | {
        each.echo_of for each in events if isinstance(each, EventObserved)
    }
    receipts |= {each.detail for each in events if isinstance(each, WriteDenied)}
    known = {each.receipt for each in ada._session.writer.desk.handed_out}
    assert receipts & known, "the entry says of which receipt it is an echo"
    assert memory.prove()


def test_whoever_remembers_an_echo_is_told_the_receipt() -> None:
    memory, ada = agent()
    context = ada.context("Where do I live?", budget=400)

    told = ada.remember(context.text)

    assert (told.stored, told.reason) == (False, "echo_of_receipt")
    assert told.echo_of == context.receipt.receipt_id
    refused = [line.event for line in world.lines(memory) if isinstance(line.event, WriteDenied)]
    assert [each.detail for each in refused] == [context.receipt.receipt_id]
    assert heard(memory) == [], "one entry says it"


def test_own_words_beside_an_echo_are_kept_without_it() -> None:
    _, ada = agent()
    context = ada.context("Where do I live?", budget=400)

    told = ada.conversation().record(user=f"{context.text}\n\n{NEWS}", ai="I see.")

    assert NEWS in [item.text for item in told.written]
    assert not [item for item in told.written if "Porto" in item.text]
    assert told.echoes[0].receipt_id == context.receipt.receipt_id


def test_a_loop_keeps_what_it_heard_literally_and_is_found_by_its_own_words() -> None:
    memory, ada = agent()
    prompt = f"{ada.context('Where do I live?', budget=400).text}\n\nFind me a plumber"

    with ada.do(prompt):
        pass

    literal = [line.event for line in world.lines(memory) if isinstance(line.event, EventObserved)]
    assert literal[0].content == prompt
    assert literal[0].own_words == "Find me a plumber"
    assert [hit.text for hit in ada.recall("plumber").hits] == ["Find me a plumber"]


def test_a_person_who_says_it_again_has_said_it_twice() -> None:
    memory, ada = agent()
    first = ada.recall(HOME).hits[0]

    again = ada.remember(HOME)

    assert (again.stored, again.said, again.like) == (True, 2, first.id)
    hits = [hit for hit in ada.recall(HOME).hits if hit.text == HOME]
    assert [hit.said for hit in hits] == [2], "it stands once in the answer, and counts twice"
    assert hits[0].last_said >= hits[0].created
    assert ada.context(HOME, budget=400).text.count(HOME) == 1
    assert not heard(memory)


def test_a_user_message_that_repeats_a_known_sentence_is_a_message() -> None:
    memory, ada = agent()
    ada.recall(HOME)

    told = ada.conversation().record(user=HOME)

    assert HOME in [item.text for item in told.written]
    assert not heard(memory)


def test_a_task_that_repeats_a_known_sentence_is_a_task() -> None:
    memory, ada = agent()
    ada.recall(HOME)

    with ada.do(HOME):
        pass

    literal = [line.event for line in world.lines(memory) if isinstance(line.event, EventObserved)]
    assert (literal[0].content, literal[0].echo_of, literal[0].own_words) == (HOME, "", None)


def test_what_was_forgotten_no_longer_counts() -> None:
    _, ada = agent()
    first = ada.remember("The gate code is four")
    ada.forget(first.episodic_id)

    assert ada.remember("The gate code is four").said == 1


def test_a_near_twin_is_reported_where_it_is_written() -> None:
    _, ada = agent()
    known = ada.remember("The red gate behind the house opens at seven")

    told = ada.remember("The red gate behind the house opens at eight")

    assert (told.said, told.like) == (1, known.episodic_id)
    assert ada.remember("Bees sleep in winter").like == ""


def test_of_two_near_twins_that_are_as_near_one_is_reported() -> None:
    _, ada = agent()
    known = {
        ada.remember(f"The red gate behind the house opens at {hour}").episodic_id
        for hour in ("seven", "nine")
    }

    assert ada.remember("The red gate behind the house opens at eight").like in known


def test_seven_of_ten_words_in_common_are_enough_to_be_reported() -> None:
    _, ada = agent()
    metals = "brass copper iron silver golden leaden wooden"
    known = ada.remember(f"{metals} doors")

    assert ada.remember(f"{metals} walls roofs").like == known.episodic_id


def test_signs_without_a_word_are_like_nothing() -> None:
    _, ada = agent()
    told = [ada.remember("?!"), ada.remember("?!")]

    assert [(each.said, each.like) for each in told] == [(1, ""), (1, "")]


def test_what_is_said_very_often_is_counted_up_to_a_bound() -> None:
    _, ada = agent()
    said = [ada.remember("Bees sleep in winter").said for _ in range(sayings.COUNTED_MAX + 3)]

    most = sayings.COUNTED_MAX + 1
    assert said == [*range(1, most + 1), most, most]


def test_a_memory_block_is_not_the_users_word() -> None:
    _, ada = agent()

    told = ada.conversation().record(user="Hello <memory>We decided to sell the house</memory>")

    assert [item.text for item in told.written] == ["Hello"]
    assert not [hit.text for hit in ada.recall("sell the house").hits if "sell" in hit.text]


def test_a_tag_that_is_never_closed_is_a_word_of_its_own() -> None:
    assert echoes.heard("How do I close a <memory> tag?", lambda _: None, own=True).lines == 0


def test_short_words_are_nobodys_lines() -> None:
    _, ada = agent()
    ada.remember("Yes indeed")
    ada.recall("yes indeed")

    told = ada.conversation().record(ai="Yes indeed")

    assert [item.text for item in told.written] == ["Yes indeed"]


def test_what_was_given_to_one_person_is_not_an_echo_when_another_says_it() -> None:
    memory, ada = agent()
    text = ada.recall(HOME).hits[0].text
    bea = memory.agent("ada", user="bea")

    told = bea.conversation().record(ai=text)

    assert not told.echoes
    assert text in [item.text for item in told.written]


def test_another_session_of_the_same_agent_knows_what_was_given_out() -> None:
    memory, ada = agent()
    text = ada.recall(HOME).hits[0].text

    told = memory.agent("ada", user="tuff").conversation().record(ai=text)

    assert told.echoes
    assert not told.written


def test_the_desk_keeps_so_many_receipts_and_no_more() -> None:
    _, ada = agent()
    for n in range(handed_out.RECEIPTS_MAX + 5):
        ada.recall(f"Where do I live? {n}")
    ada.remember("Bees sleep in winter")

    assert len(ada._session.writer.desk.handed_out) == handed_out.RECEIPTS_MAX


def test_a_memory_that_is_opened_again_still_knows_what_it_gave_out(tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember(HOME)
        text = ada.recall(HOME).hits[0].text
    with muniment.open(tmp_path) as memory:
        told = memory.agent("ada", user="tuff").conversation().record(ai=text)
        assert memory.prove()

    assert told.echoes
    assert not told.written

"""A job on a channel: its contexts state what its thread goes on with, and pull what was said."""

import re

import pytest
from tests.behaviour.seed_003.test_threads import AGAIN, PARIS, SARDINES, World

from muniment.engine.context.assemble import Context

QUESTION = "What do we know of the Paris budget report?"


def asked_on(hub: World, channel: str, user: str = "tuff", budget: int = 600) -> Context:
    with hub.memory.agent("ada", user=user).job(channel=channel) as job:
        return job.assemble_context(QUESTION, budget)


def told_by_threads(context: Context) -> list[str]:
    return [each.text for each in context.pieces if each.type == "threads"]


def by_the_user(lines: list[str]) -> list[str]:
    """What the user said, without the frame; a line that says otherwise is told as it is."""
    return [re.sub(r"^- \[user_asserted/user \d{4}-\d\d-\d\d\] ", "", line) for line in lines]


def a_linked_conversation() -> World:
    """A talk by mail, a long silence, and a talk on slack that goes on with it."""
    hub = World()
    for text in PARIS:
        hub.ada.thread("mail").turn(text)
    hub.watch.later(hours=2)
    new = hub.ada.thread("slack").turn(AGAIN)
    assert new.opened
    assert new.link is not None
    assert new.link.link.linked
    return hub


@pytest.mark.covers("D-155", "D-156")
def test_the_context_of_a_job_states_the_continuity_and_pulls_linked_threads() -> None:
    hub = a_linked_conversation()

    context = asked_on(hub, "slack")

    first, *said = told_by_threads(context)
    assert first.startswith("- [system_imposed/engine] This goes on with an earlier conversation:")
    assert "3 turns on mail" in first
    assert set(by_the_user(said)) == {*PARIS, AGAIN}
    assert "# threads" in context.text
    assert context.sources["threads"] == 5
    assert context.tokens <= context.budget


def test_what_is_said_in_threads_is_ranked_explained_and_receipted_like_everything_else() -> None:
    hub = a_linked_conversation()
    with hub.ada.job(channel="slack") as job:
        context = job.assemble_context(QUESTION, 600)
        receipt = context.receipt
    pieces = {each.id: each for each in context.pieces if each.type == "threads"}
    assert all(each.score_ppm for each in pieces.values())
    assert {each.why for each in pieces.values()} == {
        "goes on with it",
        "said in this thread",
        "said in a thread it goes on with",
    }
    assert set(pieces) <= set(hub.ada.receipt(receipt.receipt_id).ids)
    assert [each.type for each in receipt.spent].count("threads") == 1


def test_such_a_context_is_made_again_to_the_byte_whatever_was_said_since() -> None:
    hub = a_linked_conversation()
    context = asked_on(hub, "slack")
    hub.ada.thread("slack").turn("Claire sent the Paris budget report at last")

    assert hub.ada.regenerate(context.receipt.receipt_id).text == context.text
    assert asked_on(hub, "slack").text != context.text
    assert hub.holds()


def test_a_job_reads_its_thread_as_it_stood_at_a_past_entry() -> None:
    hub = World()
    hub.ada.thread("mail").turn(PARIS[0])
    with hub.ada.job(channel="mail") as job:
        then = job.seq
        hub.ada.thread("mail").turn(PARIS[1])
        now, before = job.context(QUESTION), job.context(QUESTION, at=then)
    assert len(told_by_threads(now)) == 2
    assert by_the_user(told_by_threads(before)) == [PARIS[0]]


@pytest.mark.covers("D-155")
def test_an_explicit_channel_pulls_its_own_thread_alone() -> None:
    hub = a_linked_conversation()
    hub.ada.thread("desk", explicit=True).turn(SARDINES)

    assert by_the_user(told_by_threads(asked_on(hub, "desk"))) == [SARDINES]


def test_nobody_meets_the_threads_of_another_user() -> None:
    hub = a_linked_conversation()
    eve = hub.memory.agent("ada", user="eve")
    assert told_by_threads(asked_on(hub, "slack", user="eve")) == []

    eve.thread("slack").turn(AGAIN)  # the same words on the same channel, said by somebody else
    assert by_the_user(told_by_threads(asked_on(hub, "slack", user="eve"))) == [AGAIN]
    assert "mail" not in asked_on(hub, "slack", user="eve").text
    assert told_by_threads(asked_on(hub, "slack")) == told_by_threads(asked_on(hub, "slack"))
    with eve.job(channel="slack") as job:
        remembered = job.memory_type("threads").remember("Paris")
    assert [each.text for each in remembered] == [AGAIN]


def test_a_job_on_no_channel_spends_nothing_on_threads() -> None:
    hub = a_linked_conversation()
    context = asked_on(hub, "")
    assert "threads" not in {each.type for each in context.receipt.spent}
    assert told_by_threads(context) == []


def test_a_job_that_is_taken_up_again_is_still_on_its_channel() -> None:
    hub = a_linked_conversation()
    number = hub.ada.job(channel="slack").number
    again = hub.ada.resume(number)
    assert told_by_threads(again.assemble_context(QUESTION, 600))

"""Settled requests are listed with their votes, and asking for something is no memory of it."""

from pathlib import Path

import msgspec
import pytest
from tests.terminal import wishing
from tests.world import memory

from muniment.engine.api.memory import Memory
from muniment.model.policy import preset

DRINK = "user/profile/user_tuff/drink"


def asked(world: Memory, key: str = DRINK, user: str = "tuff") -> str:
    agent = world.agent("ada", user=user)
    episode = agent.remember(f"{user} drinks tea every morning")
    return agent.memory_promote_request(episode.episodic_id, key, "said so", value="tea")


def test_a_settled_request_is_listed_with_its_votes_and_an_open_one_is_not() -> None:
    world = memory(preset("council"))
    settled, waiting = asked(world), asked(world, "world/city/lisbon/size")
    for member in ("bea", "cal", "dan"):
        world.council(member).approve(settled)
    world.council("bea").abstain(waiting)

    (found,) = world.council().requests(settled=True)

    assert (found.request_id, found.status) == (settled, "executed")
    assert sorted(found.votes.values()) == ["approve"] * 3
    assert [each.request_id for each in world.council().requests()] == [waiting]
    assert world.council().request(settled) == (found, "executed")


def test_who_asked_sees_what_became_of_it_and_nobody_else_does() -> None:
    world = memory(preset("solo"))
    world.council().reject(asked(world))

    (mine,) = world.agent("ada", user="tuff").requests(settled=True)

    assert (mine.key, mine.status) == (DRINK, "rejected")
    assert not world.agent("ada", user="mia").requests(settled=True)
    assert not world.agent("ada", user="tuff").requests()


def test_what_was_asked_about_somebody_who_is_gone_is_listed_nowhere() -> None:
    world = memory(preset("solo"))
    world.council().reject(asked(world))
    request = world.eraser().request("tuff", reason="he asked for it")
    world.council().approve(request)
    world.eraser().carry_out(request)

    assert [each.action for each in world.council().requests(settled=True)] == ["erase"]


def test_the_terminal_lists_what_was_settled(tmp_path: Path) -> None:
    shell = wishing(tmp_path / "m")
    request = shell.requested()
    assert "No request is settled yet." in shell("requests", "--settled").output
    shell("approve", request)

    settled = shell("requests", "--settled").output

    assert "executed" in settled
    assert "owner approve" in settled
    assert "muniment approve" not in settled
    assert "No request is pending." in shell("requests").output


@pytest.mark.parametrize("profile", ["hybrid", "stage1"])
def test_that_the_council_was_asked_is_recalled_by_nobody(profile: str) -> None:
    policy = preset("solo")
    recall = msgspec.structs.replace(policy.recall, profile=profile)
    world = memory(msgspec.structs.replace(policy, recall=recall))
    ada = world.agent("ada", user="tuff")
    question = ada.remember("Remember my favourite colour is cerulean").question
    assert question is not None
    ada.confirm(question.confirmation_id)

    for agent in (ada, world.agent("ada")):
        for query in ("Who was asked to keep the favorite color?", "council"):
            assert not [h for h in agent.recall(query).hits if "asked the council" in h.text]
            assert "asked the council" not in agent.context(query, budget=400).text

"""A filter names what is forgotten: a preview first, one change, and all of it comes back."""

import pytest
from mcp import Client as McpClient
from tests import world
from tests.mcp_client import seated
from tests.mcp_client import told as answered

from muniment.engine.api.agent import Agent
from muniment.engine.conversation.bulk_forget import ForgottenRecords
from muniment.model import ids
from muniment.model.errors import InputError

MARCH = ids.time_ms("2026-03-01T10:00:00.000Z")
DAY = 24 * 60


def told() -> Agent:
    clock = world.StillClock(MARCH)
    ada = world.memory(clock=clock).agent("ada", user="tuff")
    ada.remember("The purple kite is in the attic", tags=["toys"], source="bert")
    ada.conversation(session="monday").record(user="The purple lamp is new", tags=["toys"])
    with ada.job("a job") as job:
        job.memorize(
            {"type": "fact", "text": "The purple vase is here", "source": "user", "importance": 1}
            | {"tags": ["toys"]}
        )
    clock.later(minutes=10 * DAY)
    ada.remember("The purple sofa is old", session="s9")
    return ada


def things(ada: Agent) -> set[str]:
    return {hit.text.split()[2] for hit in ada.recall("purple", limit=20).hits}


def named(found: ForgottenRecords) -> set[str]:
    return {each.text.split()[2] for each in found.records}


ALL = {"kite", "lamp", "vase", "sofa"}


@pytest.mark.parametrize(
    ("where", "gone"),
    [
        ({"tags": "toys"}, {"kite", "lamp", "vase"}),
        ({"source": "bert"}, {"kite"}),
        ({"session": "monday"}, {"lamp"}),
        ({"session": "s9"}, {"sofa"}),
        ({"kind": "items"}, {"lamp"}),
        ({"kind": {"in": ["memo_em", "memo_sm"]}}, {"vase"}),
        ({"time": {"gte": "2026-03-05"}}, {"sofa"}),
        ({"not": {"tags": "toys"}}, {"sofa"}),
    ],
)
def test_what_a_filter_names_is_shown_then_goes_and_comes_back(
    where: dict[str, object], gone: set[str]
) -> None:
    ada = told()
    before = ada.seq
    preview = ada.forget_where(where, preview=True)
    assert named(preview) == gone
    assert ada.seq == before
    assert things(ada) == ALL
    done = ada.forget_where(where, reason="spring cleaning")
    assert named(done) == gone
    assert done.refused == ()
    assert things(ada) == ALL - gone
    assert things_at(ada, before) == ALL
    assert ada.restore(first=done.first, last=done.last) >= len(gone)
    assert things(ada) == ALL


def things_at(ada: Agent, at: int) -> set[str]:
    return {hit.text.split()[2] for hit in ada.recall("purple", limit=20, at=at).hits}


def test_what_came_back_has_its_handles_and_is_not_brought_back_twice() -> None:
    ada = told()
    done = ada.forget_where({"source": "bert"})
    assert ada.restore(first=done.first, last=done.last) == 1
    hit = next(hit for hit in ada.recall("purple kite").hits if "kite" in hit.text)
    assert (hit.source, hit.tags) == ("bert", ("toys",))


def test_nobody_forgets_what_is_somebody_elses() -> None:
    memory = world.memory(clock=world.StillClock(MARCH))
    memory.agent("ada", user="tuff").remember("The purple kite is new", tags=["toys"])
    found = memory.agent("ada", user="bert").forget_where({"tags": "toys"})
    assert found.records == ()
    assert memory.agent("ada", user="tuff").recall("purple kite").hits


@pytest.mark.parametrize("where", [{}, "", None])
def test_no_filter_forgets_nothing(where: object) -> None:
    ada = told()
    with pytest.raises(InputError):
        ada.forget_where(where)  # type: ignore[arg-type]
    assert things(ada) == ALL


def test_a_filter_that_names_nothing_changes_nothing() -> None:
    ada = told()
    before = ada.seq
    assert ada.forget_where({"tags": "trains"}).records == ()
    assert ada.seq == before


def test_a_governed_fact_that_a_filter_names_is_shown_and_stays() -> None:
    """Given a fact and a note of one day, when all of that day goes, then the fact needs a yes."""
    ada = world.memory().agent("ada", user="tuff")
    key = "user/profile/user_tuff/color"
    ada.sem_put(key, "teal", source="user")
    ada.remember("The kite is teal")
    ever = {"said_at": {"gte": "2000-01-01"}}

    shown = ada.forget_where(ever, preview=True)
    done = ada.forget_where(ever)

    for told in (shown, done):
        assert [each.id for each in told.governed] == [key]
        assert key not in {each.id for each in told.records}
    assert ada.sem_get(key).value == "teal"


def test_a_filter_is_forgotten_by_over_mcp() -> None:
    memory = world.memory()

    async def talk(client: McpClient) -> None:
        await answered(client, "remember", text="The kite is teal", tags=["toys"])
        await answered(client, "remember", text="The lamp is teal", tags=["house"])
        toys = {"tags": "toys"}

        shown = await answered(client, "forget_where", where=toys, preview=True)
        assert [each["text"] for each in shown["records"]] == ["The kite is teal"]
        assert len((await answered(client, "recall", query="teal"))["hits"]) == 2
        await answered(client, "forget_where", where=toys)
        assert len((await answered(client, "recall", query="teal"))["hits"]) == 1

    seated(memory, talk, user="tuff")

"""Forget wishes anywhere: a wish reaches all that a person told an agent, by whichever call."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import world
from tests.behaviour.seed_001.test_spaces import Unreliable
from tests.talks import OPEN_SPACES
from tests.terminal import Shell

from muniment import Agent
from muniment.model.errors import MemoryWriteFailError
from muniment.model.policy import Brainstate, Policy

TOLD, WISH = "I collect barometers", "Forget that I collect barometers"
BESIDE = "My sister lives in Bern"


def in_a_loop(ada: Agent, text: str) -> None:
    with ada.do(text):
        pass


def in_a_job(ada: Agent, text: str) -> None:
    with ada.job() as job:
        job.observe(text)


def memo(kind: str) -> Callable[[Agent, str], Any]:
    return lambda ada, text: ada.memorize({"type": kind, "text": text, "source": "user"})


def said(session: str, space: str = "session") -> Callable[[Agent, str], Any]:
    return lambda ada, text: ada.conversation(session=session).record(
        user=text, ai="ok", space=space
    )


TELLING: dict[str, Callable[[Agent, str], Any]] = {
    "remember": lambda ada, text: ada.remember(text),
    "remember_many": lambda ada, text: ada.remember_many([text]),
    "record": said("monday"),
    "own space": said("monday", "user"),
    "do": in_a_loop,
    "observe": in_a_job,
    "memorize": memo("fact"),
    "scratchpad": memo("plan"),
    "thread": lambda ada, text: ada.thread("phone").turn(text),
}
WISHING: dict[str, Callable[[Agent, str], Any]] = {
    "remember": TELLING["remember"],
    "record": said("tuesday"),
    "own space": said("tuesday", "user"),
    "do": in_a_loop,
    "observe": in_a_job,
    "memorize": memo("fact"),
    "thread": lambda ada, text: ada.thread("desk").turn(text),
}


def person(**of: Any) -> Agent:  # noqa: ANN401
    return world.memory(Policy(spaces=OPEN_SPACES, **of)).agent("ada", user="tuff")


def known(ada: Agent) -> str:
    """All that is recalled of barometers, by question and by the words themselves."""
    hits = [hit.text for text in ("What do I collect?", TOLD) for hit in ada.recall(text).hits]
    return "\n".join([*hits, ada.context(TOLD).text, ada.summary().text])


@pytest.mark.parametrize("wishing", WISHING)
@pytest.mark.parametrize("telling", TELLING)
def test_what_was_told_by_one_call_is_forgotten_by_another_and_restored(
    telling: str, wishing: str
) -> None:
    of = world.memory(Policy(spaces=OPEN_SPACES))
    ada = of.agent("ada", user="tuff")
    TELLING[telling](ada, TOLD)
    ada.remember(BESIDE)
    first = ada.seq + 1

    WISHING[wishing](ada, WISH)

    assert "barometers" not in known(ada)
    assert BESIDE in known(ada) + "\n".join(hit.text for hit in ada.recall("Bern").hits)
    assert of.prove()
    ada.restore(first=first, last=ada.seq)
    assert telling == "scratchpad" or TOLD in known(ada)
    assert of.prove()


SAYS_WHAT_ENDED = ("remember", "record", "memorize", "thread")


@pytest.mark.parametrize("wishing", SAYS_WHAT_ENDED)
@pytest.mark.parametrize("telling", TELLING)
def test_the_result_says_what_ended_wherever_it_lay(telling: str, wishing: str) -> None:
    ada = person()
    TELLING[telling](ada, TOLD)

    assert WISHING[wishing](ada, WISH).ended

    assert WISHING[wishing](ada, WISH).ended == ()


def test_the_next_day_in_another_session_the_deleted_items_are_named() -> None:
    ada = world.memory().agent("ada", user="tuff")
    ada.conversation(session="monday").record(user=TOLD, ai="ok")

    told = ada.conversation(session="tuesday").record(user=WISH, ai="Done")

    assert {each.owner for each in told.deleted} == {"monday"}
    assert told.ended == tuple(each.item_id for each in told.deleted)


def test_all_forms_of_one_statement_end_at_once() -> None:
    of = world.memory(Policy(spaces=OPEN_SPACES))
    ada = of.agent("ada", user="tuff")
    for tell in TELLING.values():
        tell(ada, TOLD)

    asked = ada.remember(WISH)

    assert len(asked.ended) >= len(TELLING) - 1
    assert "barometers" not in known(ada)
    assert of.prove()


def test_several_statements_in_several_calls_are_not_clear() -> None:
    ada = person()
    ada.remember("I take Sertraline every morning")
    ada.conversation(session="monday").record(user="I take Sertraline since the winter")

    assert (
        ada.conversation(session="tuesday").record(user="Forget that I take Sertraline").ended == ()
    )
    assert ada.remember("Forget that I take Sertraline").ended == ()
    assert len(ada.recall("Sertraline").hits) == 2


def test_what_an_agent_or_a_tool_said_in_another_session_stays() -> None:
    ada = person()
    talk = ada.conversation(session="monday")
    talk.record(user="What do I collect?", ai=TOLD, tools=[f"{TOLD}."])
    ada.memorize({"type": "fact", "text": TOLD})
    ada.remember(TOLD, origin="agent")
    ada.remember(TOLD, speaker="Bob")

    assert ada.remember(WISH).ended == ()
    assert ada.conversation(session="tuesday").record(user=WISH).ended == ()


def test_another_person_and_another_agent_keep_what_they_were_told() -> None:
    of = world.memory()
    ada, mia = (of.agent("ada", user=each) for each in ("tuff", "mia"))
    bea = of.agent("bea", user="tuff")
    for each in (mia, bea):
        each.remember(TOLD)
        each.conversation(session=f"of {each.user}").record(user=TOLD)

    assert ada.remember(WISH).ended == ()

    assert all(TOLD in known(each) for each in (mia, bea))


@pytest.mark.parametrize("wishing", ["remember", "observe"])
def test_what_no_person_says_in_their_own_name_ends_nothing(wishing: str) -> None:
    ada = person()
    ada.conversation(session="monday").record(user=TOLD)
    if wishing == "remember":
        ada.remember(WISH, origin="tool", source="page")
        ada.remember(WISH, speaker="Bob")
        ada.remember_many([WISH])
    with ada.job() as job:
        job.observe("What do I collect?")
        job.observe_event("tool_call", {"tool": "search", "text": WISH})
    ada.memorize({"type": "fact", "text": WISH})
    ada.thread("phone").turn(WISH, source="model")

    assert TOLD in known(ada)


def test_an_undo_brings_back_what_a_wish_in_a_talk_ended_anywhere() -> None:
    of = world.memory(Policy(spaces=OPEN_SPACES))
    ada = of.agent("ada", user="tuff")
    for tell in TELLING.values():
        tell(ada, TOLD)
    talk = ada.conversation(session="tuesday")
    talk.record(user=TOLD)
    told = talk.record(user=WISH)
    assert "barometers" not in known(ada)
    stood = len(told.ended)

    talk.undo(told.seq)

    assert TOLD in known(ada)
    assert len(ada.remember(WISH).ended) >= stood - 1, "all but a note on a scratchpad"
    assert of.prove()


def test_no_summary_of_another_session_quotes_what_is_forgotten() -> None:
    of = world.memory()
    ada = of.agent("ada", user="tuff")
    monday = ada.conversation(session="monday")
    monday.record(user=TOLD)
    for n in range(30):
        monday.record(user=f"The tram was {n} minutes late")
    assert "barometers" in "\n".join(each.text for each in monday.items("short_term"))

    ada.remember(WISH)

    assert "barometers" not in "\n".join(each.text for each in monday.items("short_term"))
    assert "barometers" not in ada.summary("conversation", session="monday").text
    assert of.prove()


def test_sessions_that_made_room_are_reached_too() -> None:
    of = world.memory(Policy(brainstate=Brainstate(sessions_max=2)))
    ada = of.agent("ada", user="tuff")
    for n in range(5):
        ada.conversation(session=f"day-{n}").record(user=TOLD)

    told = ada.conversation(session="today").record(user=WISH)

    assert {each.owner for each in told.deleted} == {f"day-{n}" for n in range(5)}
    assert "barometers" not in known(ada)
    ada.conversation(session="day-1").record(user=BESIDE)
    ada.conversation(session="today").undo(told.seq)
    assert TOLD in known(ada)
    assert of.prove()


def test_a_wish_that_was_cut_short_is_heard_in_ones_own_space_exactly_once() -> None:
    store, keyring = Unreliable(), world.CountedKeyring()

    def ada() -> Agent:
        policy = Policy(spaces=OPEN_SPACES)
        return world.memory(policy, store=store, keyring=keyring).agent("ada", user="tuff")

    before = ada()
    before.remember(BESIDE)
    before.conversation(session="monday").record(user=TOLD, space="user")
    store.broken = True
    with pytest.raises(MemoryWriteFailError):
        before.remember(WISH)
    store.broken = False

    after = ada()
    after.remember("It rains")

    talk = after.conversation(session="monday")
    assert TOLD not in [each.text for each in talk.items("semantic", "user")]
    assert "barometers" not in known(after)


def test_what_a_hold_covers_stays_in_every_session() -> None:
    of = world.memory()
    ada = of.agent("ada", user="tuff")
    ada.conversation(session="monday").record(user=TOLD)
    of.admin().place_hold(user="tuff", reason="a court asks for it")

    assert ada.remember(WISH).ended == ()

    assert TOLD in known(ada)


# ── In an export ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("wishing", [*WISHING, "remember_many"])
def test_an_export_has_neither_what_was_forgotten_nor_the_wish(wishing: str) -> None:
    of = world.memory(Policy(spaces=OPEN_SPACES))
    ada = of.agent("ada", user="tuff")
    for each in ("remember", "record", "memorize"):
        TELLING[each](ada, "I own a red canoe")
        TELLING[each](ada, TOLD)
    {**TELLING, **WISHING}[wishing](ada, WISH)
    ada.remember("Forget that I collect stamps")

    told = str(list(of.exchange().records()))

    assert "canoe" in told
    assert "stamps" not in told
    assert wishing == "remember_many" or "barometers" not in told
    assert "Forget that I collect barometers" not in told


def test_what_was_exported_beside_a_wish_is_imported() -> None:
    of, into = world.memory(), world.memory()
    ada = of.agent("ada", user="tuff")
    ada.remember_many(["I own a red canoe", WISH, "I play the harp"])
    ada.remember(WISH)
    ada.conversation(session="monday").record(user=WISH)
    ada.conversation(session="monday").record(user=BESIDE)

    carried = list(into.exchange().carry(of.exchange().records()))

    assert all(each.stored for each in carried)
    there = into.agent("ada", user="tuff")
    texts = [each.text for each in there.records(limit=100).records]
    assert {"I own a red canoe", "I play the harp", BESIDE} <= {*texts}
    assert WISH not in texts


# ── At the terminal ─────────────────────────────────────────────────────────────────────────────


def test_a_turn_at_the_terminal_says_what_is_forgotten(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "m"), "--user", "tuff")
    shell("remember", TOLD)
    shell("turn", "--said", f"{TOLD}.", "--session", "monday")

    asked = shell("turn", "--said", WISH, "--session", "tuesday").output
    again = shell("turn", "--said", WISH, "--session", "tuesday").output
    other = shell("turn", "--said", "It rains", "--session", "tuesday").output

    assert f"Forgotten: {TOLD}" in asked
    assert "Nothing was found that this clearly means" in again
    assert "Nothing was found" not in other


def test_a_chat_says_what_is_forgotten(tmp_path: Path) -> None:
    shell = Shell("--store", str(tmp_path / "m"), "--user", "tuff")
    shell("remember", TOLD)

    told = shell("chat", "--json", typed=f"{WISH}\n{WISH}\nIt rains\n")

    first, again, other = json.loads(told.stdout)["turns"]
    assert first["forgotten"] == [TOLD]
    assert first["learned"] == []
    assert (again["forgotten"], again["unclear"]) == ([], True)
    assert other["unclear"] is False

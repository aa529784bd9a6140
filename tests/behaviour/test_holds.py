"""Legal hold: nothing that it covers ends by any door; lifting it carries out what waited."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from tests import world
from tests.terminal import Shell

from muniment.adapters.cli.errors import Exit
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.decide import RULES
from muniment.engine.decide.evidence.holds import BY_ITSELF
from muniment.model import ids
from muniment.model.errors import MunimentError, RefusedError
from muniment.model.policy import Governance, Policy

MARCH = ids.time_ms("2026-03-01T10:00:00.000Z")
DAY = 24 * 60
ORDER = "order 7 of the court"


class World:
    """A memory in which a person's records of every kind lie, and somebody else's."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.clock = world.StillClock(MARCH)
        self.memory: Memory = world.memory(policy or Policy(), clock=self.clock)
        self.ada, self.bert = (self.memory.agent("ada", user=each) for each in ("tuff", "bert"))
        self.episode = self.ada.remember("The purple kite is in the attic", tags=["toys"])
        self.ada.conversation(session="s").record(user="The purple lamp is new", tags=["toys"])
        with self.ada.job("a job") as job:
            told = {"type": "fact", "text": "The purple vase is here", "source": "user"}
            self.memo = job.memorize(told | {"importance": 1, "key": "vase:here"})
        self.ada.documents().put(("notes",), "k", {"text": "The purple sofa is old"})
        self.other = self.bert.remember("The purple bell is loud")

    def found(self) -> set[str]:
        known = {hit.text for hit in self.ada.recall("purple", limit=20).hits}
        return {each.split()[2] for each in known}


ALL = {"kite", "lamp", "vase", "sofa"}


def _erase(it: World) -> object:
    request = it.memory.eraser("owner").request("tuff", reason="he asks")
    it.memory.council("ann").approve(request)
    return it.memory.eraser("owner").carry_out(request)


def _items(it: World) -> list[str]:
    talk = it.ada.conversation(session="s")
    return [each.id for kind in ("short_term", "semantic") for each in talk.items(kind)]


def _each_item(verb: Callable[[Agent, str], object]) -> Callable[[World], object]:
    def tried(it: World) -> object:
        for name in _items(it):
            with suppress(RefusedError):
                verb(it.ada, name)
        return None

    return tried


DOORS: dict[str, Callable[[World], object]] = {
    "forget": lambda it: it.ada.forget(it.episode.episodic_id),
    "forget a memo": lambda it: it.ada.forget(it.memo.ids[0]),
    "forget a document": lambda it: [
        it.ada.forget(hit.id) for hit in it.ada.recall("sofa").hits if "sofa" in hit.text
    ],
    "forget items": _each_item(lambda ada, name: ada.forget(name)),
    "forget_where": lambda it: it.ada.forget_where({"not": {"session": "nobodys"}}),
    "forget_memos": lambda it: it.ada.forget_memos("SM", "least important"),
    "correct": lambda it: it.ada.correct(it.episode.episodic_id, "The green kite flew away"),
    "correct a document": lambda it: [
        it.ada.correct(hit.id, "The green couch is new")
        for hit in it.ada.recall("sofa").hits
        if "sofa" in hit.text
    ],
    "correct items": _each_item(lambda ada, name: ada.correct(name, "The green lamp broke")),
    "roll_back": lambda it: it.ada.roll_back("session", "s"),
    "roll_back an item": lambda it: it.ada.roll_back("item", it.episode.episodic_id),
    "drop": lambda it: it.ada.documents().drop(("notes",), "k"),
    "clear": lambda it: it.ada.documents().clear(("notes",)),
    "thin": lambda it: it.ada.thin(items_max=0),
    "compact": lambda it: it.ada.compact(),
    "erase": _erase,
}


@pytest.mark.parametrize("door", sorted(DOORS))
def test_no_door_ends_what_a_hold_covers(door: str) -> None:
    it = World()
    before = it.found()
    assert before == ALL
    held = it.memory.admin().place_hold(user="tuff", reason=ORDER)
    with suppress(MunimentError):
        DOORS[door](it)
    assert it.found() == before
    assert [each.hold_id for each in it.memory.admin().holds()] == [held]
    assert all(proof.undecided == 0 for proof in it.memory.prove())


@pytest.mark.parametrize("door", sorted(set(DOORS) - {"compact", "thin", "forget_memos"}))
def test_without_a_hold_each_of_these_doors_does_end_something(door: str) -> None:
    it = World()
    with suppress(MunimentError):
        DOORS[door](it)
    assert it.found() < ALL


def test_a_refusal_names_the_hold_and_lifting_carries_out_what_waited() -> None:
    it = World()
    held = it.memory.admin().place_hold(user="tuff", reason=ORDER)
    with pytest.raises(RefusedError) as refused:
        it.ada.forget(it.episode.episodic_id)
    named = f"{held} (until it is lifted)"
    assert (refused.value.reason, refused.value.detail) == ("held", named)
    done = it.memory.admin().lift_hold(held, reason="the case is closed")
    assert (done.carried_out, done.refused) == (1, 0)
    assert it.found() == ALL - {"kite"}
    with pytest.raises(RefusedError) as unknown:
        it.memory.admin().lift_hold(held)
    assert unknown.value.reason == "hold_unknown"


@pytest.mark.parametrize(
    "door",
    sorted(set(DOORS) - {"forget items", "correct items", "forget_where", "compact", "thin"}),
)
def test_whatever_is_refused_names_the_hold_its_order_and_its_end(door: str) -> None:
    it = World()
    held = it.memory.admin().place_hold(user="tuff", reason=ORDER, ends="2036-01-01")
    with pytest.raises(RefusedError) as refused:
        DOORS[door](it)
    assert str(refused.value.sentence) == (
        f"I did not do that: it is under the legal hold {held} (until 2036-01-01)."
    )


def test_a_filter_that_names_what_is_held_says_for_which_hold_it_waits() -> None:
    it = World()
    held = it.memory.admin().place_hold(user="tuff", reason=ORDER)
    found = it.ada.forget_where({"not": {"session": "nobodys"}})
    assert (found.records, found.held) == ((), (f"{held} (until it is lifted)",))


@pytest.mark.parametrize("words", [("forget", "{id}"), ("correct", "{id}", "It flew")])
def test_the_terminal_says_in_a_sentence_that_something_is_held_and_fails(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    told = shell.document("remember", "The green kite is in the attic")
    shell("hold", "--person", "tuff", "--reason", ORDER, "--ends", "2036-01-01")
    refused = shell(*(each.format(id=told["episodic_id"]) for each in words))
    assert refused.exit_code == Exit.REFUSED
    named = "hold:3 (until 2036-01-01)"
    assert f"I did not do that: it is under the legal hold {named}. [REFUSED: held]" in (
        refused.output
    )


def test_an_erasure_waits_for_the_hold() -> None:
    it = World()
    held = it.memory.admin().place_hold(user="tuff", reason=ORDER)
    request = it.memory.eraser("owner").request("tuff", reason="he asks")
    it.memory.council("ann").approve(request)
    with pytest.raises(RefusedError) as refused:
        it.memory.eraser("owner").carry_out(request)
    assert refused.value.reason == "held"
    assert it.memory.admin().lift_hold(held).erasures == (request,)
    assert it.memory.eraser("owner").carry_out(request).fragments
    assert it.found() == set()


def test_a_hold_covers_nobody_else_and_no_other_days() -> None:
    it = World()
    it.memory.admin().place_hold(user="tuff", until="2026-02-28", reason=ORDER)
    it.memory.admin().place_hold(user="nobody", reason=ORDER)
    it.bert.forget(it.other.episodic_id)
    it.ada.forget(it.episode.episodic_id)
    assert it.found() == ALL - {"kite"}


def test_a_space_is_held_by_its_name() -> None:
    it = World()
    it.memory.admin().place_hold(space="session:s", reason=ORDER)
    DOORS["forget items"](it)
    assert "lamp" in it.found()
    it.ada.forget(it.episode.episodic_id)
    assert "kite" not in it.found()


def test_a_hold_ends_on_its_day_and_what_waited_is_settled() -> None:
    it = World()
    it.memory.admin().place_hold(user="tuff", ends="2026-03-03", reason=ORDER)
    with pytest.raises(RefusedError):
        it.ada.forget(it.episode.episodic_id)
    assert it.memory.admin().settle_holds() == []
    it.clock.later(minutes=2 * DAY)
    assert [each.in_force for each in it.memory.admin().holds()] == [False]
    (done,) = it.memory.admin().settle_holds()
    assert done.carried_out == 1
    assert it.found() == ALL - {"kite"}
    assert it.memory.admin().holds() == []


def test_what_would_make_room_stays_and_what_is_said_is_kept() -> None:
    small = Policy(gating=msgspec.structs.replace(Policy().gating, semantic_items_max=1))
    it = World(small)
    it.memory.admin().place_hold(user="tuff", reason=ORDER)
    with it.ada.job("another") as job:
        told = {"type": "fact", "text": "The purple door is shut", "source": "user"}
        job.memorize(told | {"importance": 1, "key": "door:shut"})
    assert it.found() == ALL | {"door"}


def test_whoever_ends_something_by_itself_is_named_in_the_table() -> None:
    assert set(RULES) >= BY_ITSELF


@pytest.mark.parametrize("given", [{"reason": ORDER}, {"user": "tuff", "reason": " "}])
def test_a_hold_names_what_it_covers_and_by_which_order(given: dict[str, str]) -> None:
    with pytest.raises(MunimentError):
        World().memory.admin().place_hold(**given)


def test_what_a_read_shows_names_the_hold_that_covers_it() -> None:
    memory = world.memory(Policy(governance=Governance(user_direct=True)))
    ada, bob = memory.agent("ada", user="tuff"), memory.agent("ada", user="bob")
    ada.remember("The invoice was paid in cash")
    ada.conversation(session="s").record(user="I live in Porto")
    ada.sem_put("user/profile/user_tuff/favorite_color", "green")
    ada.documents().put(["notes"], "a", "the cash was counted twice")
    bob.remember("The invoice was lost")

    hold = memory.admin("otto").place_hold(user="tuff", reason="order 7")

    listed = ada.records().records
    assert {each.layer for each in listed} == {"episodic", "items", "sem", "documents"}
    assert {each.held for each in listed} == {(hold,)}
    assert {hit.held for hit in ada.recall("cash invoice green").hits} == {(hold,)}
    assert {each.held for each in bob.records().records} == {()}

    memory.admin("otto").lift_hold(hold)
    assert {each.held for each in ada.records().records} == {()}


def test_a_hold_on_a_persons_space_keeps_no_name_of_who_is_erased_later() -> None:
    of = world.memory()
    of.agent("ada", user="mona").remember("I live in Lisbon")
    hold = of.admin().place_hold(space="user:mona", reason="an order")
    assert [each.space for each in of.admin().holds()] == ["user:mona"]
    of.agent("ada", user="tuff").remember("I live in Porto")  # decided under the hold
    of.admin().lift_hold(hold)
    request = of.eraser().request("mona", reason="asked")
    of.council().approve(request)

    of.eraser().carry_out(request)

    told = repr([line for stream in of.streams() for line in of.log(stream)])
    assert "an order" in told
    assert "mona" not in told

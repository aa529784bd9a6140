"""Loops as one reader sees them, by hand: events, their mirror, and what is owed."""

from typing import Any

import msgspec
import pytest
from tests import world
from tests.faults import FaultyStore
from tests.personas import Switch

from muniment.engine.api.agent import Agent
from muniment.engine.session import loop_entries
from muniment.engine.session.loop_reader import Coverage, Library
from muniment.layers import loop_events, mirror
from muniment.model.errors import NotFoundError
from muniment.model.events.loops import EventObserved, Mirrored
from muniment.model.kinds.loop import IdeticEvent, collection_name, mirror_id
from muniment.model.policy import Policy
from muniment.model.scope import Persona, agent_stream, collection_stream

ADA, BELOW = agent_stream("main", "ada"), agent_stream("main", "ada", Persona.SUBCONSCIOUS)
DAY_MINUTES = 24 * 60
DAYS = ("2026-09-21", "2026-09-22", "2026-09-23", "2026-09-24")


class Telling(Switch):
    """A compactor that adds something to what it tells."""

    telling = ""

    def compact(self, event: IdeticEvent) -> str:
        return self.telling + super().compact(event)


class Place:
    """A memory whose clock stands still until it is moved, and whose outside can fail."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.switch, self.clock = Telling(), world.StillClock()
        self.of = world.memory(policy, clock=self.clock, tools=self.switch.tools())
        self.hub = world.hub(self.of)

    def agent(self, user: str = "tuff") -> Agent:
        return self.of.agent("ada", user=user)

    def library(self, user: str = "", source: Any = ADA) -> Library:  # noqa: ANN401
        return Library(self.hub, source, f"user_{user}") if user else Library(self.hub, source)

    def later(self, days: int = 1) -> None:
        self.clock.later(minutes=days * DAY_MINUTES)

    def done(self, task: str, answer: str = "", user: str = "tuff") -> str:
        with self.agent(user).do(task) as loop:
            loop.answer(answer or f"done: {task}")
        return loop.loop_id

    def skilled(self, city: str, user: str = "tuff") -> str:
        with self.agent(user).do("book a ferry") as loop:
            loop.tool_result(loop.tool_call("search", {"to": city}), f"{city} at eight")
            loop.answer(f"to {city}")
        return loop.loop_id

    def quiet(self, *, compacting: bool = False, embedding: bool = False) -> None:
        self.switch.compacting, self.switch.embedding = compacting, embedding


def said(events: list[IdeticEvent]) -> list[object]:
    return [each.content for each in events]


# ── Literal ─────────────────────────────────────────────────────────────────────────────────────


def test_a_reader_reads_one_persona_of_one_agent() -> None:
    place = Place()
    mine, below = place.library("tuff"), place.library(source=BELOW)

    assert (mine.source, mine.place) == (ADA, collection_stream(ADA))
    assert mine.name == collection_name("ada", Persona.ACTOR)
    assert below.place == collection_stream(BELOW)
    assert below.name == collection_name("ada", Persona.SUBCONSCIOUS)


def test_an_event_is_read_as_it_was_told_by_whoever_may() -> None:
    place = Place()
    with place.agent().do("weigh the kite") as loop:
        told = loop.observe_event("system_event", {"grams": 1.5}, {"share": 0.5})
    then = place.of.head(ADA)
    mine = place.library("tuff")

    found = mine.get(told)

    assert (found.id, found.content, found.metadata) == (told, {"grams": 1.5}, {"share": 0.5})
    assert (found.agent_id, found.persona, found.loop_id) == ("ada", Persona.ACTOR, loop.loop_id)
    assert mine.get(told, then) == found
    for reader, at in ((mine, 3), (place.library("mia"), None)):
        with pytest.raises(NotFoundError):
            reader.get(told, at)
    with pytest.raises(NotFoundError):
        mine.get("nothing")
    assert place.library().get(told) == found


def test_events_are_read_from_one_moment_to_another_both_included() -> None:
    place = Place()
    for each in "abc":
        place.done(each, f"{each}!")
        place.later()
    mine = place.library("tuff")
    moments = [each.ts for each in mine.between("", "")]

    assert said(mine.between("", "")) == ["a", "a!", "b", "b!", "c", "c!"]
    assert said(mine.between(moments[2], "")) == ["b", "b!", "c", "c!"]
    assert said(mine.between("", moments[1])) == ["a", "a!"]
    assert said(mine.between(moments[2], moments[3])) == ["b", "b!"]
    assert said(mine.between("", "", 6)) == ["a"]
    assert mine.between("2027-01-01", "") == []


def test_what_was_forgotten_is_told_by_the_log_alone() -> None:
    place = Place()
    place.done("the kite", "is red")
    then = place.of.head(ADA)
    mine = place.library("tuff")
    first, _ = mine.events()

    place.agent().forget(mirror_id(first.id))

    assert said(mine.events()) == ["is red"]
    assert said(mine.between("", "")) == ["the kite", "is red"]
    assert said(mine.events(then)) == ["the kite", "is red"]
    assert said(mine.events(4)) == said(mine.events(4))
    assert mine.events(0) == []


def test_people_do_not_see_each_others_events_and_maintenance_sees_all() -> None:
    place = Place()
    place.done("of tuff")
    place.done("of mia", user="mia")

    assert said(place.library("tuff").events()) == ["of tuff", "done: of tuff"]
    assert said(place.library("mia").events()) == ["of mia", "done: of mia"]
    assert len(place.library().events()) == 4
    assert place.library("zoe").events() == []


def test_who_has_read_goes_on_from_there() -> None:
    place = Place()
    mine = place.library("tuff")
    assert mine.events() == []
    for n, each in enumerate("abc", start=1):
        place.done(each)
        assert len(mine.events()) == 2 * n
        assert len(mine.mirrored()) == 2 * n
    held = place.hub.loops.of(ADA.text, "user_tuff")
    heads = place.of.head(ADA), place.of.head(collection_stream(ADA))

    assert held.read == heads
    assert [held.events[seq][0] for seq in sorted(held.events)] == mine.events()
    assert set(held.mirrored) == {each.id for each in mine.events()}
    ref = place.hub.parts.world.keyring.find("subject", "main/user_tuff")
    assert ref in held.subjects
    assert {job for _, _, job in held.events.values()} == {1, 2, 3}
    assert {who for _, who, _ in held.events.values()} == {"user_tuff"}


def test_after_an_erasure_nothing_of_the_person_is_held() -> None:
    place = Place()
    place.done("of tuff")
    place.done("of mia", user="mia")
    all_of_it, tuffs = place.library(), place.library("tuff")
    assert len(all_of_it.events()) == 4
    kept = tuffs.events()
    eraser = place.of.eraser()
    request = eraser.request("mia", reason="asked")
    place.of.council().approve(request)

    eraser.carry_out(request)

    assert said(all_of_it.events()) == ["of tuff", "done: of tuff"]
    assert tuffs.events() == kept


def test_without_a_collection_events_are_read_and_reading_makes_none() -> None:
    store = FaultyStore()
    of = world.memory(store=store)
    hub = world.hub(of)
    of.agent("ada", user="tuff").remember("the kite is red")
    mine = Library(hub, ADA, "user_tuff")

    assert (mine.events(), mine.mirrored(), mine.summaries(9), mine.skills()) == ([], [], [], [])
    assert hub.parts.world.keyring.find("stream", mine.place.text) is None
    store.fail(*range(1, 99), only=hub.stream(mine.place).ref)
    with of.agent("ada", user="tuff").do("fold the kite"):
        pass
    assert said(mine.events()) == said(Library(hub, ADA).events()) == ["fold the kite"]
    assert [each.summary for each in mine.summaries(9)] == ["user_input: fold the kite"]
    assert not hub.exists(mine.place)


# ── The mirror ──────────────────────────────────────────────────────────────────────────────────


def test_each_event_has_one_entry_that_is_graded_among_all() -> None:
    place = Place()
    for _ in range(3):
        place.done("the same", "again")
    place.done("another")
    mine = place.library("tuff")

    entries = mine.mirrored()

    assert [each.idetic_id for each in entries] == [each.id for each in mine.events()]
    assert [each.importance for each in entries] == [2, 1, 2, 1, 2, 1, 4, 3]
    alike = mine.alike()
    assert [alike(each) for each in entries] == [2, 2, 2, 2, 2, 2, 0, 0]
    assert [each.importance for each in mine.mirrored(6)] == [4, 3][: len(mine.events(6))]


def test_an_entry_that_is_owed_is_made_while_reading_and_one_that_is_kept_is_read() -> None:
    place = Place()
    place.quiet()
    place.done("the kite   is red")
    mine = place.library("tuff")

    owed = mine.mirrored()
    assert owed == [loop_entries.mirrored(each) for each in mine.events()]
    assert owed[0].summary == "the kite is red"
    kept = Place()
    kept.switch.telling = "kept: "
    kept.done("the lamp is red")
    assert kept.library("tuff").mirrored()[0].summary == "kept: the lamp is red"


# ── What is owed ────────────────────────────────────────────────────────────────────────────────


def test_what_is_owed_is_told_the_oldest_first_until_it_is_made() -> None:
    place = Place()
    kept = place.done("the kite")
    place.quiet()
    loops = [place.done(each) for each in ("the lamp", "the vase")]
    running = place.agent().do("the door")
    running.observe_event("system_event", "creaks")
    mine = place.library()
    events = [each.id for each in mine.events()]

    assert [loop_events.event_id(each) for each in mine.owed()] == events[2:]
    assert mine.unsummarised() == loops
    assert mine.unembedded() == []
    assert [mine.status(each) for each in (events[0], events[2])] == [
        "embedded",
        "pending_derivation",
    ]
    expected = Coverage(
        idetic=8, mirror=2, pending_derivation=6, pending_embedding=0, loops=4, summaries=1
    )
    assert mine.coverage() == expected
    assert mine.summaries(9)[-1].loop_id == kept


def test_an_entry_without_a_vector_of_the_present_embedder_waits_for_one() -> None:
    place = Place()
    place.done("the kite")
    place.quiet(compacting=True)
    place.done("the lamp")
    mine = place.library()
    events = [each.id for each in mine.events()]

    assert [_source(each) for each in mine.unembedded()] == events[2:]
    assert mine.owed() == []
    assert mine.status(events[2]) == "pending_embedding"
    assert mine.coverage().pending_embedding == 2
    with pytest.raises(NotFoundError):
        mine.status("nothing")
    place.switch.name = "other"
    assert [_source(each) for each in mine.unembedded()] == events


def _source(line: Any) -> str:  # noqa: ANN401
    assert isinstance(line.event, Mirrored)
    return line.event.source_id


def test_of_a_persona_without_loops_nothing_is_owed() -> None:
    mine = Place().library()

    assert (mine.owed(), mine.unembedded(), mine.unsummarised()) == ([], [], [])
    assert [*mine.events(), *mine.mirrored(), *mine.skills(), *mine.summaries(9)] == []
    assert mine.coverage() == Coverage(
        idetic=0, mirror=0, pending_derivation=0, pending_embedding=0, loops=0, summaries=0
    )


def test_a_kept_entry_is_that_of_its_event() -> None:
    place = Place()
    place.done("the kite")
    line = next(iter(place.hub.writer(ADA).shelves().newest(loop_events.SHELF)))
    assert isinstance(line.event, EventObserved)
    shelves = place.hub.writer(collection_stream(ADA)).shelves()
    kept = shelves.get(mirror.SHELF, loop_events.event_id(line))
    assert kept is not None
    entry = place.library("tuff").mirrored()[-1]
    assert msgspec.structs.replace(mirror.entry(ADA, kept), importance=entry.importance) == entry

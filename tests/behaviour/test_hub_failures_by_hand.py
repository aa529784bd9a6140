"""When a hub cannot carry something on, by hand: what is owed, and what operations are told."""

import pytest
from tests import world
from tests.behaviour.test_hub_effects_by_hand import (
    ADA,
    BEA,
    COUNCIL,
    GOVERNED,
    Place,
    engine,
    received,
)
from tests.faults import full

from muniment.engine.api.memory import Memory
from muniment.engine.session import stream_hub
from muniment.engine.streams.command_pipeline import actor_name
from muniment.log.entry import Line
from muniment.model.commands import RecordIncident, Remember
from muniment.model.errors import MemoryWriteFailError, ReadOnlyError, StorageFullError
from muniment.model.events.operations import IncidentRecorded
from muniment.model.policy import preset
from muniment.model.scope import Channel, Role, ops_stream

OPS = ops_stream("main")


class Ballast:
    """Room that is set aside; it notes when it is given away and taken back."""

    def __init__(self) -> None:
        self.noted: list[str] = []

    def release_ballast(self) -> bool:
        self.noted.append("released")
        return True

    def restore_ballast(self, *, partly: bool = False) -> bool:
        self.noted.append("partly" if partly else "restored")
        return not partly


def owing() -> Place:
    """A place whose council could not take what somebody asked for."""
    place = Place(preset("council"))
    place.fail(COUNCIL)
    with pytest.raises(MemoryWriteFailError):
        place.ask()
    return place


def incident(detail: str) -> RecordIncident:
    return RecordIncident(kind="RETRY_ATTEMPT", stream="s", operation="o", attempt=1, detail=detail)


def incidents(of: Memory) -> list[str]:
    found = [each for each in world.events(of, "ops") if isinstance(each, IncidentRecorded)]
    return [each.detail for each in found]


# ── When one of the two appends fails ───────────────────────────────────────────────────────────


def test_what_the_council_could_not_take_is_told_again_before_the_next_append() -> None:
    place = owing()
    assert place.requests() == []
    with pytest.raises(MemoryWriteFailError):
        place.ask("juice")  # this one cannot be told either, and the one before is still owed

    place.store.recover()
    place.ada.remember("the kite is red")

    first, second = place.forwarded()
    assert [place.hub.request_of(ADA, each) for each in (first, second)] == place.requests()
    assert place.hub._owing == set()


def test_the_councils_trouble_is_not_that_of_who_only_remembers() -> None:
    place = owing()

    assert place.ada.remember("the kite is red").episodic_id
    assert place.requests() == []
    place.store.recover()
    place.ada.remember("the lamp is red")
    assert len(place.requests()) == 1


def test_another_process_tells_what_was_owed_when_it_first_writes_or_reads() -> None:
    place = Place(preset("council"))
    place.fail(COUNCIL)
    for each in ("tea", "juice"):
        with pytest.raises(MemoryWriteFailError):
            place.ask(each)
    place.store.recover()
    hub = place.again()

    hub.writer(BEA)
    assert place.requests() == []
    hub.writer(ADA)

    first, second = place.forwarded()
    assert [hub.request_of(ADA, each) for each in (first, second)] == place.requests()
    hub.writer(COUNCIL)
    assert len(place.requests()) == 2


def test_a_process_that_cannot_tell_what_is_owed_reads_all_the_same_and_tries_again() -> None:
    place = owing()
    hub = place.again()

    assert hub.writer(ADA).head.seq == len(world.lines(place.of))
    assert hub._owing == {ADA.text}
    hub.append(ADA, [hub.prepare(Remember(text="kite"), engine(Role.AGENT))])
    assert place.requests() == []
    place.store.recover()
    hub.append(ADA, [hub.prepare(Remember(text="lamp"), engine(Role.AGENT))])
    assert len(place.requests()) == 1


def test_where_nothing_can_be_written_what_is_owed_stays_owed() -> None:
    place = owing()
    place.fail(COUNCIL, fault=ReadOnlyError)
    hub = place.again()

    assert hub.writer(ADA).head.seq == len(world.lines(place.of))
    assert hub._owing == set()


def test_a_filed_document_that_was_not_delivered_is_delivered_too() -> None:
    place = Place(GOVERNED)
    place.fail(COUNCIL)
    with pytest.raises(MemoryWriteFailError):
        place.ada.documents(governed=True).put(("a",), "k", "v")
    with pytest.raises(MemoryWriteFailError):
        place.ask()
    place.store.recover()

    hub = place.again()
    hub.writer(ADA)

    effects = [hub.parts.store.find(hub.stream(COUNCIL).ref, _key(e)) for e in place.forwarded()]
    assert None not in effects
    assert effects == sorted(effects)  # type: ignore[type-var]


def _key(line: Line) -> str:
    return f"effect:{line.hash.hex()}"


# ── What operations are told ────────────────────────────────────────────────────────────────────


def test_operations_are_told_what_happened_where_and_how_often() -> None:
    place = Place()
    stream = place.hub.stream(ADA)

    place.hub._alert("RETRY_ATTEMPT", stream, "key:1", 2, "the disk does not answer")

    told = received(place.of, "ops")
    assert told.command == RecordIncident(
        kind="RETRY_ATTEMPT",
        stream=stream.ref,
        operation="key:1",
        attempt=2,
        detail="the disk does not answer",
    )
    assert (told.role, told.channel) == (Role.ENGINE, Channel.ENGINE)
    assert told.actor == place.keyring.find("actor", actor_name(engine()))
    place.hub._alert("RETRY_ATTEMPT", place.hub.stream(OPS), "key:2", 2, "of operations")
    assert incidents(place.of) == ["the disk does not answer"]


def test_what_operations_could_not_be_told_is_told_later_in_its_order() -> None:
    place = Place()
    stream = place.hub.stream(ADA)
    place.fail(OPS)
    for each in "abc":
        place.hub._alert("RETRY_ATTEMPT", stream, "key:1", 1, each)
    assert incidents(place.of) == []

    place.store.recover()
    place.ada.remember("the kite is red")

    assert incidents(place.of)[-3:] == ["a", "b", "c"]
    assert len(place.hub._unheard) == 0


def test_so_much_is_kept_for_operations_while_they_cannot_be_told() -> None:
    place = Place()
    assert place.hub._unheard.maxlen == stream_hub.UNHEARD_MAX == 256


def test_what_operations_themselves_append_tells_them_nothing_else() -> None:
    place = Place()
    stream = place.hub.stream(ADA)
    place.fail(OPS)
    place.hub._alert("RETRY_ATTEMPT", stream, "key:1", 1, "a")
    place.store.recover()

    place.hub.append(OPS, [place.hub.prepare(incident("b"), engine())])
    assert incidents(place.of)[-1:] == ["b"]
    place.ada.remember("the kite is red")
    assert incidents(place.of)[-1:] == ["a"]


def test_a_full_disk_takes_the_note_that_it_is_full() -> None:
    place, ballast = Place(), Ballast()
    hub = place.again(ballast=ballast)
    stream = hub.stream(ADA)

    hub._alert(StorageFullError.code, stream, "key:1", 1, "no space left")
    assert ballast.noted == ["released", "partly"]
    hub.append(OPS, [hub.prepare(incident("b"), engine())])
    assert ballast.noted == ["released", "partly"]
    hub.append(ADA, [hub.prepare(Remember(text="kite"), engine(Role.AGENT))])
    assert ballast.noted == ["released", "partly", "restored"]
    hub._alert("RETRY_ATTEMPT", stream, "key:1", 1, "no answer")
    assert ballast.noted == ["released", "partly", "restored"]


def test_a_writer_tells_operations_by_itself() -> None:
    place = Place()
    place.fail(ADA, fault=full)

    with pytest.raises(StorageFullError):
        place.ada.remember("the kite is red")

    assert incidents(place.of) == ["no space left on device"]

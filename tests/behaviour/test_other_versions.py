"""Data of another version: what is newer is left alone, and a desk is used by its like alone."""

import hashlib
from collections.abc import Callable, Iterator
from typing import get_args

import msgspec
import pytest
from msgspec import inspect
from tests import world
from tests.world import hub, memory

from muniment import Memory
from muniment.engine.streams import desk_checkpoints
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.log import sealing
from muniment.log.entry import Entry, Header, link
from muniment.log.store import Batch, Derived
from muniment.model import canonical_json
from muniment.model.commands import AnyCommand
from muniment.model.errors import IntegrityError, NewerError
from muniment.model.events import AnyEvent
from muniment.model.scope import StreamId

Told = dict[str, object]


def agent_of(told: Memory) -> StreamId:
    return world.stream(told, "agent")


def of_tomorrow(told: Memory, change: Callable[[Told], None]) -> None:
    """An entry without sealed content once more, linked as it must be, spelled as others might."""
    writer, store = hub(told).writer(agent_of(told)), hub(told).parts.store
    open_one = next(each for each in store.read(writer.stream.ref) if not each.parts)
    header: Told = msgspec.json.decode(open_one.header) | {"seq": writer.head.seq + 1}
    change(header)
    spelled = canonical_json.encode(header)
    entry = Entry(
        seq=writer.head.seq + 1,
        hash=link(writer.head.hash, spelled),
        header=spelled,
        operation="of tomorrow",
    )
    store.append(writer.stream.ref, Batch(entries=(entry,)), expect=writer.head)


GONE = {"subject": "f" * 32, "commitment": "00" * 32, "bucket": 64}


def more_in_its_body(header: Told) -> None:
    header["body"] = {**header["body"], "mood": "calm"}  # type: ignore[dict-item]


def less_in_its_header(header: Told) -> None:
    del header["tick"]


NEWER: dict[str, Callable[[Told], None]] = {
    "an event that is not known": lambda header: header.update(type="moods_written"),
    "the same, and erased": lambda header: header.update(type="moods_written", parts=[GONE]),
    "a field that is not known": more_in_its_body,
    "another format": lambda header: header.update(v=2),
    "more in its header": lambda header: header.update(mood="calm"),
    "less in its header": less_in_its_header,
}


@pytest.mark.parametrize("what", NEWER)
def test_what_a_newer_program_wrote_is_refused_and_nothing_is_added_to_it(what: str) -> None:
    told = memory()
    ada = told.agent("ada", user="tuff")
    ada.remember("I moved to Lisbon in March")
    ada.job("walk").tick()
    seq = told.head(agent_of(told))
    of_tomorrow(told, NEWER[what])
    ways: list[Callable[[], object]] = [
        lambda: ada.remember("I like tea"),
        lambda: ada.recall("Where do I live?"),
        told.prove,
        told.rebuild,
    ]
    for way in ways * 2:
        with pytest.raises(NewerError, match="newer program"):
            way()
    kept = list(hub(told).parts.store.read(hub(told).stream(agent_of(told)).ref))
    assert [entry.seq for entry in kept] == list(range(1, seq + 2))


def structs(kind: inspect.Type) -> Iterator[inspect.StructType]:
    """Every struct that a type is made of, itself included."""
    if isinstance(kind, inspect.StructType):
        yield kind
        for field in kind.fields:
            yield from structs(field.type)
        return
    for name in kind.__struct_fields__:
        held = getattr(kind, name)
        for each in held if isinstance(held, tuple) else (held,):
            if isinstance(each, inspect.Type):
                yield from structs(each)


def test_no_field_of_an_entry_is_read_over() -> None:
    """An event that ignored what it does not know would take a newer entry for an older one."""
    for kind in (*get_args(AnyEvent), *get_args(AnyCommand), Header):
        assert kind.__struct_config__.forbid_unknown_fields, kind.__name__


# ── Desks ───────────────────────────────────────────────────────────────────────────────────────

# What a desk of each format is made of. A change of it is a new format: the next number.
SHAPES = {
    b"desk-1\n": "b5df212065b9c177",
    b"desk-2\n": "89eaa91c8a221df0",
    b"desk-3\n": "6d579c8943dd0fe4",
    b"desk-4\n": "7f6528700b31c400",
    b"desk-5\n": "919853918a05b788",
    b"desk-6\n": "e7562352c601de5d",
    b"desk-7\n": "9bd3cc8e246f1feb",
    b"desk-8\n": "829cc348564e3ecb",
    b"desk-9\n": "ac67e594741eb40a",
}


def test_a_desk_of_another_shape_is_of_another_format() -> None:
    parts = sorted(
        {(each.cls.__qualname__, field.encode_name, _spelled(field.type))
         for each in structs(inspect.type_info(Desk)) for field in each.fields}
    )  # fmt: skip
    shape = hashlib.sha256(repr(parts).encode()).hexdigest()[:16]
    assert SHAPES[desk_checkpoints.FORMAT] == shape, "give the desk's checkpoint the next number"


def _spelled(kind: inspect.Type) -> str:
    return kind.cls.__qualname__ if isinstance(kind, inspect.StructType) else type(kind).__name__


def with_checkpoint() -> Memory:
    told = memory()
    for number in range(140):
        told.agent("ada", user="tuff").remember(f"Town {number} has a harbour")
    return told


def put_down(told: Memory, data: bytes) -> None:
    """In the checkpoint's place, sealed as the writer would."""
    its, store = hub(told).stream(agent_of(told)), hub(told).parts.store
    saved = store.checkpoint(its.ref)
    assert saved is not None
    sealed = sealing.seal_blob(its.key, f"desk\x00{its.ref}", data)
    store.shelve(its.ref, Derived(checkpoint=sealed), upto=saved[0])
    hub(told).forget_state()


@pytest.mark.parametrize("mark", [b"", b"desk-0\n", b"desk-99\n"])
def test_a_desk_of_another_format_is_folded_anew(mark: bytes) -> None:
    told = with_checkpoint()
    right = hub(told).writer(agent_of(told)).desk
    put_down(told, mark + desks.encode(Desk(seq=right.seq)))
    assert hub(told).writer(agent_of(told)).desk == right
    told.agent("ada", user="tuff").remember("One more")
    assert desk_checkpoints.latest(hub(told).parts.store, hub(told).stream(agent_of(told)))


def test_a_desk_that_does_not_fit_its_log_stops_every_call_and_not_only_the_first() -> None:
    told = with_checkpoint()
    right = hub(told).writer(agent_of(told)).desk
    put_down(told, desk_checkpoints.FORMAT + desks.encode(Desk(seq=right.seq + 1)))
    for _ in range(3):
        with pytest.raises(IntegrityError, match="checkpoint"):
            told.agent("ada", user="tuff").remember("One more")

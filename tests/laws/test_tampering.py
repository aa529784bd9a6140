"""Any change to what a log holds is evident: bytes, order, absence, insertion, other people's
seals."""

from collections.abc import Callable, Iterator

import msgspec
import pytest
from tests import world

from muniment.engine.api.memory import Memory
from muniment.log import chain
from muniment.log.entry import Entry, SealedPart, genesis
from muniment.log.keyring import SeededEntropy
from muniment.model.errors import IntegrityError, MunimentError
from muniment.model.scope import agent_stream

CHANGES = 6_000
Log = list[Entry]


def a_memory() -> Memory:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    told = ada.remember("Remember my favourite colour is cerulean")
    assert told.question
    ada.confirm(told.question.confirmation_id)
    with ada.job("seed-1") as job:
        item = job.wm_insert({"type": "fact", "value": {"city": "Lisbon"}})
        job.reference(item)
        job.reference(item)
        job.tick()
    ada.remember("call me on +1 415 555 2671")
    return memory


def flipped(data: bytes, draw: Callable[[int], bytes]) -> bytes:
    place = int.from_bytes(draw(2), "big") % len(data)
    changed = bytearray(data)
    changed[place] ^= 1 << (draw(1)[0] % 8)
    return bytes(changed)


def with_entry(log: Log, place: int, **fields: object) -> Log:
    return [*log[:place], msgspec.structs.replace(log[place], **fields), *log[place + 1 :]]


def tampered(log: Log) -> Iterator[Log]:
    draw = SeededEntropy(b"tampering")
    for turn in range(CHANGES):
        place = int.from_bytes(draw(2), "big") % len(log)
        entry = log[place]
        other = (place + 1) % len(log)
        match turn % 7:
            case 0:
                yield with_entry(log, place, header=flipped(entry.header, draw))
            case 1:
                yield with_entry(log, place, hash=flipped(entry.hash, draw))
            case 2 if place < len(log) - 1:
                yield [*log[:place], *log[place + 1 :]]
            case 3:
                yield [*log[:place], log[other], *log[place + 1 :]]
            case 4:
                yield [*log[: place + 1], entry, *log[place + 1 :]]
            case 5 if entry.parts and entry.parts[0]:
                part = entry.parts[0]
                yield with_entry(
                    log,
                    place,
                    parts=(SealedPart(subject=part.subject, data=flipped(part.data, draw)),),
                )
            case 6 if entry.parts and log[other].parts:
                yield with_entry(log, place, parts=log[other].parts)
            case _:
                continue


def is_whole(log: Log, ref: str, memory: Memory) -> bool:
    """What any reader does: follow each link, open each part under its key."""
    keyring = world.hub(memory).parts.world.keyring
    try:
        for entry, _ in zip(log, chain.verify(log, after=genesis(ref)), strict=True):
            chain.open_entry(entry, origin=ref, keyring=keyring)
    except (MunimentError, msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


def test_thousands_of_altered_logs_are_all_detected() -> None:
    memory = a_memory()
    inside = world.hub(memory)
    ref = inside.stream(agent_stream("main", "ada")).ref
    log = list(inside.parts.store.read(ref))
    assert is_whole(log, ref, memory)

    altered = [each for each in tampered(log) if each != log]

    assert len(altered) > CHANGES // 2
    assert not any(is_whole(each, ref, memory) for each in altered)


def test_a_chain_of_another_stream_does_not_pass_for_this_one() -> None:
    memory = a_memory()
    inside = world.hub(memory)
    ref = inside.stream(agent_stream("main", "ada")).ref
    log = list(inside.parts.store.read(ref))

    with pytest.raises(IntegrityError):
        list(chain.verify(log, after=genesis("another origin")))


def test_a_truncated_log_differs_from_the_head_that_was_told() -> None:
    """A chain alone cannot tell that its end is missing; whoever kept the head can."""
    memory = a_memory()
    inside = world.hub(memory)
    ref = inside.stream(agent_stream("main", "ada")).ref
    log = list(inside.parts.store.read(ref))
    kept = memory.prove()[0].head

    *_, head = chain.verify(log[:-1], after=genesis(ref))

    assert head.hash.hex() != kept

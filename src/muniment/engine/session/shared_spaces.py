"""Shared spaces of a reader: the streams of their person and of the system, and their heads."""

from typing import Protocol

from muniment.engine.session.stream_hub import StreamHub
from muniment.model.kinds.conversation_item import Space
from muniment.model.policy import Policy
from muniment.model.scope import StreamId, person_space, space_stream


class SpaceReader(Protocol):
    """What of a session it takes to know its spaces."""

    hub: StreamHub
    stream_id: StreamId

    @property
    def subject(self) -> str: ...

    def saw(self, ref: str, seq: int) -> None: ...

    def seen_at(self, other: StreamId, at: int) -> int: ...


def heads(reader: SpaceReader, policy: Policy, at: int | None, seq: int) -> dict[StreamId, int]:
    """The spaces that hold anything, and how far each is read: to its head, or as of an entry."""
    found: dict[StreamId, int] = {}
    for space in filter(reader.hub.exists, _spaces(reader, policy)):
        writer = reader.hub.writer(space)
        head = writer.head.seq if at is None else reader.seen_at(space, seq)
        if at is None:
            reader.saw(writer.stream.ref, head)
        if head:
            found[space] = head
    return found


def own_space(reader: SpaceReader) -> str:
    """The log of the space of whoever speaks, by reference; empty where nothing was kept there."""
    tenant = reader.stream_id.tenant
    ref = reader.hub.parts.world.keyring.find("subject", f"{tenant}/{reader.subject}")
    if not reader.subject or ref is None:
        return ""
    place = person_space(tenant, ref, reader.stream_id.persona)
    return reader.hub.stream(place).ref if reader.hub.exists(place) else ""


def _spaces(reader: SpaceReader, policy: Policy) -> list[StreamId]:
    """By policy: a space that is not read is not there."""
    tenant, persona = reader.stream_id.tenant, reader.stream_id.persona
    order, known = policy.spaces.read_order, list[StreamId]()
    if Space.USER in order and reader.subject:
        ref = reader.hub.parts.world.keyring.find("subject", f"{tenant}/{reader.subject}")
        known += [person_space(tenant, ref, persona)] if ref else []
    if Space.SYSTEM in order:
        known.append(space_stream(tenant, Space.SYSTEM, Space.SYSTEM, persona))
    return known

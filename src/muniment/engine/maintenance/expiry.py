"""Expiry: items past their retention are ended, in each space of a log.

A space is swept when somebody writes there. When a policy changes nobody may write for long, and
a retention that is lengthened again must not bring back what an earlier one had let go.
"""

from collections.abc import Iterator
from typing import Final

from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams.stream_writer import Writer
from muniment.layers import conversation_items, shelves
from muniment.model.commands.conversation import EndLapsed
from muniment.model.events.conversation import LedgerShelved
from muniment.model.kinds.conversation_item import Kind, Ledger, Space
from muniment.model.scope import Channel, Principal, Role, StreamId
from muniment.rules.conversation import retention

TOLD_TOGETHER: Final = 64  # spaces in one durable append


def end(hub: StreamHub, stream_id: StreamId) -> None:
    """Twice is once: what has left is not there to leave again."""
    if not hub.exists(stream_id):
        return
    engine = Principal(
        name="engine", role=Role.ENGINE, tenant=stream_id.tenant, channel=Channel.ENGINE
    )
    asks = [hub.prepare(each, engine) for each in _owed(hub.writer(stream_id))]
    for first in range(0, len(asks), TOLD_TOGETHER):
        hub.append(stream_id, asks[first : first + TOLD_TOGETHER])


def _owed(writer: Writer) -> list[EndLapsed]:
    policy = writer.desk.policy
    kinds = [kind for kind in Kind if retention.forgets(policy, kind)]
    found = [_command(writer, each) for each in _ledgers(writer)] if kinds else []
    return [each for each in found if any(_lapsed(writer, each, kind) for kind in kinds)]


def _ledgers(writer: Writer) -> Iterator[Ledger]:
    """Those at hand, and those of sessions that made room."""
    yield from writer.desk.ledgers.open.values()
    for line in writer.shelves().newest(shelves.LEDGERS):
        if isinstance(line.event, LedgerShelved):
            yield line.event.kept


def _command(writer: Writer, ledger: Ledger) -> EndLapsed:
    """Sealed for whoever the ids name: a person's session and space, and of a project nobody."""
    if ledger.space is Space.SESSION:
        return EndLapsed(session=ledger.owner, space=ledger.space, subject=ledger.subject)
    its_name = writer.stream.id.owner.partition(":")[2]
    is_theirs = ledger.space is Space.USER  # its stream is named by a reference
    return EndLapsed(
        session="",
        space=ledger.space,
        owners={ledger.space: ledger.owner if is_theirs else its_name},
        subject=ledger.subject if is_theirs else "",
    )


def _lapsed(writer: Writer, of: EndLapsed, kind: Kind) -> bool:
    owner = of.session if of.space is Space.SESSION else of.owners[of.space]
    desk, found = writer.desk, writer.shelves(subject=of.subject)
    alive = conversation_items.alive(found, of.space, owner, kind)
    return any(retention.expiry(item, desk.ledgers.clock, desk.policy) for item in alive)

"""Undo of a change: what was ended between two entries is restored by one command."""

from collections.abc import Iterable, Iterator

from muniment.engine.session.agent_session import AgentSession
from muniment.engine.session.stream_hub import StreamHub
from muniment.log.entry import Line
from muniment.model.commands.rollback import ElsewhereChange, LedgerWindow, RevertChange
from muniment.model.events.conversation import Forwarded
from muniment.model.events.rollback import RecordsRevived
from muniment.model.scope import StreamId


def revert(session: AgentSession, first: int, last: int) -> int:
    """Bring back what was taken back between two entries, both included; says how many records."""
    found = session.shelves(None)
    lines = [
        line for line in session.writer.lines(after=first - 1, upto=last) if found.is_about_us(line)
    ]
    if not lines:
        return 0
    command = RevertChange(
        first=first,
        last=last,
        windows=_windows(session.hub, session.stream_id, lines),
        elsewhere=tuple(_elsewhere(session.hub, lines)),
        subject=session.subject,
    )
    told = session.append(command)
    if told.refusal and told.refusal.reason == "nothing_to_undo":
        return 0
    back = _back(told.or_raise().lines)
    for line in told.lines:
        effect = session.hub.effect(line)
        back |= _back(effect[1]) if effect else set()
    return len(back)


def _back(lines: Iterable[Line]) -> set[str]:
    """The records that entries say are back; of an event of a loop, its note has ended."""
    revived = [line.event for line in lines if isinstance(line.event, RecordsRevived)]
    rows = {row.id for each in revived for row in each.rows}
    return rows | {gone.id for each in revived for gone in each.ended if not each.rows}


def _windows(hub: StreamHub, stream_id: StreamId, lines: list[Line]) -> dict[str, LedgerWindow]:
    """What stood in the windows of the spaces that these entries speak of, before them."""
    numbers = {getattr(line.event, "ledger", 0) for line in lines} - {0}
    if not numbers:
        return {}
    before = hub.desk_at(stream_id, lines[0].seq - 1).ledgers.open
    return {
        str(number): LedgerWindow(
            window=its.window, unsummarised=its.unsummarised, summary=its.summary
        )
        for number in sorted(numbers)
        if (its := before.get(number)) is not None
    }


def _elsewhere(hub: StreamHub, lines: list[Line]) -> Iterator[ElsewhereChange]:
    """What the change did in shared spaces, the last of it first."""
    for line in reversed(lines):
        effect = hub.effect(line)
        if isinstance(line.event, Forwarded) and effect:
            stream_id, batch = effect
            yield ElsewhereChange(
                to=line.event.to,
                first=batch[0].seq,
                last=batch[-1].seq,
                windows=_windows(hub, stream_id, batch),
            )

"""Retry lookup: the result of a call's first attempt, from the log.

A retry repeats a call's commands in order, and each is looked up by its idempotency key. Commands
that the engine adds depend on the state at the first attempt, so they are looked up before they are
made again.
"""

from collections.abc import Callable

from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.append_result import AppendResult
from muniment.log.entry import Line
from muniment.model.commands import AnyCommand


def first(session: AgentSession) -> list[Line]:
    """What the call under way was told when it was first made; nothing if this is the first."""
    return _told(session, session.calls.key)


def follow(session: AgentSession, name: str, work_out: Callable[[], AnyCommand]) -> AppendResult:
    """Something that follows from what a call did: worked out once, and found by its retry."""
    key = f"{session.calls.key}\x00{name}" if session.calls.key else ""
    if known := _told(session, key):
        return AppendResult(lines=tuple(known))
    with session.calls.under(""):
        return session.append(work_out(), key=key)


def _told(session: AgentSession, key: str) -> list[Line]:
    if not key:
        return []
    seq = session.hub.parts.store.find(session.writer.stream.ref, session.operation(key))
    return [] if seq is None else session.writer.batch(seq)

"""Dry runs: reads that leave no receipt, and whether a command would be refused."""

from typing import Self

import msgspec

from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams import admission, command_pipeline
from muniment.model.commands import AnyCommand
from muniment.model.events import AnyEvent, WriteDenied


class DryRunSession(AgentSession):
    """An agent's session used by somebody else: what is tried out was never asked by the agent."""

    @classmethod
    def beside(cls, session: AgentSession) -> Self:
        """What the same reader may see, without a trace in their log."""
        its = session.stream_id
        return cls(
            session.hub,
            tenant=its.tenant,
            agent=session.agent,
            user=session.user,
            persona=its.persona,
            channel=session.channel,
        )

    def _queue(self, *receipts: tuple[int, AnyCommand]) -> None:
        """A receipt says what an agent knew when it answered; here nobody was answered."""
        del receipts


def would_be_refused(session: AgentSession, command: AnyCommand) -> bool:
    """Whether this would be refused if it were asked now; nothing is logged."""
    return any(isinstance(each, WriteDenied) for each in tried(session, command))


def tried(session: AgentSession, command: AnyCommand) -> list[AnyEvent]:
    """What would follow if this were asked now; nothing is logged."""
    writer, asked = session.writer, session.prepare(admission.admit(command))
    (ask,) = session.hub.holds.attached(session.stream_id.tenant, [asked])
    desk = writer.desk
    if not desk.seq:
        desk = msgspec.structs.replace(desk, policy=session.policy)
    when = command_pipeline.stamp(ask.command, desk, writer.stream, job=ask.job, at=ask.at)
    received = command_pipeline.receive(ask, writer.stream, desk, when, session.hub.parts.world)
    return command_pipeline.events(received, writer.stream, desk, session.shelves(None), when)

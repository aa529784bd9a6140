"""Rehearsal: whether something would be refused, found out by the very decision and told nobody."""

import msgspec

from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams import admission, command_pipeline
from muniment.model.commands import AnyCommand
from muniment.model.events import WriteDenied


def is_refused(voice: AgentSession, command: AnyCommand) -> bool:
    """Whether this would be refused if it were asked now; asking is another thing."""
    writer, ask = voice.writer, voice.ask(admission.admit(command))
    desk = writer.desk
    if not desk.seq:
        desk = msgspec.structs.replace(desk, policy=voice.policy)
    when = command_pipeline.stamp(ask.command, desk, writer.stream, job=ask.job, at=ask.at)
    received = command_pipeline.receive(ask, writer.stream, desk, when, voice.house.parts.world)
    told = command_pipeline.events(received, writer.stream, desk, voice.shelves(None), when)
    return any(isinstance(each, WriteDenied) for each in told)

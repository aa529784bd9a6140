"""Rehearsal: whether something would be refused, found out by the very decision and told nobody."""

import msgspec

from muniment.engine import door, motion
from muniment.engine.voice import Voice
from muniment.model.commands import AnyCommand
from muniment.model.events import WriteDenied


def is_refused(voice: Voice, command: AnyCommand) -> bool:
    """Whether this would be refused if it were asked now; asking is another thing."""
    writer, ask = voice.writer, voice.ask(door.admit(command))
    desk = writer.desk
    if not desk.seq:
        desk = msgspec.structs.replace(desk, policy=voice.policy)
    when = motion.stamp(ask.command, desk, writer.stream, job=ask.job, at=ask.at)
    received = motion.receive(ask, writer.stream, desk, when, voice.house.parts.world)
    told = motion.events(received, writer.stream, desk, voice.shelves(None), when)
    return any(isinstance(each, WriteDenied) for each in told)

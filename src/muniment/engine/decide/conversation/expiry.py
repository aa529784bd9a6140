"""Lapsing: what a space no longer keeps leaves it when its policy changes, not at the next word."""

from muniment.engine.decide.conversation.space_writer import open_sheet
from muniment.engine.decide.decision_context import DecisionContext
from muniment.model.commands.conversation import EndLapsed
from muniment.model.events import AnyEvent


def end(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, EndLapsed)
    sheet = open_sheet(now, command.space)
    if isinstance(sheet, str):
        return now.deny(sheet)
    sheet.sweep()
    return sheet.events

"""Doors: the ways in which one turn of a talk is told to a memory."""

from collections.abc import Callable

from bench.lives.plot import ToolUse, Turn
from muniment import Agent

Door = Callable[[Agent, Turn], None]


def remember(ada: Agent, turn: Turn) -> None:
    ada.remember(turn.said)
    if turn.tool:
        ada.remember(turn.tool.result, origin="tool", source=turn.tool.name)
    ada.remember(turn.reply, origin="agent")


def remember_many(ada: Agent, turn: Turn) -> None:
    ada.remember_many([turn.said], session=_session(turn))
    if turn.tool:
        told = [turn.tool.result]
        ada.remember_many(told, origin="tool", source=turn.tool.name, session=_session(turn))
    ada.remember_many([turn.reply], origin="agent", session=_session(turn))


def conversation(ada: Agent, turn: Turn) -> None:
    tools = [{"name": turn.tool.name, "result": turn.tool.result}] if turn.tool else []
    ada.conversation(session=_session(turn)).record(user=turn.said, ai=turn.reply, tools=tools)


def job(ada: Agent, turn: Turn) -> None:
    with ada.job(session=_session(turn)) as work:
        work.observe(turn.said)
        if turn.tool:
            _tracked(work.track_tool_invocation, turn.tool)
        work.observe(turn.reply, origin="agent")


def memorize(ada: Agent, turn: Turn) -> None:
    with ada.job(session=_session(turn)) as work:
        work.memorize({"type": "user_message", "text": turn.said, "source": "user"})
        if turn.tool:
            _tracked(work.track_tool_invocation, turn.tool)
        work.memorize({"type": "observation", "text": turn.reply, "source": "model"})


def do(ada: Agent, turn: Turn) -> None:
    with ada.do(turn.said, session=_session(turn)) as loop:
        if turn.tool:
            call = loop.tool_call(turn.tool.name, {"q": turn.tool.argument})
            loop.tool_result(call, turn.tool.result)
        loop.answer(turn.reply)


def channel(ada: Agent, turn: Turn) -> None:
    talk = ada.thread("chat")
    talk.turn(turn.said)
    if turn.tool:
        talk.turn(turn.tool.result, source="tool")
    talk.turn(turn.reply, source="model")


SINGLE: dict[str, Door] = {
    "remember": remember,
    "remember_many": remember_many,
    "conversation": conversation,
    "job": job,
    "memorize": memorize,
    "do": do,
    "channel": channel,
}


def mixed(ada: Agent, turn: Turn) -> None:
    """Another door each turn, so that what one told is asked of all."""
    doors = list(SINGLE.values())
    doors[turn.number * 5 % len(doors)](ada, turn)


DOORS: dict[str, Door] = {**SINGLE, "mixed": mixed}


def _session(turn: Turn) -> str:
    """A talk is one person's day."""
    return f"{turn.person.name}-day-{turn.day}"


def _tracked(track: Callable[[str, object, object, object], object], tool: ToolUse) -> None:
    given: object = {"q": tool.argument}
    told = (None, tool.result) if tool.failed else (tool.result, "")
    track(tool.name, given, *told)

"""Chat: talk to a memory; each turn shows what was recalled for it and what was learned from it."""

import sys
from collections.abc import Iterator
from typing import Final

import click
import msgspec

from muniment.adapters.cli import output
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, is_terminal, say
from muniment.adapters.rendering.refusal_texts import because
from muniment.engine.api.agent import Agent
from muniment.engine.conversation.conversation import Conversation
from muniment.model.kinds.conversation_item import Kind

RECALLED_MAX: Final = 3
ENDS: Final = ("/quit", "/exit", "exit", "quit")
HELLO: Final = "Say something, or ask. An empty line or Ctrl-D ends it."
NOTED: Final = "Noted."
UNKNOWN: Final = "I do not know that yet."


class ChatTurn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn: what was said, what memory brought for it, what was answered, what is new."""

    said: str
    recalled: tuple[str, ...]
    answered: str
    learned: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


@command("chat", verb="converse")
@click.option(
    "--session", default="chat", show_default=True, metavar="NAME", help="Which conversation."
)
def chat(terminal: Terminal, *, session: str) -> None:
    """Talk to the memory: a scripted answerer answers with what is remembered, and nothing else.

    Every turn is recorded like one of a real conversation. It shows what was recalled and learned.
    """
    shows = terminal.is_for_people
    with terminal.memory(create=True) as memory:
        agent = terminal.agent(memory, create=True)
        talk = agent.conversation(session=session)
        turns = []
        if shows and is_terminal(sys.stdin):
            output.screen().show([say((HELLO, "quiet"))])
        for said in _lines():
            turn = _turn(agent, talk, said)
            turns.append(turn)
            if shows:
                output.screen().show(_shown(turn))
        if not shows:
            terminal.answer({"turns": turns}, list)


def _lines() -> Iterator[str]:
    """What is typed, or what a pipe says; nothing, a word to end, or the end of it ends it."""
    typed = is_terminal(sys.stdin)
    while True:
        if typed:
            click.echo("you> ", nl=False)
        line = sys.stdin.readline()
        said = line.strip()
        if not line or said in ENDS or (typed and not said):
            return
        if said:
            yield said


def _turn(agent: Agent, talk: Conversation, said: str) -> ChatTurn:
    """Recall before the answer, record after it: as around any call of a model."""
    found = tuple(hit.told for hit in agent.recall(said, limit=RECALLED_MAX).hits)
    asked = said.endswith("?")
    told = next((each for each in found if not each.endswith("?")), UNKNOWN)
    answered = told if asked else NOTED
    # A question and what memory itself said are nothing new to know.
    recorded = talk.record(user=said, ai="" if asked else answered)
    learned = (each for each in recorded.written if each.kind is not Kind.SHORT_TERM)
    return ChatTurn(
        said=said,
        recalled=found,
        answered=answered,
        learned=tuple(dict.fromkeys(f"{each.kind}: {each.told}" for each in learned)),
        refused=tuple(because(each.reason) for each in recorded.denied),
    )


def _shown(turn: ChatTurn) -> list[Block]:
    return [
        say(("memory> ", "name"), turn.answered),
        *(say((f"  recalled  {each}", "quiet")) for each in turn.recalled),
        *(say(("  learned   ", "good"), each) for each in turn.learned),
        *(say((f"  not kept  {each}", "bad")) for each in turn.refused),
    ]

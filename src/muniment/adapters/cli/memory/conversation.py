"""`turn`, `trace`, `retired`: record a conversation, and show what memory did."""

from collections.abc import Sequence
from typing import Any

import click
import msgspec

from muniment.adapters.cli.errors import naming
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.request_options import options
from muniment.adapters.rendering.refusal_texts import because
from muniment.adapters.requests.conversation import RecordRequest
from muniment.engine.api.agent import Agent
from muniment.engine.conversation.conversation_results import Recorded, Retired

SESSION = click.option("--session", default="", metavar="NAME", help="Name of the conversation.")
PROJECT = click.option("--project", default="", metavar="NAME", help="Name of the project.")


@command("turn", verb="converse")
@click.option("--said", default="", metavar="TEXT", help="What the user said.")
@click.option("--answered", default="", metavar="TEXT", help="What the agent answered.")
@options(RecordRequest, "source", "tags", "metadata", "happened_at", "expires")
@SESSION
@PROJECT
def turn(
    terminal: Terminal,
    *,
    said: str,
    answered: str,
    session: str,
    project: str,
    **handles: Any,  # noqa: ANN401
) -> None:
    """Record one turn of a conversation.

    It is screened and classified, and conflicts with what is known are settled.
    """
    with terminal.memory(create=True) as memory:
        agent = terminal.agent(memory, create=True)
        talk = agent.conversation(session=session, project=project)
        recorded = talk.record(user=said, ai=answered, **handles)
        terminal.answer(
            msgspec.to_builtins(recorded),
            lambda: [*_recorded(recorded), *_forgotten(agent, said, recorded)],
        )


@command("trace")
@click.option(
    "--after", type=click.IntRange(min=0), default=0, metavar="SEQ", help="Start after this entry."
)
@SESSION
@PROJECT
def trace(terminal: Terminal, *, after: int, session: str, project: str) -> None:
    """Show what memory did in each call: recalls, writes, refusals, conflicts, promotions."""
    with terminal.memory() as memory:
        agent = terminal.agent(memory)
        found = agent.conversation(session=session, project=project).traces(after=after)
        terminal.answer({"traces": found}, lambda: _traces(found))


@command("retired", verb="converse")
@click.argument("seq", type=click.IntRange(min=1))
@click.option("--undo", is_flag=True, help="Bring it back.")
@SESSION
@PROJECT
def retired(terminal: Terminal, *, seq: int, undo: bool, session: str, project: str) -> None:
    """Show what the write at entry SEQ replaced; with --undo, restore it."""
    with terminal.memory() as memory:
        talk = terminal.agent(memory).conversation(session=session, project=project)
        with naming(f"entry {seq} is no write of this conversation"):
            found = talk.retired_by(seq)
        back = talk.undo(seq) if undo and found else None
        document = {"retired": found, "undone": back is not None}
        terminal.answer(msgspec.to_builtins(document), lambda: _retired(found, undone=undo))


def _retired(found: list[Retired], *, undone: bool) -> Sequence[Block]:
    if not found:
        return [say("That write retired nothing.")]
    rows = tuple((each.item.id, each.reason, each.item.text) for each in found)
    told = "Brought back." if undone else "Add --undo to bring it back."
    styles = ("quiet", "name", "")
    return [TextTable(head=("id", "reason", "text"), rows=rows, styles=styles), say(told)]


def _recorded(recorded: Recorded) -> Sequence[Block]:
    rows = tuple((item.kind, item.id, item.text) for item in recorded.written)
    denied = [
        say(("Denied", "bad"), f": {because(each.reason)} ({each.reason})")
        for each in recorded.denied
    ]
    denied += [
        say(
            (f"Not moved to the {each.to_space} space", "bad"),
            f": {because(each.reason)} ({each.reason})",
        )
        for each in recorded.promotions_denied
    ]
    if not rows:
        return [*denied, say("Nothing was written.")]
    return [
        TextTable(head=("kind", "id", "text"), rows=rows, styles=("name", "quiet", "")),
        *denied,
    ]


def _forgotten(agent: Agent, said: str, recorded: Recorded) -> Sequence[Block]:
    """What the user asked to forget, as it stood before; or that nothing came of it."""
    from muniment.adapters.cli import forgotten

    return forgotten.told(agent, said, recorded.ended, max(recorded.seq - 1, 0))


def _traces(found: list[dict[str, object]]) -> Sequence[Block]:
    if not found:
        return [say("No call has been traced in this conversation.")]
    rows = tuple((str(each["type"]), _gist(each)) for each in found)
    return [TextTable(head=("trace", "what"), rows=rows, styles=("name", ""))]


def _gist(told: dict[str, object]) -> str:
    """The few keys that say most; all of them are in --json and --plain."""
    shown = ("reason", "memory_id", "winner_id", "from_space", "to_space", "phase_id", "query")
    return ", ".join(f"{key} {told[key]}" for key in shown if told.get(key) not in {None, ""})

"""`connect` and `hook`: this memory as an MCP server of a coding agent, and its hooks."""

import sys
from pathlib import Path
from typing import Final

import click
import msgspec

from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, say
from muniment.adapters.exchange import import_run
from muniment.adapters.exchange.foreign_record import Found, named
from muniment.adapters.exchange.importers import messages
from muniment.adapters.exchange.json_stream import elements
from muniment.adapters.operations import connect as operations_connect
from muniment.adapters.operations.connect import AGENTS, FileChange
from muniment.model.errors import UNREADABLE, InputError

BUDGET_TOKENS: Final = 1_000
START: Final = "SessionStart"
ASKED: Final = "What matters for the work in this project: decisions, preferences, what is open"
WORDS: Final = ("--store", "--agent", "--user", "--tenant", "--keys")


@command("connect")
@click.argument("client", type=click.Choice(sorted(AGENTS)))
@click.option("--project", default=".", metavar="DIR", help="The folder of the project.")
@click.option(
    "--hooks", is_flag=True, help="Also recall when a session starts and record when it ends."
)
@click.option("--undo", is_flag=True, help="Remove it again.")
@click.option("--yes", is_flag=True, help="Write the change; without this it is only shown.")
def connect(
    terminal: Terminal, *, client: str, project: str, hooks: bool, undo: bool, yes: bool
) -> None:
    """Write this memory into the configuration of CLIENT, a coding agent, as an MCP server.

    The change is shown as a diff; with --yes it is written. The memory, the agent and the user
    are those of the options, so each project and person can have their own. With --hooks, if the
    coding agent supports them, a session starts with a context and is stored when it ends. --undo
    removes exactly what was added.
    """
    folder = Path.home() if AGENTS[client].in_home and project == "." else Path(project)
    if not folder.is_dir():
        raise InputError(f"{str(folder)!r} is no folder")
    if undo:
        changes = operations_connect.disconnected(client, folder)
    else:
        changes = operations_connect.connected(client, folder, _command(terminal), hooks=hooks)
    if yes:
        for change in changes:
            operations_connect.apply(change)
    document = {
        "client": client,
        "done": yes,
        "changes": [{"file": str(each.path), "diff": each.diff} for each in changes],
    }
    terminal.answer(document, lambda: _told(changes, done=yes))


@command("hook", verb="remember", hidden=True)
def hook(terminal: Terminal) -> None:
    """Hook for coding agents: prints a context when a session starts, and stores the session when
    it ends. The event is read as JSON from standard input.
    """
    try:
        told = msgspec.json.decode(sys.stdin.buffer.read(1 << 20), type=dict[str, object])
    except UNREADABLE as error:
        raise InputError(f"expected an event: {error}") from None
    with terminal.memory(create=True):
        if told.get("hook_event_name") == START:
            click.echo(terminal.hands("context").agent.context(ASKED, budget=BUDGET_TOKENS).text)
            return
        path = Path(str(told.get("transcript_path") or ""))
        if not path.is_file():
            raise InputError("the event names no transcript")
        session = str(told.get("session_id") or path.stem)
        report = import_run.run(
            _session(path, session),
            lambda whose, work: work(terminal.hands(user=whose or terminal.options.user).agent),
            user=terminal.options.user,
            origin="",
            step=lambda _: None,
        )
    terminal.answer(report, lambda: [say(("Kept", "good"), f" {report.kept} messages")])


def _session(path: Path, session: str) -> "list[Found]":
    """The messages of a session's transcript: each line wraps one."""
    found: list[Found] = []
    with path.open("rb") as data:
        for element in elements(data):
            told = named(element.value)
            inner = named(told.get("message"))
            if told.get("type") in {"user", "assistant"} and inner and not told.get("isMeta"):
                row = inner | {"id": told.get("uuid"), "timestamp": told.get("timestamp")}
                found += messages.message(f"{path.name}#{element.number}", row, session)
    return found


def _command(terminal: Terminal) -> list[str]:
    """How the memory is opened from anywhere: its folder by its whole path."""
    its = terminal.options
    store = its.store if "://" in its.store else str(Path(its.store).resolve())
    keys = str(Path(its.keys).resolve()) if its.keys else ""
    given = dict(zip(WORDS, (store, its.agent, its.user, its.tenant, keys), strict=True))
    return ["muniment", "mcp", *(part for pair in given.items() if pair[1] for part in pair)]


def _told(changes: list[FileChange], *, done: bool) -> list[Block]:
    if not changes:
        return [say(("Nothing to change", "good"), ": it is so already")]
    shown: list[Block] = [say(line) for each in changes for line in each.diff.splitlines()]
    word = ("Done", "good") if done else ("Not done yet", "warn")
    return [*shown, say(word, "" if done else ": --yes does it")]

"""Commands of administrators: `incidents`, `payload`, `impose`, `identity`, `learn`."""

from pathlib import Path

import click

from muniment.adapters.cli.options import OWNER, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, as_plain, moved, pairs, say
from muniment.adapters.rendering.event_summary import spelled
from muniment.adapters.rendering.refusal_texts import because
from muniment.engine.maintenance.learn import Lesson
from muniment.model.events.operations import IncidentRecorded

BY = click.option(
    "--as", "admin", default=OWNER, show_default=True, help="Name of the administrator."
)


@command("incidents", verb="incidents")
@click.option(
    "--queue", default="", metavar="NAME", help="`admin`: only what needs an administrator."
)
@BY
def incidents(terminal: Terminal, *, queue: str, admin: str) -> None:
    """List failures and retries: storage, full disks, models; newest last."""
    with terminal.memory():
        found = terminal.hands(who=admin).admin.incidents(queue=queue)
        terminal.answer({"incidents": found}, lambda: _incidents(found))


@command("payload", verb="payloads")
@click.argument("item_id", metavar="ID")
@click.option(
    "--reason", required=True, metavar="TEXT", help="Why; it is logged before anything is shown."
)
@BY
def payload(terminal: Terminal, *, item_id: str, reason: str, admin: str) -> None:
    """Show the episode ID unredacted; the read is logged before it is shown."""
    with terminal.memory() as memory:
        terminal.agent(memory, verb="recall")
        hands = terminal.hands(who=admin).admin
        found = hands.read_payload(terminal.options.agent, item_id, reason=reason)
        terminal.answer(found, lambda: _lines(found))


@command("impose", verb="impose")
@click.argument("text", default="")
@click.option("--session", default="", metavar="NAME", help="Name of the conversation.")
@click.option("--lift", default="", metavar="ID", help="Remove an instruction that was added.")
@BY
def impose(terminal: Terminal, *, text: str, session: str, lift: str, admin: str) -> None:
    """Add TEXT to the agent's session as an instruction of the system."""
    if bool(text) == bool(lift):
        raise click.UsageError("Give the text to impose, or --lift ID.")
    options = terminal.options
    with terminal.memory() as memory:
        terminal.agent(memory, verb="recall")
        hands = terminal.hands(who=admin).admin
        whose = {"user": options.user, "session": session}
        done = hands.lift(options.agent, lift, **whose) if lift else None
        seq = done or hands.impose(options.agent, text, **whose)
        said = "Taken back" if lift else "Laid down"
        terminal.answer({"seq": seq}, lambda: [say((said, "good"), f" at entry {seq}")])


@command("identity", verb="identity")
@click.argument("path", default="", metavar="[FILE]")
@click.option("--reason", default="", metavar="TEXT", help="Why; it is kept with the change.")
@click.option("--carry-out", metavar="REQUEST", help="Put an approved change in force.")
@BY
def identity(
    terminal: Terminal, *, path: str, reason: str, carry_out: str | None, admin: str
) -> None:
    """Show the agent's identity; with FILE (`<agent>.identity.toml`), replace it."""
    from muniment.adapters.config import read_identity

    with terminal.memory() as memory:
        hands = terminal.hands(who=admin).identities
        agent = terminal.options.agent
        if path:
            agent, wanted = read_identity(Path(path))
            hands.adopt(agent, wanted, reason=reason)
        else:
            terminal.agent(memory, verb="recall")
        found = hands.apply(carry_out) if carry_out else hands.of(agent)
        terminal.answer(found, lambda: _lines(found))


@command("learn", verb="learn")
@click.argument("feedback")
def learn(terminal: Terminal, *, feedback: str) -> None:
    """Turn FEEDBACK into a change of the agent's identity, test it, and request it if better."""
    with terminal.memory() as memory:
        terminal.agent(memory, verb="recall")
        lesson = terminal.hands().subconscious.learn(feedback)
        terminal.answer(lesson, lambda: _lesson(terminal, lesson))


def _lines(found: object) -> list[Block]:
    """Every field, one a line: there are too many of them for a sentence."""
    told = (line.partition(": ") for line in as_plain(found).splitlines())
    return [pairs([(name, value) for name, _, value in told])]


def _lesson(terminal: Terminal, lesson: Lesson) -> list[Block]:
    rows = [("patch", spelled(lesson.patch)), ("tried in", lesson.loop_id)]
    rows += [("score", moved(lesson.score_before_ppm, lesson.score_after_ppm))]
    told = [pairs(rows)]
    if not lesson.request_id:
        return [say(("Not asked for", "warn"), f": {because(lesson.reason)}"), *told]
    next_line = terminal.command_line("approve", lesson.request_id)
    return [say(("Asked for", "good"), f": {lesson.request_id}"), *told, say(f"  {next_line}")]


def _incidents(found: list[IncidentRecorded]) -> list[Block]:
    if not found:
        return [say("No incidents.")]
    rows = tuple((each.kind, each.operation, str(each.attempt)) for each in found)
    return [TextTable(head=("kind", "operation", "attempt"), rows=rows)]

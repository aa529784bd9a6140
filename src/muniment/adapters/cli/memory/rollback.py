"""`rollback`: preview, apply and undo the rollback of a source."""

from collections.abc import Sequence

import click

from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.request_options import options
from muniment.adapters.requests.memory import RollBackRequest
from muniment.engine.evidence.derivations import WAYS
from muniment.engine.evidence.rollback import RolledBack


@command("rollback", verb="forget")
@click.argument("by", default="", metavar="[BY]")
@click.argument("name", default="", metavar="[NAME]")
@options(RollBackRequest, "reason")
@click.option("--dry-run", is_flag=True, help="Only show what would be undone.")
@click.option("--undo", type=click.IntRange(min=1), metavar="FIRST", help="Undo a rollback.")
def rollback(
    terminal: Terminal, *, by: str, name: str, reason: str, dry_run: bool, undo: int | None
) -> None:
    """Undo everything that came from one source, and what was derived from it, in one change.

    BY says what NAME names: source (a page, a tool, a sender, a site), session, item, extraction,
    model, import or entry. What it had replaced is restored.
    """
    if bool(undo) == bool(by and name):
        raise click.UsageError(f"Say {'|'.join(WAYS)} and a name, or --undo FIRST.")
    with terminal.memory() as memory:
        agent = terminal.agent(memory)
        if undo:
            count = agent.undo_rollback(undo)
            terminal.answer({"restored": count}, lambda: [say(f"Brought back: {count}")])
            return
        found = agent.roll_back(by, name, reason=reason, preview=dry_run)
        terminal.answer(found, lambda: _told(terminal, found))


def _told(terminal: Terminal, found: RolledBack) -> Sequence[Block]:
    rows = tuple(
        (each.why, each.kind, each.id, each.text, str(each.answers)) for each in found.records
    )
    head = ("why", "kind", "id", "text", "answers")
    shown = TextTable(head=head, rows=rows, styles=("name", "quiet", "quiet", "", ""))
    more = [
        *(say(f"Stands again: {each}") for each in found.restored),
        *(say(f"Needs a yes: {each}") for each in found.governed),
        *(say(f"Refused: {each}") for each in found.refused),
    ]
    undo = terminal.command_line("rollback", "--undo", str(found.first))
    done = f"Taken back; to undo it: {undo}" if found.first else "Nothing was changed."
    return [shown, *more, say(done if rows else "Nothing came from there.")]

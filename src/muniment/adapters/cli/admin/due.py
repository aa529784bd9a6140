"""`due`: what is past its retention, and its erasure."""

from collections.abc import Sequence

import click

from muniment.adapters.cli.options import OWNER, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import stages
from muniment.adapters.cli.request_options import options
from muniment.adapters.requests.admin import DueRequest
from muniment.engine.evidence.retention import DuePeriod

HEAD = ("goes on", "kind", "told", "entries", "log", "")


@command("due", verb="erasure")
@options(DueRequest, "within")
@click.option("--carry-out", is_flag=True, help="Erase what is due now.")
@click.option("--as", "admin", default=OWNER, show_default=True, help="Name of the administrator.")
def due(terminal: Terminal, *, within: int, carry_out: bool, admin: str) -> None:
    """Show what is past its retention (`keep_days`); with --carry-out, erase it.

    Records under a legal hold stay, and so does the record of the end of something that stays.
    """
    with terminal.memory():
        hands = terminal.hands("erasure", who=admin).admin
        if carry_out:
            with stages("Erasing", "entries") as shown:
                found = hands.carry_out_due(progress=shown)
        else:
            with stages("Looking", "entries") as shown:
                found = hands.due(within=within, progress=shown)
        key = "erased" if carry_out else "due"
        terminal.answer({key: found}, lambda: _shown(found, carried_out=carry_out))


def _shown(found: Sequence[DuePeriod], *, carried_out: bool) -> Sequence[Block]:
    if not found:
        return [say("Nothing is due.")]
    rows = tuple(
        (each.goes_on, each.kind, each.told, str(each.entries), each.stream, _why(each))
        for each in found
    )
    entries = sum(each.entries for each in found)
    told = [say(("Erased", "good"), f": the words of {entries} entries")] if carried_out else []
    return [TextTable(head=HEAD, rows=rows), *told]


def _why(due: DuePeriod) -> str:
    if due.held:
        return f"held by {', '.join(due.held)}"
    return "waits for what ended in it" if due.waits else ""

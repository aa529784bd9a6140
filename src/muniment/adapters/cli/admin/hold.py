"""`hold`: place, list and lift legal holds."""

from collections.abc import Sequence

import click

from muniment.adapters.cli.options import OWNER, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.request_options import options
from muniment.adapters.requests.admin import PlaceHoldRequest
from muniment.engine.evidence.holds import LiftedHold, PlacedHold


@command("hold", verb="erasure")
@options(PlaceHoldRequest, "space", "since", "until", "ends")
@click.option("--person", default="", metavar="USER", help="What is about this person.")
@click.option("--reason", default="", metavar="TEXT", help="The order; it is logged.")
@click.option("--lift", metavar="ID", help="Lift a hold, and carry out what waited for it.")
@click.option("--settle", is_flag=True, help="Lift every hold whose day has come.")
@click.option("--as", "admin", default=OWNER, show_default=True, help="Name of the administrator.")
def hold(
    terminal: Terminal,
    *,
    person: str,
    lift: str | None,
    settle: bool,
    reason: str,
    admin: str,
    **named: str,
) -> None:
    """Place a legal hold, under which nothing is forgotten or erased; without options, list all.

    It covers what matches all of --person, --space, --since and --until, until --ends or
    --lift.
    """
    with terminal.memory():
        hands = terminal.hands("erasure", who=admin).admin
        if lift or settle:
            done = hands.settle_holds() if settle else [hands.lift_hold(lift or "", reason=reason)]
            terminal.answer({"lifted": done}, lambda: _lifted(terminal, done))
            return
        if person or any(named.values()):
            placed = hands.place_hold(user=person, reason=reason, **named)
            terminal.answer({"hold_id": placed}, lambda: [say(("Held", "good"), f": {placed}")])
            return
        found = hands.holds()
        terminal.answer({"holds": found}, lambda: _shown(found))


def _shown(found: Sequence[PlacedHold]) -> Sequence[Block]:
    rows = tuple(
        (each.hold_id, each.user, each.space, _days(each), each.ends, each.reason) for each in found
    )
    head = ("hold", "user", "space", "told", "ends", "order")
    return [TextTable(head=head, rows=rows)] if rows else [say("No legal holds.")]


def _days(held: PlacedHold) -> str:
    return f"{held.since or '…'} to {held.until or '…'}" if held.since or held.until else "any day"


def _lifted(terminal: Terminal, done: Sequence[LiftedHold]) -> Sequence[Block]:
    told = [
        say(f"Lifted {each.hold_id}: {each.carried_out} done now, {each.refused} refused.")
        for each in done
    ]
    waiting = [name for each in done for name in each.erasures]
    lines = [terminal.command_line("erase", "--carry-out", name) for name in waiting]
    return [*told, *(say(f"An erasure had waited; now run: {line}") for line in lines)]

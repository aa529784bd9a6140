"""`dream`: maintenance of the derived layers of both personas."""

from collections.abc import Sequence

import click
import msgspec

from muniment.adapters.cli.audit.prove import RAY, WORKERS, spread
from muniment.adapters.cli.options import READS, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import stages
from muniment.engine.api.subconscious import Dream


@command("dream", verb="dream")
@click.option("--all", "every", is_flag=True, help="Every agent of the tenant.")
@WORKERS
@RAY
def dream(terminal: Terminal, *, every: bool, workers: int, ray: bool) -> None:
    """Run pending maintenance: backfill, embed, regrade and compact.

    It may be interrupted at any point and run again.
    """
    if every:
        told = spread(terminal, "dream", workers, ray=ray)
        dreams = {name: msgspec.json.decode(each, type=Dream) for name, each in told.items()}
        lines = [say((name, "name"), f" {its.total} done") for name, its in dreams.items()]
        terminal.answer({"agents": dreams}, lambda: lines)
        return
    with terminal.memory() as memory:
        terminal.agent(memory, verb=READS)  # one that never wrote has nothing to dream of
        with stages("Dreaming") as shown:
            done = terminal.hands().subconscious.dream(
                progress=lambda at: shown(f"{at.persona}: {at.step}", at.done, at.of)
            )
        document = msgspec.to_builtins(done) | {"total": done.total}
        terminal.answer(document, lambda: _dream(done))


def _dream(done: Dream) -> Sequence[Block]:
    rows = tuple(
        (persona, step, str(count), str(done.owed[persona][step]))
        for persona, steps in done.done.items()
        for step, count in steps.items()
    )
    if not done.total:
        return [say("No maintenance was pending.")]
    styles = ("name", "", "number", "number")
    return [TextTable(head=("persona", "step", "done", "owed"), rows=rows, styles=styles)]

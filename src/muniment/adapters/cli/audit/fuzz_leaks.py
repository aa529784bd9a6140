"""`fuzz-leaks`: canaries through every interface of a set-up, searched for everywhere else."""

import importlib
from collections.abc import Sequence
from pathlib import Path

import click
from click.testing import CliRunner

from muniment.adapters.cli.errors import no_memory
from muniment.adapters.cli.main import cli
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import progress
from muniment.adapters.leaks import fuzz_run
from muniment.adapters.leaks.doors import AdapterFactory
from muniment.adapters.leaks.fuzz_run import CLEAN, LeakReport
from muniment.model.errors import InputError

LEAKS_SHOWN = 20


@command("fuzz-leaks", verb="streams")
@click.option(
    "--adapter",
    "adapters",
    multiple=True,
    metavar="MODULE:NAME",
    help="Also through this: called with an agent, it returns what has put(text), ask(question).",
)
@click.option("--junit", default="", metavar="FILE", help="Write a report for a build server.")
def fuzz_leaks(terminal: Terminal, *, adapters: tuple[str, ...], junit: str) -> None:
    """Plant words as each of your tenants, agents and users, and check who can read them.

    It uses a temporary memory with your policy, names and grants; your own memory is not
    touched. It searches the answers of every interface, logs, metrics, files and a backup. Exit 1
    if something leaks, or if a word's owner cannot find it, because then the test shows nothing.
    """
    if not Path(terminal.options.store).is_dir():
        raise no_memory(terminal.place)
    known = {each: _factory(each) for each in adapters}
    with progress("Looking", unit="places") as step:
        report = fuzz_run.run(
            terminal.options.store,
            terminal.settings(),
            adapters=known,
            terminal=_printed,
            step=step,
        )
    if junit:
        Path(junit).write_bytes(fuzz_run.junit(report))
    document = {"outcome": report.outcome, "vacuous": report.vacuous, "report": report}
    terminal.answer(document, lambda: _blocks(report))
    if report.outcome != CLEAN:
        click.get_current_context().exit(1)


def _printed(words: list[str]) -> str:
    """What another command prints, run in this process."""
    return CliRunner().invoke(cli, words).output


def _factory(named: str) -> AdapterFactory:
    module, mark, name = named.partition(":")
    try:
        found = getattr(importlib.import_module(module), name) if mark else None
    except (ImportError, AttributeError) as error:
        raise InputError(f"{named!r}: {error}") from None
    if not callable(found):
        raise InputError(f"{named!r}: a function is named like package.module:function")
    made: AdapterFactory = found
    return made


def _blocks(report: LeakReport) -> Sequence[Block]:
    doors = sorted({*report.planted, *report.refused, *report.failed})
    rows = tuple(
        (
            door,
            str(report.planted.get(door, 0)),
            str(report.refused.get(door, 0)),
            str(report.found.get(door, 0)),
            str(sum(each.door == door for each in report.leaks)),
            report.failed.get(door, ""),
        )
        for door in doors
    )
    head = ("through", "planted", "refused", "heard by theirs", "leaked", "not opened")
    blocks: list[Block] = [TextTable(head=head, rows=rows)]
    for leak in report.leaks[:LEAKS_SHOWN]:
        told = f": {leak.door} of {leak.owner}, at {leak.place} {leak.reader}"
        blocks.append(say(("Leak", "bad"), told))
    silent = "not even its owner heard it"
    blocks += [say(("Vacuous", "bad"), f": {door}; {silent}") for door in report.vacuous]
    seats = f"{len(report.seats)} seats, {report.looked} places"
    if report.outcome == CLEAN:
        blocks.append(say(("Nothing leaked", "good"), f": {seats}"))
    return blocks

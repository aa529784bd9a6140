"""`demo`: the whole story on a temporary store, step by step."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click

from muniment.adapters.cli import output
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import progress
from muniment.adapters.operations import demo_month, demo_story
from muniment.adapters.operations.demo_story import DemoStep, Noted
from muniment.adapters.system.path_exists import is_there
from muniment.model.errors import InputError

INDENT: Final = 4
ASKED: Final = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"
NOTED: Final = "+"
ANSWERED: Final = "="
ARROW: Final = "→"
LEGEND: Final = f"{ASKED} what is asked   {NOTED} what the log gains   {ANSWERED} what comes back"


@command("demo")
@click.option("--keep", default="", metavar="FOLDER", help="Keep the store in this folder.")
@click.option(
    "--month",
    "month_folder",
    default="",
    metavar="FOLDER",
    help="Also write a made-up month here, to look at in the studio.",
)
def demo(terminal: Terminal, *, keep: str, month_folder: str) -> None:
    """See it remember, ask, refuse, redact, recall, prove and erase, in a temporary folder.

    It needs no network. The logs are the same, byte for byte, on every run; only the receipt
    of the erasure differs, because it contains a digest of the files that were scanned.
    """
    with tempfile.TemporaryDirectory(prefix="muniment-") as scratch:
        folder = _empty(keep) if keep else Path(scratch, "memory")
        told = demo_story.tell(folder, Path(scratch, "again"))
        if terminal.is_for_people:
            _show(told)
            output.screen().show(_ending(keep))
            if month_folder:
                _live(_empty(month_folder))
        else:
            document = {"steps": list(told), "kept": keep, "month": month_folder}
            for _ in demo_month.live(_empty(month_folder)) if month_folder else ():
                pass
            terminal.answer(document, list)


def _live(folder: Path) -> None:
    """A month of ada's life, a day at a time, and where to look at it."""
    with progress("Living a month", unit="days", total=lambda: demo_month.DAYS) as step:
        for day in demo_month.live(folder):
            step(day)
    command = f"muniment studio --store {folder}"
    output.screen().show(
        [
            say(f"A month of {demo_month.AGENT}'s life is in {folder}. See it in your browser:"),
            say("  ", (command, "name")),
        ]
    )


def _empty(keep: str) -> Path:
    """A story needs a blank page: nothing of yours is written over."""
    folder = Path(keep)
    if "\x00" in keep:
        raise InputError("the folder must not contain a NUL character")
    if is_there(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{str(keep)!r} is not empty, and the demo needs an empty folder")
    return folder


def _show(steps: Iterator[DemoStep]) -> None:
    screen = output.screen()
    screen.show([say(("The memory of ada, who works for tuff", "name")), say((LEGEND, "quiet"))])
    for number, step in enumerate(steps, start=1):
        screen.show(_step(number, step))


def _step(number: int, step: DemoStep) -> Sequence[Block]:
    margin = " " * INDENT
    title = say("")
    heading = say((f"{number:>2}  ", "quiet"), (step.title, "name"))
    asked = [say(margin, (f"{ASKED} {words}", "asked")) for words in step.asked]
    rows = tuple((f"{ANSWERED} {name}", told) for name, told in step.answer)
    answer = TextTable(head=(), rows=rows, styles=("good", ""), indent=INDENT)
    return [title, heading, *asked, *_log(step.noted), answer]


def _log(noted: Sequence[Noted]) -> list[Block]:
    if not noted:
        return []
    rows = tuple(
        (f"{NOTED} {each.log}", _place(each), each.asked, f"{ARROW} {', '.join(each.decided)}")
        for each in noted
    )
    return [TextTable(head=(), rows=rows, styles=("quiet",) * 4, indent=INDENT)]


def _place(each: Noted) -> str:
    return f"{each.first}-{each.last}" if each.last > each.first else f"{each.first}"


def _ending(keep: str) -> Sequence[Block]:
    if keep:
        line = f"muniment --store {keep} --agent {demo_story.AGENT} log"
        return [say(""), say("The store is kept. Look around: ", (line, "name"))]
    return [say(""), say("The store was temporary and is gone; --keep FOLDER keeps one.")]

"""What can be checked: `prove` decides everything again, `rebuild` folds it, `version` names us."""

import platform
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

import muniment
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, Table, is_terminal, say
from muniment.engine.prove import Progress, Proof


@command("prove")
@click.argument("path", default="", metavar="[PATH]")
def prove(terminal: Terminal, *, path: str) -> None:
    """Verify every link of every log, decide every batch again, compare byte by byte."""
    with terminal.memory(store=path) as memory, progress("Proving") as step:
        proofs = memory.prove(progress=step)
    document = {"proved": True, "streams": proofs}
    terminal.answer(document, lambda: _proofs(proofs))


@command("rebuild")
def rebuild(terminal: Terminal) -> None:
    """Drop desks, shelves and indexes, and fold them from the log again."""
    with terminal.memory() as memory, progress("Rebuilding") as step:
        digests = memory.rebuild(progress=step)
    rows = tuple(digests.items())
    terminal.answer(
        {"streams": digests},
        lambda: [
            Table(head=("stream", "projections"), rows=rows, styles=("name", "quiet")),
            say(("Rebuilt", "good"), f" {_count(len(rows), 'stream')} from the log."),
        ],
    )


@command("version")
def version(terminal: Terminal) -> None:
    """Which version of Muniment this is, and on what it runs."""
    import apsw

    document = {
        "muniment": muniment.__version__,
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
    }
    line = ", ".join(f"{name} {number}" for name, number in document.items())
    terminal.answer(document, lambda: [say(line)])


@contextmanager
def progress(what: str, unit: str = "entries") -> Iterator[Progress]:
    """A counter on standard error while somebody is looking; silence otherwise."""
    if not is_terminal(sys.stderr):
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what}…") as status:
        seen = [0, 0]  # entries of finished streams, and of this one

        def step(seq: int) -> None:
            if seq < seen[1]:
                seen[0] += seen[1]
            seen[1] = seq
            status.update(f"{what}… {sum(seen):,} {unit}")

        yield step


def _proofs(proofs: list[Proof]) -> Sequence[Block]:
    rows = tuple(
        (each.stream, str(each.entries), str(each.batches), str(each.shredded), each.head)
        for each in proofs
    )
    entries = sum(each.entries for each in proofs)
    still = "that is not erased " if any(each.shredded for each in proofs) else ""
    head = ("stream", "entries", "batches", "erased", "head")
    told = f" {_count(entries, 'entry', 'entries')} in {_count(len(proofs), 'log')}: every link "
    return [
        Table(head=head, rows=rows, styles=("name", "number", "number", "number", "quiet")),
        say(("Proved", "good"), f"{told}holds, every decision {still}comes out the same."),
    ]


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"

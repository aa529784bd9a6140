"""What can be checked: `prove` decides everything again, `rebuild` folds it, `version` names us."""

import platform
from collections.abc import Mapping, Sequence

import click
import msgspec

import muniment
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, Table, say
from muniment.adapters.cli.watching import progress
from muniment.engine.prove import Proof

WORKERS = click.option("--workers", default=1, metavar="NUMBER", help="So many processes.")
RAY = click.option("--ray", is_flag=True, help="The workers of a Ray cluster.")


@command("prove", verb="prove")
@click.argument("path", default="", metavar="[PATH]")
@WORKERS
@RAY
def prove(terminal: Terminal, *, path: str, workers: int, ray: bool) -> None:
    """Verify every link of every log, decide every batch again, compare byte by byte.

    PATH is another store than the one of --store, for example a backup.
    """
    if workers > 1 or ray:
        told = spread(terminal, "prove", workers, ray=ray, store=path)
        proofs = [msgspec.json.decode(each, type=Proof) for each in told.values()]
        terminal.answer({"proved": True, "streams": proofs}, lambda: _proofs(proofs))
        return
    with terminal.memory(store=path), progress("Proving") as step:
        proofs = terminal.house.prove(progress=step)
    document = {"proved": True, "streams": proofs}
    terminal.answer(document, lambda: _proofs(proofs))


@command("rebuild", verb="rebuild")
@WORKERS
@RAY
def rebuild(terminal: Terminal, *, workers: int, ray: bool) -> None:
    """Drop desks, shelves and indexes, and fold them from the log again."""
    if workers > 1 or ray:
        told = spread(terminal, "rebuild", workers, ray=ray)
        digests = {name: msgspec.json.decode(each, type=str) for name, each in told.items()}
    else:
        with terminal.memory(), progress("Rebuilding") as step:
            digests = terminal.house.rebuild(progress=step)
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


def spread(
    terminal: Terminal,
    verb: str,
    workers: int,
    *,
    ray: bool,
    store: str = "",
    coefficients: Mapping[str, int] | None = None,
) -> dict[str, str]:
    """A chore on every stream, by many workers: each stream's answer as JSON text."""
    from muniment.adapters import chores
    from muniment.adapters.executors import executor

    with terminal.memory(store=store):  # a memory that is not there is said so at once
        address = store or terminal.options.store
    settings = terminal.settings()
    engine = executor(workers, ray=ray)
    wish = chores.Wish(user=terminal.options.user, coefficients=dict(coefficients or {}))
    return {its.stream: its.told for its in chores.work(address, verb, settings, engine, wish)}


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

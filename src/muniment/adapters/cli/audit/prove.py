"""`prove`, `rebuild`, `version`: proof by replay, rebuilt projections, versions."""

import platform
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

import muniment
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import entries_of, progress, stages
from muniment.adapters.keys.keystore import FileKeystore
from muniment.adapters.operations import bulk_jobs
from muniment.engine.api.memory import Memory
from muniment.engine.audit.replay import Proof
from muniment.model.errors import UNREADABLE, InputError, IntegrityError


class Stood(msgspec.Struct, frozen=True, kw_only=True):
    """Where a log was when it was proved."""

    stream: str
    entries: int
    head: str


class ProveAnswer(msgspec.Struct, frozen=True, kw_only=True):
    streams: list[Stood]


WORKERS = click.option("--workers", default=1, metavar="NUMBER", help="Number of processes.")
RAY = click.option("--ray", is_flag=True, help="Run on the workers of a Ray cluster.")


@command("prove", verb="prove")
@click.argument("path", default="", metavar="[PATH]")
@click.option(
    "--since", default="", metavar="FILE", help="Compare with an earlier report of `prove --json`."
)
@click.option(
    "--new",
    "only_new",
    is_flag=True,
    help="Replay only what --since, or the last signature, lacks.",
)
@WORKERS
@RAY
def prove(
    terminal: Terminal, *, path: str, since: str, only_new: bool, workers: int, ray: bool
) -> None:
    """Verify every link of every log, replay every decision, and compare byte by byte.

    PATH is a store other than --store, for example a backup. With --since, every log must also
    continue from where it ended in that earlier report, which shows that no store was rolled
    back, cut short or rewritten. With --new, decisions are replayed only behind that report, or
    behind the last signature where there is no report; earlier entries are verified and folded.
    """
    kept = _kept(Path(since)) if since else []
    after = {each.stream: each.entries for each in kept} if only_new else {}
    if only_new and not since:
        with terminal.memory(store=path):
            after = terminal.house.signed()
    if workers > 1 or ray:
        wish = bulk_jobs.BulkOptions(after=after, workers=workers)
        told = spread(terminal, "prove", workers, ray=ray, store=path, wish=wish)
        proofs = [msgspec.json.decode(each, type=Proof) for each in told.values()]
        with terminal.memory(store=path):
            proofs += terminal.house.prove_branches()
            _goes_on(terminal.house, kept)
    else:
        with (
            terminal.memory(store=path),
            progress("Proving", total=lambda: entries_of(terminal.house)) as step,
        ):
            proofs = terminal.house.prove(progress=step, after=after)
            _goes_on(terminal.house, kept)
    document = {"proved": True, "streams": proofs} | ({"since": since} if since else {})
    terminal.answer(document, lambda: [*_proofs(proofs), *_since(since, kept)])


@command("rebuild", verb="rebuild")
@WORKERS
@RAY
def rebuild(terminal: Terminal, *, workers: int, ray: bool) -> None:
    """Drop everything that is derived from the logs (state, rows, indexes) and build it again."""
    if workers > 1 or ray:
        told = spread(terminal, "rebuild", workers, ray=ray)
        digests = {name: msgspec.json.decode(each, type=str) for name, each in told.items()}
    else:
        with (
            terminal.memory(),
            progress("Rebuilding", total=lambda: entries_of(terminal.house)) as step,
        ):
            digests = terminal.house.rebuild(progress=step)
    rows = tuple(digests.items())
    terminal.answer(
        {"streams": digests},
        lambda: [
            TextTable(head=("stream", "projections"), rows=rows, styles=("name", "quiet")),
            say(("Rebuilt", "good"), f" {_count(len(rows), 'stream')} from the log."),
        ],
    )


@command("version")
def version(terminal: Terminal) -> None:
    """Show the version of Muniment, of Python and of the packages it uses."""
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
    wish: bulk_jobs.BulkOptions = bulk_jobs.NOTHING,
) -> dict[str, str]:
    """A chore on every stream, by many workers: each stream's answer as JSON text."""
    from muniment.adapters.operations.executors import WatchedExecutor, executor

    with terminal.memory(store=store):  # a memory that is not there is said so at once
        address = store or terminal.options.store
    settings = terminal.settings()
    engine = executor(workers, ray=ray)
    wish = msgspec.structs.replace(wish, user=terminal.options.user)
    with stages("Working", "logs") as shown:
        done = bulk_jobs.work(address, verb, settings, WatchedExecutor(engine, shown), wish)
        return {its.stream: its.told for its in done}


def _kept(path: Path) -> list[Stood]:
    """Where the logs stood, as an earlier answer says."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=ProveAnswer).streams
    except OSError as error:
        raise InputError(f"{str(path)!r}: {error.strerror}") from None
    except UNREADABLE as error:
        raise InputError(f"{path.name!r} is not a report of `prove --json`: {error}") from None


def _goes_on(memory: Memory, kept: list[Stood]) -> None:
    """Each log must still hold, at the place where it stood, the entry with the hash of then.

    And none may lie there unproved, because nobody has its key, or the keystore lists it no more.
    """
    memory.insist_on_whole()
    keyring = memory._hub.parts.world.keyring  # noqa: SLF001 - no view sees what has no name
    if isinstance(keyring, FileKeystore):
        keyring.insist_on_whole()
        keyring.check()
    known = {each.text: each for each in memory.streams()}
    for stood in kept:
        stream = known.get(stood.stream)
        if stream is None or memory.head(stream) < stood.entries:
            raise IntegrityError(f"the log ends before entry {stood.entries}, in {stood.stream}")
        lines = memory.log(stream, after=stood.entries - 1, upto=stood.entries)
        if [line.hash.hex() for line in lines] != [stood.head]:
            raise IntegrityError(f"another entry {stood.entries} was there then, in {stood.stream}")


def _since(path: str, kept: list[Stood]) -> Sequence[Block]:
    told = f" where {_count(len(kept), 'log')} stood in {path}, each of them goes on."
    return [say(("From", "good"), told)] if path else []


def _named(proof: Proof) -> str:
    return f"{proof.stream} in {proof.branch}" if proof.branch else proof.stream


def _proofs(proofs: list[Proof]) -> Sequence[Block]:
    rows = tuple(
        (_named(each), str(each.entries), str(each.batches), str(each.shredded), each.head)
        for each in proofs
    )
    entries = sum(each.entries for each in proofs)
    still = "that is not erased " if any(each.shredded for each in proofs) else ""
    before = sum(min(each.decided_after, each.entries) for each in proofs)
    still += f"behind the first {before:,} " if before else ""
    head = ("stream", "entries", "batches", "erased", "head")
    told = f" {_count(entries, 'entry', 'entries')} in {_count(len(proofs), 'log')}: every link "
    return [
        TextTable(head=head, rows=rows, styles=("name", "number", "number", "number", "quiet")),
        say(("Proved", "good"), f"{told}holds, every decision {still}comes out the same."),
    ]


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"

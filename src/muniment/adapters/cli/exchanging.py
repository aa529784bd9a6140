"""In and out: `export` writes JSON lines with a manifest, `import` keeps what others wrote down."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import click
import msgspec

from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Table, say
from muniment.adapters.cli.watching import progress
from muniment.adapters.exporting import Export
from muniment.adapters.looking import is_there
from muniment.engine.prove import Progress
from muniment.model.errors import InputError
from muniment.model.scope import Channel

FORMATS: Final = ("muniment", "mem0", "langgraph", "mcp", "transcript")
MANIFEST: Final = ".manifest.json"


@command("export", verb="streams")
@click.argument("path", metavar="FILE")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def export(terminal: Terminal, *, path: str, force: bool) -> None:
    """Write what the agent remembers to FILE, one JSON object a line, with FILE.manifest.json."""
    with terminal.memory(), progress("Exporting", unit="lines") as step:
        memory = terminal.house
        terminal.expect_agent(memory)
        told = Export(memory, terminal.agent_stream)
        try:
            manifest = _written(told, Path(path), step, force=force)
        except OSError as error:
            raise InputError(f"{Path(path).name!r}: {error.strerror}") from None
    rows = tuple((kind, str(count)) for kind, count in _counts(manifest).items())
    terminal.answer(
        {"file": path, "manifest": manifest},
        lambda: [
            Table(head=("kind", "lines"), rows=rows, styles=("name", "number")),
            say(("Written", "good"), f": {path} and {path}{MANIFEST}"),
        ],
    )


@command("import", verb="remember")
@click.argument("path", metavar="FILE", type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--from",
    "form",
    type=click.Choice(FORMATS),
    default="muniment",
    show_default=True,
    help="What wrote the file.",
)
@click.option("--origin", default="", metavar="WORD", help="Where all of it comes from.")
def import_(terminal: Terminal, *, path: str, form: str, origin: str) -> None:
    """Keep what FILE says: an export of ours, of mem0, a LangGraph store, the MCP reference
    memory, or a chat transcript.

    Every line passes the same door as anything else: secrets are refused, private data redacted.
    A line is kept once, however often it is imported, so an interrupted import is simply run again.
    """
    from muniment.adapters.clock import ToldClock
    from muniment.adapters.config import open_memory
    from muniment.adapters.importers import sayings

    source = Path(path)
    _check(source, form)
    found = sayings.read(source, form)
    counts = {"kept": 0, "redacted": 0, "refused": 0}
    clock = ToldClock()
    settings = terminal.settings(Channel.TERMINAL, clock=clock)
    with (
        open_memory(terminal.options.store, settings) as memory,
        terminal.received(memory, settings),
        progress("Importing", unit="lines") as step,
    ):
        for number, each in enumerate(found, start=1):
            clock.set(each.at)
            agent = terminal.hands(user=terminal.options.user or each.user).agent
            kept = agent.remember(
                each.text,
                origin=origin or each.origin,
                speaker=each.speaker,
                session=each.session,
                key=each.key,
            )
            counts["kept"] += kept.stored
            counts["redacted"] += bool(kept.redacted)
            counts["refused"] += not kept.stored
            step(number)
    document = {"file": path, "from": form, "lines": len(found), **counts}
    words = ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing"
    terminal.answer(document, lambda: [say(("Imported", "good"), f" {len(found)} lines: {words}")])


def _written(told: Export, target: Path, step: Progress, *, force: bool) -> dict[str, object]:
    """Both files, whole or not at all: what was there stays until the new ones are on the disk."""
    places = (target, Path(f"{target}{MANIFEST}"))
    for place in places:
        if place.is_dir():
            raise InputError(f"{str(place)!r}: it is a folder")
        if is_there(place) and not force:
            raise InputError(f"{str(place)!r} is there already; --force writes over it")
    halves = tuple(place.with_name(f"{place.name}.part") for place in places)
    try:
        _put(halves[0], _counted(told.lines(), step))
        manifest = told.manifest()
        _put(halves[1], [msgspec.json.encode(manifest)])
        for half, place in zip(halves, places, strict=True):
            half.replace(place)
    finally:
        for half in halves:
            half.unlink(missing_ok=True)
    return manifest


def _counted(lines: Iterable[bytes], step: Progress) -> Iterator[bytes]:
    for number, line in enumerate(lines, start=1):
        yield line
        step(number)


def _put(path: Path, lines: Iterable[bytes]) -> None:
    with path.open("wb") as out:
        for line in lines:
            out.write(line + b"\n")
        out.flush()
        os.fsync(out.fileno())


def _check(source: Path, form: str) -> None:
    """An export of ours comes with a manifest: what does not fit to it is not imported."""
    manifest = Path(f"{source}{MANIFEST}")
    if form != "muniment" or not is_there(manifest):
        return
    import hashlib

    try:
        told = msgspec.json.decode(manifest.read_bytes(), type=dict[str, object])
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(f"{manifest.name!r} cannot be read: {error}") from None
    if told.get("sha256") != hashlib.sha256(source.read_bytes()).hexdigest():
        raise InputError(f"{source.name!r} is not what its manifest says: it was changed or cut")


def _counts(manifest: dict[str, object]) -> dict[str, int]:
    counts = manifest["counts"]
    assert isinstance(counts, dict)
    return counts

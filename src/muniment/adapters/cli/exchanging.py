"""In and out: `export` writes JSON lines with a manifest, `import` keeps what others wrote down."""

from pathlib import Path
from typing import Final

import click
import msgspec

from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Table, say
from muniment.adapters.cli.watching import progress
from muniment.model.errors import InputError
from muniment.model.scope import Channel

FORMATS: Final = ("muniment", "mem0", "langgraph", "mcp", "transcript")
MANIFEST: Final = ".manifest.json"


@command("export", verb="streams")
@click.argument("path", metavar="FILE")
def export(terminal: Terminal, *, path: str) -> None:
    """Write what the agent remembers to FILE, one JSON object a line, with FILE.manifest.json."""
    from muniment.adapters.exporting import Export

    target = Path(path)
    with terminal.memory(), progress("Exporting", unit="lines") as step:
        memory = terminal.house
        terminal.expect_agent(memory)
        told = Export(memory, terminal.agent_stream)
        unfinished = target.with_name(target.name + ".part")
        try:
            with unfinished.open("wb") as out:
                for number, line in enumerate(told.lines(), start=1):
                    out.write(line + b"\n")
                    step(number)
            unfinished.replace(target)
            manifest = told.manifest()
            Path(path + MANIFEST).write_bytes(msgspec.json.encode(manifest))
        except OSError as error:
            unfinished.unlink(missing_ok=True)
            raise InputError(f"{target.name!r}: {error.strerror}") from None
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


def _check(source: Path, form: str) -> None:
    """An export of ours comes with a manifest: what does not fit to it is not imported."""
    manifest = Path(f"{source}{MANIFEST}")
    if form != "muniment" or not manifest.is_file():
        return
    import hashlib

    told = msgspec.json.decode(manifest.read_bytes())
    if told.get("sha256") != hashlib.sha256(source.read_bytes()).hexdigest():
        raise InputError(f"{source.name!r} is not what its manifest says: it was changed or cut")


def _counts(manifest: dict[str, object]) -> dict[str, int]:
    counts = manifest["counts"]
    assert isinstance(counts, dict)
    return counts

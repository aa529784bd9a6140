"""In and out: `export` writes JSON lines with a manifest, `import` keeps what others wrote down."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

import click
import msgspec

from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import progress
from muniment.adapters.operations import export as operations_export
from muniment.adapters.operations import import_conversations
from muniment.adapters.operations.export import MANIFEST, Export
from muniment.adapters.operations.import_conversations import ImportedText
from muniment.adapters.system.path_exists import is_there
from muniment.engine.api.agent import Agent
from muniment.engine.api.remember import Remembered, Sentence
from muniment.model.errors import InputError, MunimentError
from muniment.model.scope import Channel

FORMATS: Final = ("muniment", "mem0", "langgraph", "mcp", "transcript")
TOGETHER_MAX: Final = 64  # sentences of one append


@command("export", verb="streams")
@click.argument("path", metavar="FILE")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def export(terminal: Terminal, *, path: str, force: bool) -> None:
    """Write what the agent remembers to FILE, one JSON object a line, with FILE.manifest.json.

    That is its episodes, the items of its conversations and the tenant's governed facts, each with
    the user it is about; with --user, only what is about that user. A whole memory, documents and
    memos included, is carried by `backup` and `copy-store`; everything that any agent keeps about a
    person is written by `about USER --file FILE`.
    """
    with terminal.memory(), progress("Exporting", unit="lines") as step:
        memory = terminal.house
        terminal.expect_agent(memory)
        told = Export(memory, terminal.agent_stream, terminal.options.user)
        manifest = operations_export.write(told, path, step, force=force)
    terminal.answer({"file": path, "manifest": manifest}, lambda: written(path, manifest))


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
    It is about the user it names; --user names them otherwise, unless there are several. Of an
    export of ours the episodes are kept; its items and facts have verbs of their own, and are
    counted.
    """
    from muniment.adapters.config import open_memory

    source = Path(path)
    _check(source, form)
    found = import_conversations.read(source, form)
    left = import_conversations.left_out(source, form)
    _expect_one(found, terminal.options.user)
    counts = {"kept": 0, "redacted": 0, "refused": 0}
    settings = terminal.settings(Channel.TERMINAL)
    with (
        open_memory(terminal.options.store, settings) as memory,
        terminal.received(memory, settings),
        progress("Importing", unit="lines") as step,
    ):
        done = 0
        for user, together in _together(found, terminal.options.user):
            for kept in _kept(terminal.hands(user=user).agent, together, origin):
                counts["kept"] += kept.stored
                counts["redacted"] += bool(kept.redacted)
                counts["refused"] += not kept.stored
            done += len(together)
            step(done)
    document = {"file": path, "from": form, "lines": len(found), **counts, "left_out": left}
    words = ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing"
    lines = [say(("Imported", "good"), f" {len(found)} lines: {words}")]
    if left:
        rest = ", ".join(f"{count} of kind {kind}" for kind, count in left.items())
        lines.append(say(("Left out", "warn"), f": {rest}; a backup carries a memory whole"))
    terminal.answer(document, lambda: lines)


def _expect_one(found: list[ImportedText], user: str) -> None:
    """What several people said is not made one person's by an option, or by the environment."""
    people = {each.user for each in found if each.user}
    if user and len(people) > 1:
        told = "each keeps its own without --user (and MUNIMENT_USER)"
        raise InputError(f"the lines are about {len(people)} users; {told}")


def _together(found: list[ImportedText], user: str) -> Iterator[tuple[str, list[ImportedText]]]:
    """Neighbours of one user, so many as one append takes; a line that stands twice is another."""
    for whose, lines in groupby(found, key=lambda each: user or each.user):
        told: dict[str, ImportedText] = {}
        for each in lines:
            if each.key in told or len(told) == TOGETHER_MAX:
                yield whose, list(told.values())
                told = {}
            told[each.key] = each
        yield whose, list(told.values())


def _kept(agent: Agent, together: list[ImportedText], origin: str) -> Iterator[Remembered]:
    sentences = [
        Sentence(
            text=each.text,
            origin=origin or each.origin,
            source=each.source,
            speaker=each.speaker,
            session=each.session,
            key=each.key,
            at=each.at,
        )
        for each in together
    ]
    for told in agent.remember_each(sentences):
        if isinstance(told, MunimentError):
            raise told
        yield told


def written(path: str, manifest: dict[str, object]) -> Sequence[Block]:
    """What was written where, by kind."""
    counts = manifest["counts"]
    assert isinstance(counts, dict)
    rows = tuple((kind, str(count)) for kind, count in counts.items())
    blocks: list[Block] = [
        TextTable(head=("kind", "lines"), rows=rows, styles=("name", "number")),
        say(("Written", "good"), f": {path} and {path}{MANIFEST}"),
    ]
    left = manifest.get("left_out")
    if isinstance(left, dict) and left:
        rest = ", ".join(f"{count} {layer}" for layer, count in left.items())
        blocks.append(say(("Left out", "warn"), f": {rest}; a backup carries a memory whole"))
    return blocks


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

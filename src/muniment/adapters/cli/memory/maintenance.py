"""`threads` and `compact`: list conversations, summarize and merge old memories."""

from collections.abc import Sequence

import click
import msgspec

from muniment.adapters.cli.options import AT, VALID_AT, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import stages
from muniment.engine.maintenance.compaction import Compacted
from muniment.model.kinds.thread import Thread


@command("threads")
@AT
@VALID_AT
def threads(terminal: Terminal, *, at: int | None, valid_at: str) -> None:
    """List the conversations of a user, open and ended, latest first."""
    with terminal.memory() as memory:
        found = terminal.agent(memory).threads(at=at, valid_at=valid_at)
        document = {"threads": [_document(each) for each in found]}
        terminal.answer(document, lambda: _threads(found))


@command("compact", verb="remember")
@click.option("--due", is_flag=True, help="Only what has grown past its limits.")
@click.option("--tokens", type=int, help="Reduce episodic memory to so many tokens.")
@click.option("--items", type=int, help="Reduce it to so many items.")
@click.option(
    "--sample", is_flag=True, help="Choose by a seeded random sample, not by value per token."
)
def compact(
    terminal: Terminal, *, due: bool, tokens: int | None, items: int | None, sample: bool
) -> None:
    """Summarise and merge old memories, down to a budget if one is given; the log keeps all."""
    with terminal.memory() as memory:
        agent = terminal.agent(memory)
        with stages("Compacting") as shown:
            done = agent.compact(due_only=due, progress=lambda at: shown(at.step, at.done, at.of))
        if tokens is not None or items is not None:
            done.append(agent.thin(tokens_max=tokens, items_max=items, sample=sample))
        document = {"compacted": [msgspec.to_builtins(each) for each in done]}
        terminal.answer(document, lambda: _compacted(done))


def _document(thread: Thread) -> dict[str, object]:
    built: dict[str, object] = msgspec.to_builtins(thread)
    return {name: value for name, value in built.items() if name not in {"counts", "entities"}}


def _threads(found: Sequence[Thread]) -> Sequence[Block]:
    if not found:
        return [say("No conversation has a thread yet.")]
    rows = tuple(
        (
            each.thread_id,
            ", ".join(each.channels),
            str(each.turn_count),
            each.last_activity_at,
            each.closed_for or "open",
        )
        for each in found
    )
    head = ("thread", "channels", "turns", "last activity", "state")
    return [TextTable(head=head, rows=rows, styles=("name", "", "number", "", ""))]


def _compacted(done: Sequence[Compacted]) -> Sequence[Block]:
    if not done:
        return [say("Nothing to compact: a summary would not be shorter.")]
    rows = tuple(
        (
            each.strategy,
            each.place,
            str(len(each.sources) or len(each.gone)),
            f"{each.tokens_before} → {each.tokens_after}" if each.sources else "",
            each.reason or each.by,
        )
        for each in done
    )
    head = ("how", "where", "memos", "tokens", "by")
    return [TextTable(head=head, rows=rows, styles=("name", "", "number", "number", ""))]

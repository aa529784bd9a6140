"""`facts` and `skills`: governed facts, and skills from repeated work."""

from collections.abc import Sequence

import click
import msgspec

from muniment.adapters.cli.options import AT, VALID_AT, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.rendering.event_summary import spelled
from muniment.model.kinds.episode import Fact
from muniment.model.kinds.skill import Skill

MILLION = 1_000_000


@command("facts", verb="facts")
@click.argument("prefix", default="", metavar="[PREFIX]")
@AT
@VALID_AT
def facts(terminal: Terminal, *, prefix: str, at: int | None, valid_at: str) -> None:
    """Governed facts whose keys begin with PREFIX, as this agent may read them."""
    with terminal.memory() as memory:
        found = terminal.agent(memory).sem_search(prefix, at=at, valid_at=valid_at)
    terminal.answer({"facts": found}, lambda: _facts(found))


@command("skills")
@AT
@VALID_AT
def skills(terminal: Terminal, *, at: int | None, valid_at: str) -> None:
    """List what the agent did the same way at least three times, with a confidence."""
    with terminal.memory() as memory:
        found = terminal.agent(memory).skills(at=at, valid_at=valid_at)
    terminal.answer({"skills": msgspec.to_builtins(found)}, lambda: _skills(found))


def _facts(found: Sequence[Fact]) -> Sequence[Block]:
    if not found:
        return [say("No governed fact is known here.")]
    rows = tuple((fact.key, spelled(fact.value), fact.source) for fact in found)
    return [TextTable(head=("key", "value", "source"), rows=rows, styles=("name", "", "quiet"))]


def _skills(found: Sequence[Skill]) -> Sequence[Block]:
    if not found:
        return [say("No skills yet. What was done three times without an error becomes one.")]
    rows = tuple(
        (
            each.name,
            str(each.frequency),
            f"{each.confidence_ppm * 100 // MILLION} %",
            ", ".join(each.parameters) or "none",
        )
        for each in found
    )
    head = ("steps", "times", "confidence", "parameters")
    return [TextTable(head=head, rows=rows, styles=("name", "number", "number", ""))]

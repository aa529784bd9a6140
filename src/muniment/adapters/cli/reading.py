"""What is known: `recall` answers a question, `context` prepares a prompt."""

import sys
from collections.abc import Sequence

import click

from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, Table, is_terminal, say
from muniment.engine.agent import Agent
from muniment.engine.context import Context
from muniment.engine.reading import Bundle, Hit
from muniment.model.errors import InputError

AT = click.option("--at", type=click.IntRange(min=0), metavar="SEQ", help="As of an earlier entry.")
MILLIONTHS = 1_000_000


@command("recall")
@click.argument("query")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="At most so many.")
@AT
def recall(terminal: Terminal, *, query: str, limit: int | None, at: int | None) -> None:
    """What is known about QUERY, best first, each with its evidence, and a receipt."""
    with terminal.memory() as memory:
        agent = _at(terminal.agent(memory), at)
        bundle = agent.recall(query, max_results=limit or 0, at=at)
        terminal.answer(bundle, lambda: _bundle(bundle))


@command("context")
@click.argument("prompt")
@click.option("--budget", type=click.IntRange(min=1), metavar="N", help="At most so many tokens.")
@AT
def context(terminal: Terminal, *, prompt: str, budget: int | None, at: int | None) -> None:
    """Text for PROMPT that fits the budget; in a pipe, the text and nothing else."""
    with terminal.memory() as memory:
        agent = _at(terminal.agent(memory), at)
        found = agent.context(prompt, budget=budget or 0, at=at)
        terminal.answer(found, lambda: _context(found))


def _at(agent: Agent, at: int | None) -> Agent:
    """A moment that has not been cannot be read."""
    if at is not None and at > agent.seq:
        raise InputError(f"the log ends at entry {agent.seq}, before --at {at}")
    return agent


def _bundle(bundle: Bundle) -> Sequence[Block]:
    if not bundle.hits:
        return [say(f"Nothing found among {bundle.considered} entries.")]
    rows = tuple(_row(hit) for hit in bundle.hits)
    heads = ", ".join(f"{ref[:8]}@{seq}" for ref, seq in sorted(bundle.receipt.reads.items()))
    told = f"{len(bundle.hits)} of {bundle.considered} entries; receipt: read {heads}"
    styles = ("number", "quiet", "")
    return [
        Table(head=("score", "evidence", "text"), rows=rows, styles=styles),
        say((f"{told}, policy {bundle.receipt.policy[:8]}", "quiet")),
    ]


def _row(hit: Hit) -> tuple[str, ...]:
    score = f"{hit.score_ppm / MILLIONTHS:.3f}"
    return score, hit.id, " ".join(hit.text.split())


def _context(found: Context) -> Sequence[Block]:
    lines: list[Block] = [say(line) for line in found.text.splitlines()]
    if not is_terminal(sys.stdout):
        return lines
    told = f"{found.tokens} of {found.budget} tokens, {len(found.pieces)} entries"
    left = f", {found.left_out} left out" if found.left_out else ""
    return [*lines, say((told + left, "quiet"))]

"""`context`, `why-not`: build a prompt's text, explain what is not in an answer."""

import sys
from collections.abc import Sequence
from typing import Any

import click

from muniment.adapters.cli.memory.recall import as_of, terms
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, is_terminal, say, thousandths
from muniment.adapters.cli.request_options import options
from muniment.adapters.requests.evidence.explain import WhyNotRequest
from muniment.adapters.requests.memory import PromptContextRequest
from muniment.engine.context.assemble import Context
from muniment.engine.search.explain import WhyNot
from muniment.engine.search.recall_filter import NEAR_DUPLICATE, NOT_A_CANDIDATE


@command("context")
@click.argument("prompt")
@options(PromptContextRequest, "budget", "where", "at", "valid_at", "quarantined", "recent")
def context(terminal: Terminal, *, prompt: str, at: int | None, **how: Any) -> None:  # noqa: ANN401
    """Build text for PROMPT within the budget; in a pipe, prints the text and nothing else."""
    with terminal.memory() as memory:
        found = as_of(terminal.agent(memory), at).context(prompt, at=at, **how)
        terminal.answer(found, lambda: _context(found))


@command("why-not")
@click.argument("item_id")
@click.argument("query")
@options(WhyNotRequest, "limit", "budget", "where", "at", "valid_at", "purpose", "quarantined")
def why_not(terminal: Terminal, *, item_id: str, query: str, at: int | None, **how: Any) -> None:  # noqa: ANN401
    """Explain why ITEM_ID is not in the answer to QUERY: which stage dropped it, and why."""
    with terminal.memory() as memory:
        found = as_of(terminal.agent(memory), at).why_not(item_id, query, at=at, **how)
        terminal.answer(found, lambda: _why(found))


def _why(found: WhyNot) -> Sequence[Block]:
    rows = [("stage", found.stage), ("reason", found.reason)]
    rows += [("rank", str(found.rank))] if found.rank else []
    rows += [("score", thousandths(found.score_ppm))] if found.terms else []
    rows += [("threshold", _threshold(found))] if found.threshold else []
    rows += [("terms", terms(found.terms))] if found.terms else []
    return [TextTable(head=("what", "value"), rows=tuple(rows), styles=("quiet", ""))]


def _threshold(found: WhyNot) -> str:
    """A likeness as a score is shown; all others are counts."""
    share = found.stage in {NOT_A_CANDIDATE, NEAR_DUPLICATE}
    return thousandths(found.threshold) if share else str(found.threshold)


def _context(found: Context) -> Sequence[Block]:
    lines: list[Block] = [say(line) for line in found.text.splitlines()]
    if not is_terminal(sys.stdout):
        return lines
    told = f"{found.tokens} of {found.budget} tokens, {len(found.pieces)} memories"
    left = f", {found.left_out} left out" if found.left_out else ""
    return [*lines, say((told + left, "quiet"))]

"""`recall`: answer a question, or compute an answer again."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from muniment.adapters.cli.errors import naming
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import MILLIONTHS, Block, TextTable, say, thousandths
from muniment.adapters.cli.request_options import options
from muniment.adapters.requests.recall import RecallRequest
from muniment.engine.api.agent import Agent
from muniment.engine.search.recall_results import Bundle, Hit, is_told
from muniment.model.errors import InputError
from muniment.model.events import Recalled


@command("recall")
@click.argument("query", required=False)
@options(RecallRequest, "limit", "at", "valid_at", "purpose", "quarantined", "explain", "where")
@click.option(
    "--again",
    type=click.IntRange(min=1),
    metavar="SEQ",
    help="Instead of a question: compute the answer whose receipt is this entry again.",
)
def recall(
    terminal: Terminal,
    *,
    query: str | None,
    at: int | None,
    again: int | None,
    **how: Any,  # noqa: ANN401
) -> None:
    """Ask the memory QUERY: best answer first, each with its evidence, and a receipt."""
    if query is None and again is None:
        raise click.UsageError("Missing argument 'QUERY'.")
    with terminal.memory() as memory:
        agent = as_of(terminal.agent(memory), at)
        compared: list[Block] = []
        if again is not None:
            bundle = _again(agent, again, query)
            compared = [_compared(agent, again, bundle)]
        else:
            bundle = agent.recall(query or "", at=at, **how)
        terminal.answer(bundle, lambda: [*_bundle(bundle), *compared])


def _again(agent: Agent, seq: int, query: str | None) -> Bundle:
    if query is not None:
        raise InputError("with --again the question comes from the receipt: leave it out")
    with naming(f"entry {seq} is no receipt of an answer"):
        return agent.recall_again(seq)


def _compared(agent: Agent, seq: int, bundle: Bundle) -> Block:
    """Whether an answer made anew is the one of its receipt, and by what it could differ."""
    (line,) = agent.get_range(seq, seq)
    then, now = line.event, bundle.receipt
    assert isinstance(then, Recalled)
    if is_told(then, now):
        return say(("The same answer as recorded.", "quiet"))
    changed = [
        f"{name} {was} then, {new} now"
        for name in ("index", "words", "recipe", "embedder")
        if (was := getattr(then.basis, name)) != (new := getattr(now.basis, name))
    ]
    why = ", ".join(changed) or "some of it was erased"
    return say(f"The answer differs from the recorded one: {why}.")


def as_of(agent: Agent, at: int | None) -> Agent:
    """A moment that has not been cannot be read."""
    if at is not None and at > agent.seq:
        raise InputError(f"the log ends at entry {agent.seq}, before --at {at}")
    return agent


def _bundle(bundle: Bundle) -> Sequence[Block]:
    if not bundle.hits:
        return [say(f"Nothing found among {_memories(bundle.considered)}.")]
    rows = tuple(_row(hit) for hit in bundle.hits)
    heads = ", ".join(f"{ref[:8]}@{seq}" for ref, seq in sorted(bundle.receipt.reads.items()))
    told = f"{len(bundle.hits)} of {_memories(bundle.considered)}; receipt: read {heads}"
    styles = ("number", "quiet", "")
    return [
        TextTable(head=("score", "evidence", "text"), rows=rows, styles=styles),
        *(say((f"{hit.id}: {_reasons(hit)}", "quiet")) for hit in bundle.hits if hit.terms),
        *(
            say(f"{hit.id} is contradicted by {hit.contradicted_by}")
            for hit in bundle.hits
            if hit.contradicted_by
        ),
        say((f"{told}, policy {bundle.receipt.policy[:8]}", "quiet")),
    ]


def _memories(count: int) -> str:
    return "1 memory" if count == 1 else f"{count} memories"


def _reasons(hit: Hit) -> str:
    """What its score is made of, and the words that it shares with the question."""
    shared = f"; shares {', '.join(hit.matched)}" if hit.matched else ""
    return f"{terms(hit.terms)}{shared}"


def terms(terms: Mapping[str, int]) -> str:
    """What each kind of evidence added, the most first; without what rounds to nothing."""
    ordered = sorted(terms.items(), key=lambda term: (-abs(term[1]), term[0]))
    added = [(name, f"{value / MILLIONTHS:+.3f}") for name, value in ordered]
    return ", ".join(f"{name} {value}" for name, value in added if float(value))


def _row(hit: Hit) -> tuple[str, ...]:
    return thousandths(hit.score_ppm), hit.id, " ".join(hit.told.split())

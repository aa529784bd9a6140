"""`used`, `turn-trace`, `what-if`, `propose`: feedback on contexts, and other weights."""

from collections.abc import Mapping, Sequence

import click
import msgspec

from muniment.adapters.cli.audit.prove import RAY, WORKERS, spread
from muniment.adapters.cli.options import READS, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, moved, pairs, say, thousandths
from muniment.adapters.operations.bulk_jobs import BulkOptions
from muniment.retrieval.context.weight_feedback import Proposal, Quality

LETTERS = {
    "similarity": "similarity_ppm",
    "recency": "recency_ppm",
    "importance": "importance_ppm",
    "duplication": "duplication_ppm",
}
WEIGHT = click.FloatRange(0, 1)


@command("what-if")
@click.option(
    "--similarity", type=WEIGHT, metavar="N", help="Weight of similarity to the question."
)
@click.option("--recency", type=WEIGHT, metavar="N", help="Weight of recency.")
@click.option("--importance", type=WEIGHT, metavar="N", help="Weight of importance.")
@click.option(
    "--duplication", type=WEIGHT, metavar="N", help="Penalty for repeating working memory."
)
@click.option("--all", "every", is_flag=True, help="Every agent of the tenant.")
@WORKERS
@RAY
def what_if(
    terminal: Terminal, *, every: bool, workers: int, ray: bool, **weights: float | None
) -> None:
    """Rank past contexts again with other weights; nothing is changed."""
    changes = {LETTERS[name]: round(its * 1e6) for name, its in weights.items() if its is not None}
    if every:
        wish = BulkOptions(coefficients=changes)
        told = spread(terminal, "what-if", workers, ray=ray, wish=wish)
        agents = {name: msgspec.json.decode(each, type=Proposal) for name, each in told.items()}
        document = {name: _document(its) for name, its in agents.items()}
        terminal.answer({"agents": document}, lambda: [_over_all(agents)])
        return
    with terminal.memory() as memory:
        found = terminal.agent(memory).what_if(changes)
        terminal.answer(_document(found), lambda: _compared(found))


@command("propose", verb="policy")
@click.option("--request", is_flag=True, help="Request them from the council.")
@click.option("--carry-out", metavar="REQUEST", help="Put approved weights in force.")
def propose(terminal: Terminal, *, request: bool, carry_out: str | None) -> None:
    """Suggest weights from the feedback on past contexts; they take effect only when approved."""
    with terminal.memory() as memory:
        if carry_out:
            digest = terminal.hands().admin.apply_policy(carry_out)
            terminal.answer({"policy": digest}, lambda: [say("In force: policy ", digest[:8])])
            return
        found = terminal.agent(memory, verb=READS).propose_coefficients()
        asked = ""
        if request and found.improves:
            asked = terminal.hands().admin.request_coefficients(
                terminal.options.agent,
                found.after,
                reason=_reason(found),
                evidence=found.evidence.receipts,
            )
        document = _document(found) | {"request_id": asked}
        terminal.answer(document, lambda: [*_compared(found), *_next(terminal, found, asked)])


@command("used", verb="jobs")
@click.argument("receipt")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--unused", multiple=True, metavar="ID", help="An item that was not useful.")
def used(terminal: Terminal, receipt: str, ids: tuple[str, ...], unused: tuple[str, ...]) -> None:
    """Report which items (each ID) of the context of RECEIPT were useful, and which were not."""
    with terminal.memory() as memory:
        agent = terminal.agent(memory)
        agent.used(ids, context=receipt, unused=unused)
        document = {"receipt_id": receipt, "used": list(ids), "unused": list(unused)}
        terminal.answer(document | {"seq": agent.seq}, lambda: [say("Noted.")])


@command("turn-trace", verb="jobs")
@click.argument("number", type=int)
def turn_trace(terminal: Terminal, number: int) -> None:
    """List every memory operation of the turn NUMBER of a job, reads included."""
    with terminal.memory() as memory:
        steps = terminal.agent(memory).turn_trace(number)
        rows = tuple((str(each.seq), each.kind, each.operation, each.ts) for each in steps)
        head, styles = ("entry", "kind", "operation", "when"), ("number", "name", "", "")
        table = TextTable(head=head, rows=rows, styles=styles)
        terminal.answer({"steps": msgspec.to_builtins(steps)}, lambda: [table])


def _document(found: Proposal) -> dict[str, object]:
    built: dict[str, object] = msgspec.to_builtins(found) | {"improves": found.improves}
    return built


def _over_all(agents: Mapping[str, Proposal]) -> TextTable:
    rows = tuple(
        (
            name,
            str(its.quality_before.turns),
            moved(its.quality_before.inside_ppm, its.quality_after.inside_ppm),
            moved(its.quality_before.rank_ppm, its.quality_after.rank_ppm),
        )
        for name, its in agents.items()
    )
    head = ("agent", "contexts", "useful items inside", "their rank (1 is first)")
    return TextTable(head=head, rows=rows, styles=("name", "number", "number", "number"))


def _compared(found: Proposal) -> Sequence[Block]:
    before = msgspec.structs.asdict(found.before)
    after = msgspec.structs.asdict(found.after)
    rows = [
        (name, thousandths(before[field]), thousandths(after[field]))
        for name, field in LETTERS.items()
    ]
    rows += [
        (
            "useful items inside",
            thousandths(found.quality_before.inside_ppm),
            thousandths(found.quality_after.inside_ppm),
        ),
        (
            "their rank (1 is first)",
            thousandths(found.quality_before.rank_ppm),
            thousandths(found.quality_after.rank_ppm),
        ),
    ]
    told = found.evidence
    facts = [
        ("contexts", str(found.quality_before.turns)),
        ("proved useful", _listed(told.useful)),
        ("there for nothing", _listed(told.unused)),
        ("tasks", f"{told.succeeded} succeeded, {told.failed} failed"),
    ]
    table = TextTable(
        head=("", "now", "then"), rows=tuple(rows), styles=("name", "number", "number")
    )
    return [table, pairs([(name, its) for name, its in facts if its])]


def _next(terminal: Terminal, found: Proposal, asked: str) -> Sequence[Block]:
    if not found.improves:
        return [say("No other weights do better than those in force.")]
    if asked:
        return [
            say("Asked: ", (asked, "name")),
            say("  ", (terminal.command_line("approve", asked), "asked")),
        ]
    return [
        say("To ask the council for it:"),
        say("  ", (terminal.command_line("propose", "--request"), "asked")),
    ]


def _reason(found: Proposal) -> str:
    return (
        f"useful items inside the budget {thousandths(found.quality_before.inside_ppm)} -> "
        f"{thousandths(found.quality_after.inside_ppm)}, their rank "
        f"{_quality(found.quality_before)} -> {_quality(found.quality_after)}, "
        f"over {found.quality_before.turns} contexts"
    )


def _quality(its: Quality) -> str:
    return thousandths(its.rank_ppm)


def _listed(counted: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in counted[:5])

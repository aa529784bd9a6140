"""`eval`: recall of evidence, and correctness of a model's answers, on a set of questions."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click
import msgspec

from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable
from muniment.adapters.cli.progress import stages
from muniment.adapters.evaluation import question_sets
from muniment.adapters.evaluation.cassette import AskModel, Cassette
from muniment.adapters.evaluation.evaluation import SHARES, Evaluation, QuestionScores, evaluate
from muniment.adapters.models import model_names


@command("eval", verb="recall")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--at",
    "shares",
    type=click.IntRange(1, 200),
    multiple=True,
    metavar="N",
    help="Report recall at N.",
)
@click.option("--cassette", type=click.Path(path_type=Path), help="Keep and replay the answers.")
def eval(  # noqa: A001 - the word of the terminal
    terminal: Terminal, *, file: Path, shares: tuple[int, ...], cassette: Path | None
) -> None:
    """Evaluate recall on FILE: your own questions, LoCoMo or LongMemEval.

    Without --model only the recall of evidence is measured. With a model, it answers from what
    is recalled and grades its own answers; --cassette records its answers, and a later run
    replays them without the model. Your own memory is neither opened nor changed.
    """
    sets = question_sets.read(file)
    named = terminal.options.model
    model = Cassette(_asking(named) if named else None, cassette)
    with stages("Evaluating", "questions") as shown:
        found = evaluate(
            sets,
            shares=shares or SHARES,
            model=model if model.is_playable else None,
            name=named or "cassette",
            progress=partial(shown, ""),
        )
    model.save()
    terminal.answer(msgspec.to_builtins(found), lambda: _table(found))


def _asking(named: str) -> AskModel:
    return model_names.named_model(named).answer


def _table(found: Evaluation) -> Sequence[Block]:
    shares = next(iter(found.kinds.values())).recall
    head = ("questions", "count", *(f"R@{k}" for k in shares), "accuracy", "tokens", "ms")
    rows = tuple((kind, *_cells(scores)) for kind, scores in found.kinds.items())
    return [TextTable(head=head, rows=rows, styles=("name", *["number"] * (len(head) - 1)))]


def _cells(scores: QuestionScores) -> list[str]:
    right = "" if scores.accuracy is None else f"{scores.accuracy:.1f}"
    shares = [f"{each:.1f}" for each in scores.recall.values()]
    return [
        str(scores.questions),
        *shares,
        right,
        f"{scores.tokens:.0f}",
        f"{scores.milliseconds:.1f}",
    ]

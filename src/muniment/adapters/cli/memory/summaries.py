"""Cited summaries: `summary` shows a profile, a reflection, a conversation, a title or a loop."""

from collections.abc import Sequence
from itertools import groupby

import click
import msgspec

from muniment.adapters.cli.options import AT, VALID_AT, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import stages
from muniment.adapters.cli.request_options import options
from muniment.adapters.requests.learning import WriteSummaryRequest
from muniment.engine.learning.summaries import CitedSummary
from muniment.model.kinds.cited_summary import CitedSentence, SummaryKind

KINDS = [each.value for each in SummaryKind]
ID_LETTERS = 12  # of a citation; `--json` has it whole


@command("summary", verb="recall")
@click.argument("kind", type=click.Choice(KINDS), default=KINDS[0])
@options(WriteSummaryRequest, "session", "since", "until", "batches_max")
@click.option("--write", is_flag=True, help="Ask the model of --model to word what is new.")
@click.option("--undo", metavar="ID", help="Take back one wording by its id.")
@AT
@VALID_AT
def summary(
    terminal: Terminal,
    *,
    kind: str,
    batches_max: int,
    write: bool,
    undo: str | None,
    at: int | None,
    valid_at: str,
    **named: str,
) -> None:
    """Summarise the user, some days, a conversation or a loop; each sentence names its sources.

    KIND is profile, reflection, conversation, title or loop. Without a model the sentences are
    quoted from what is stored.
    """
    with terminal.memory() as memory:
        agent = terminal.agent(memory)
        if undo:
            seq = agent.undo_summary(undo)
            terminal.answer({"seq": seq}, lambda: [say("That wording was withdrawn.")])
            return
        if write:
            with stages("Writing", "texts") as shown:
                told = agent.write_summary(kind, batches_max=batches_max, progress=shown, **named)
        else:
            told = agent.summary(kind, at=at, valid_at=valid_at, **named)
    terminal.answer(msgspec.to_builtins(told), lambda: _told(told))


def _told(told: CitedSummary) -> Sequence[Block]:
    if not told.sentences:
        return [say("Nothing is known yet.")]
    blocks: list[Block] = []
    for section, sentences in groupby(_sorted(told.sentences), key=lambda each: each.section):
        rows = tuple((each.text, _cites(each)) for each in sentences)
        head = (section or told.kind, "from")
        blocks.append(TextTable(head=head, rows=rows, styles=("", "quiet")))
    return [*blocks, *([say(told.summary_id)] if told.summary_id else []), *_notes(told)]


def _sorted(sentences: Sequence[CitedSentence]) -> list[CitedSentence]:
    return sorted(sentences, key=lambda each: each.section)


def _cites(sentence: CitedSentence) -> str:
    names = (each.label or each.id[:ID_LETTERS] for each in sentence.citations)
    return ", ".join(dict.fromkeys(names))


def _notes(told: CitedSummary) -> list[Block]:
    counted = ", ".join(f"{count} {code}" for code, count in told.dropped.items())
    notes = [
        f"Worded by {told.model}." if told.model else "Quoted as it was said; no model worded it.",
        f"Dropped: {counted}." if counted else "",
        f"{told.waiting} texts wait for a model." if told.model and told.waiting else "",
        told.reason,
    ]
    return [say(each) for each in notes if each]

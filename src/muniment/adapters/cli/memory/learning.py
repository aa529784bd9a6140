"""`extract` and `entities`: facts by a model, people and places by rules, each with its undo."""

from collections.abc import Sequence
from typing import Final

import click
import msgspec

from muniment.adapters.cli.options import AT, VALID_AT, Terminal, command
from muniment.adapters.cli.output import Block, TextTable, say
from muniment.adapters.cli.progress import stages
from muniment.adapters.cli.request_options import options
from muniment.adapters.requests.learning import EntitiesRequest, ExtractFactsRequest
from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.engine.learning.extraction import Extraction
from muniment.model.kinds.memo import Memo
from muniment.retrieval.entities.entity_graph import NamedEntity
from muniment.retrieval.entities.entity_relation import EntityRelation

DAY: Final = len("2026-03-05")


@command("extract", verb="remember")
@options(ExtractFactsRequest, "batches_max")
@click.option("--all", "every", is_flag=True, help="Every agent, and everybody it knows.")
@click.option("--undo", metavar="ID", help="Undo an extraction by its id.")
@click.option("--facts", is_flag=True, help="List what was extracted and holds; asks no model.")
@click.option("--waiting", is_flag=True, help="Count the texts that wait; asks no model.")
def extract(
    terminal: Terminal,
    *,
    batches_max: int,
    every: bool,
    undo: str | None,
    facts: bool,
    waiting: bool,
) -> None:
    """Ask the model of --model to extract facts from what was stored since the last run.

    Each fact is stored with the words it comes from; a fact without such words is dropped
    and counted.
    """
    with terminal.memory() as memory:
        if every:
            _extract_all(terminal, memory, batches_max)
            return
        agent = terminal.agent(memory)
        if undo:
            undone = agent.undo_extraction(undo)
            left, back = undone.forgotten, undone.restored
            document = {"forgotten": left, "restored": back}
            terminal.answer(
                document, lambda: [say(f"{len(left)} facts left, {len(back)} are back.")]
            )
        elif facts:
            found = agent.extracted_facts()
            terminal.answer({"facts": found}, lambda: _facts(found))
        elif waiting:
            counts = agent.extraction_waiting()
            told = ", ".join(f"{count} of {origin}" for origin, count in counts.items())
            terminal.answer({"waiting": counts}, lambda: [say(told or "Nothing waits.")])
        else:
            with stages("Extracting", "texts") as shown:
                done = agent.extract_facts(batches_max=batches_max, progress=shown)
            runs = [msgspec.to_builtins(each) for each in done]
            terminal.answer({"extractions": runs}, lambda: _extractions(done))


def _extract_all(terminal: Terminal, memory: Memory, batches_max: int) -> None:
    with stages("Extracting", "texts") as shown:
        done = memory.extraction().run(batches_max=batches_max, progress=shown)
    runs = [each for its in done.values() for each in its]
    terminal.answer({"extractions": msgspec.to_builtins(done)}, lambda: _extractions(runs))


def _extractions(done: Sequence[Extraction]) -> Sequence[Block]:
    if not done:
        return [say("No text was waiting.")]
    rows = tuple(
        (each.extraction_id, str(each.sources), str(len(each.facts)), _dropped(each))
        for each in done
    )
    head = ("extraction", "texts", "facts", "dropped")
    kept = [memo for each in done for memo in each.facts]
    return [
        TextTable(head=head, rows=rows, styles=("quiet", "number", "number", "")),
        *_facts(kept),
    ]


def _dropped(done: Extraction) -> str:
    counted = ", ".join(f"{count} {code}" for code, count in done.dropped.items())
    return done.reason or counted


def _facts(found: Sequence[Memo]) -> Sequence[Block]:
    if not found:
        return [say("No fact.")]
    rows = tuple((memo.key, memo.text, _quote(memo)) for memo in found)
    return [TextTable(head=("key", "fact", "quote"), rows=rows, styles=("name", "", "quiet"))]


def _quote(memo: Memo) -> str:
    match memo.metadata:
        case {"extracted": {"quote": str(quote)}}:
            return quote
        case _:
            return ""


@command("entities", verb="remember")
@click.argument("name", default="")
@options(EntitiesRequest, "kind")
@click.option("--path", "end", metavar="NAME", help="How it is connected with another entity.")
@click.option("--merge", "into", metavar="NAME", help="Say that it is the same as another one.")
@click.option("--split", is_flag=True, help="Say that it is an entity of its own.")
@click.option("--restore", is_flag=True, help="Undo a merge or a split.")
@AT
@VALID_AT
def entities(  # noqa: PLR0913 - one option each, as the terminal has them
    terminal: Terminal,
    *,
    name: str,
    kind: str,
    end: str | None,
    into: str | None,
    split: bool,
    restore: bool,
    at: int | None,
    valid_at: str,
) -> None:
    """List people, places and organisations; or one by NAME, with the sentences behind it.

    `user` is the person whose memory it is: muniment entities user --path Munich.
    """
    by_hand = into or split or restore
    if not name and (end or by_hand):
        raise click.UsageError("name an entity")
    if name and kind:
        raise click.UsageError("--kind narrows the list; leave it out beside a NAME")
    if by_hand and (at is not None or valid_at):
        raise click.UsageError("--at and --valid-at are for reading; a name is changed now")
    with terminal.memory() as memory:
        agent = terminal.agent(memory)
        if by_hand:
            seq = _by_hand(agent, name, into, split=split)
            terminal.answer({"seq": seq}, lambda: [say(f"Entry {seq}.")])
        elif end:
            steps = agent.path_between(name, end, at=at, valid_at=valid_at)
            terminal.answer({"path": steps}, lambda: _relations(steps))
        elif name:
            found = agent.about(name, at=at, valid_at=valid_at)
            terminal.answer(msgspec.to_builtins(found), lambda: _entity(found))
        else:
            told = agent.entities(kind=kind, at=at, valid_at=valid_at)
            terminal.answer({"entities": told}, lambda: _entities(told))


def _by_hand(agent: Agent, name: str, into: str | None, *, split: bool) -> int:
    if into:
        return agent.merge_entities(name, into)
    return agent.split_entity(name) if split else agent.restore_entity(name)


def _entities(found: Sequence[NamedEntity]) -> Sequence[Block]:
    if not found:
        return [say("No people, places or organisations are known yet.")]
    rows = tuple(
        (
            each.name,
            each.kind,
            str(len(each.relations)),
            str(len(each.ended)),
            ", ".join(each.other_names),
        )
        for each in found
    )
    head = ("entity", "kind", "relations", "ended", "other names")
    styles = ("name", "quiet", "number", "number", "quiet")
    return [TextTable(head=head, rows=rows, styles=styles)]


def _entity(found: NamedEntity) -> Sequence[Block]:
    names = ", ".join((found.name, *found.other_names))
    ended = [say("No longer so:"), *_ended(found.ended)] if found.ended else []
    relations = _relations(found.relations) if found.relations else []
    return [say(f"{names} ({found.kind})"), *relations, *ended]


def _relations(steps: Sequence[EntityRelation]) -> Sequence[Block]:
    """Each with the sentence that says so, since when, and where that is kept."""
    if not steps:
        return [say("No sentence connects them.")]
    rows = tuple(
        (each.subject, each.relation, each.object, each.since[:DAY], each.sentence, each.evidence)
        for each in steps
    )
    head = ("of", "relation", "is", "since", "sentence", "from")
    return [TextTable(head=head, rows=rows, styles=("name", "quiet", "name", "quiet", "", "quiet"))]


def _ended(steps: Sequence[EntityRelation]) -> Sequence[Block]:
    """Each with the sentence that ended it."""
    rows = tuple(
        (
            each.subject,
            each.relation,
            each.object,
            each.since[:DAY],
            each.until[:DAY],
            each.ended_sentence,
            each.ended_by,
        )
        for each in steps
    )
    head = ("of", "relation", "was", "since", "until", "sentence", "from")
    styles = ("name", "quiet", "name", "quiet", "quiet", "", "quiet")
    return [TextTable(head=head, rows=rows, styles=styles)]

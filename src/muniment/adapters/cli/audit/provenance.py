"""`blame`, `impact`, `diff`, `about`: provenance from the log, as an auditor sees it."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

import click
import msgspec

from muniment.adapters.cli.errors import naming
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, pairs, say
from muniment.adapters.cli.progress import entries_of, progress, stages
from muniment.adapters.cli.service.import_export import written
from muniment.adapters.operations import export
from muniment.adapters.operations.export import Disclosure
from muniment.adapters.rendering import event_summary
from muniment.engine.audit.log_statistics import Touched
from muniment.engine.audit.provenance import Trail, TrailLink
from muniment.model import scope
from muniment.model.errors import NotFoundError, RefusedError
from muniment.model.scope import Persona, StreamId, StreamKind

STREAMS: Final = (str(StreamKind.AGENT), str(StreamKind.COUNCIL), str(StreamKind.COLLECTION))
STREAM = click.option("--stream", type=click.Choice(STREAMS), default=None, help="Which log.")
COUNTED_MAX: Final = 500  # entries between two signs of progress


@command("blame", verb="streams")
@click.argument("name", metavar="ID")
@STREAM
def blame(terminal: Terminal, *, name: str, stream: str | None) -> None:
    """Show where the item ID comes from: who asked, under which policy, who approved it."""
    with terminal.memory():
        found = _trail(terminal, name, stream)
        _answer(terminal, found, [found.born, *found.before])


@command("impact", verb="streams")
@click.argument("name", metavar="ID")
@STREAM
def impact(terminal: Terminal, *, name: str, stream: str | None) -> None:
    """Show what the item ID led to: recalls, contexts, summaries, skills, and its end."""
    with terminal.memory():
        found = _trail(terminal, name, stream)
        followed = list(found.after)
        while not found.is_whole:
            found = terminal.hands().auditor.trail(
                found.born.stream, name, after=found.scanned_upto, user=terminal.options.user
            )
            followed += found.after
        _answer(terminal, found, followed)


@command("diff", verb="streams")
@click.argument("start", type=click.IntRange(min=0), metavar="FROM")
@click.argument("end", type=click.IntRange(min=0), metavar="[TO]", default=None, required=False)
@STREAM
def diff(terminal: Terminal, *, start: int, end: int | None, stream: str | None) -> None:
    """Show what was added, changed, retired, forgotten and refused after entry FROM, up to TO."""
    with terminal.memory():
        chosen = _streams(terminal, stream)[0]
        told = terminal.hands().auditor.diff(chosen, start, end, user=terminal.options.user)
    document = {"stream": chosen.text, "changes": told}
    terminal.answer(document, lambda: _changes(told))


@command("about", verb="streams")
@click.argument("person", metavar="USER")
@click.option("--file", "path", default="", metavar="FILE", help="Write every entry to a file.")
@click.option("--force", is_flag=True, help="Overwrite an existing file.")
def about(terminal: Terminal, *, person: str, path: str, force: bool) -> None:
    """Report what is stored about USER: entries, facts, consents, redactions, privileged reads.

    With --file, every entry about them in every log, one JSON object a line, and a manifest beside
    it: what they may ask to see, and what an erasure would destroy. Raw data that was kept under
    consent is shown by `payload`, which is logged.
    """
    unknown = naming(f"nothing is known about {person!r}")
    if path:
        with (
            terminal.memory(),
            progress("Writing", total=lambda: entries_of(terminal.house)) as step,
            unknown,
        ):
            manifest = export.write(Disclosure(terminal.house, person, step), path, force=force)
        terminal.answer({"file": path, "manifest": manifest}, lambda: written(path, manifest))
        return
    with terminal.memory(), stages("Counting", "entries") as shown, unknown:
        auditor = terminal.hands().auditor
        known = auditor.dossier(person, most=COUNTED_MAX)
        while known.unread:
            shown("", known.done, sum(known.lengths.values()))
            known = auditor.dossier(person, known, most=COUNTED_MAX)
        told = auditor.told(known)
    document = msgspec.to_builtins(told)
    rows = [
        ("entries", event_summary.spelled(told.entries) or "none"),
        ("alive", event_summary.spelled(told.layers) or "nothing"),
        ("governed facts", ", ".join(fact.key for fact in told.facts) or "none"),
        ("consents", ", ".join(each.consent_id for each in told.consents) or "none"),
        ("redactions", event_summary.spelled(told.redactions) or "none"),
        ("privileged reads", str(sum(not each.result_digest for each in told.accesses))),
    ]
    terminal.answer(document, lambda: [say((person, "name")), pairs(rows, indent=2)])


def _streams(terminal: Terminal, kind: str | None) -> list[StreamId]:
    """Where a name may be meant: what was chosen, else the agent's own log and the council's."""
    tenant, agent = terminal.options.tenant, terminal.options.agent
    both = [scope.agent_stream(tenant, agent, persona) for persona in Persona]
    if kind == StreamKind.COUNCIL:
        return [scope.council_stream(tenant, persona) for persona in Persona]
    if kind == StreamKind.COLLECTION:
        return [scope.collection_stream(each) for each in both]
    if kind == StreamKind.AGENT:
        return both
    return [*both, scope.council_stream(tenant), *map(scope.collection_stream, both)]


def _trail(terminal: Terminal, name: str, kind: str | None) -> Trail:
    for stream in _homes(terminal, name, kind):
        try:
            return terminal.hands().auditor.trail(stream, name, user=terminal.options.user)
        except NotFoundError:
            continue
    refuse_entity(terminal, name)
    raise NotFoundError(f"there is no item {name!r}; `muniment list` shows what there is")


def _homes(terminal: Terminal, name: str, kind: str | None) -> Iterator[StreamId]:
    """Where it may have been born: as was chosen, or in any log, that of a space too."""
    yield from _streams(terminal, kind)
    if kind is None:
        with suppress(NotFoundError):
            yield terminal.hands().auditor.home(terminal.agent_stream, name)


def refuse_entity(terminal: Terminal, name: str) -> None:
    """An entity stands in no entry by itself: those that name it do."""
    with suppress(NotFoundError):
        found = terminal.agent(terminal.house, verb="recall").about(name)
        rests = (*found.relations, *found.ended)
        said_by = [by for each in rests for by in (each.evidence, each.ended_by) if by]
        raise RefusedError("rests_on_others", ", ".join(dict.fromkeys(said_by)))


def _answer(terminal: Terminal, found: Trail, links: Sequence[TrailLink]) -> None:
    named = terminal.hands().auditor.named
    document = {
        "item_id": found.item_id,
        "stream": found.born.stream.text,
        "born": found.born.line.seq,
        "died": found.died.line.seq if found.died else None,
        "lifecycle": msgspec.to_builtins(found.lifecycle),
        "links": [
            {
                "why": each.why,
                "stream": each.stream.text,
                "seq": each.line.seq,
                "type": each.line.header.type,
                "gist": event_summary.gist(each.line, named),
                "hash": each.line.hash.hex(),
            }
            for each in links
        ],
    }
    terminal.answer(document, lambda: _links(found, links, named))


def _links(found: Trail, links: Sequence[TrailLink], named: event_summary.Named) -> Sequence[Block]:
    until = f"entry {found.died.line.seq}" if found.died else "now"
    rows = tuple(
        (each.why, str(each.line.seq), each.line.header.type, event_summary.gist(each.line, named))
        for each in links
    )
    life = msgspec.structs.asdict(found.lifecycle)
    return [
        say((found.item_id, "name"), f"  from entry {found.born.line.seq} until {until}"),
        say(", ".join(f"{name} {moment}" for name, moment in life.items() if moment)),
        TextTable(
            head=("why", "entry", "type", "what"),
            rows=rows,
            styles=("good", "number", "name", ""),
            one_line=True,
        )
        if rows
        else say("Nothing in the log mentions it."),
    ]


def _changes(told: Sequence[Touched]) -> Sequence[Block]:
    if not told:
        return [say("Nothing has changed.")]
    rows = tuple(
        (str(each.change), str(each.seq), each.layer or each.why, each.text or each.item_id)
        for each in told
    )
    head = ("change", "entry", "layer or reason", "what")
    return [TextTable(head=head, rows=rows, styles=("name", "number", "quiet", ""), one_line=True)]

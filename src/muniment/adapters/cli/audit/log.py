"""`log` and `show`: the entries of a log, and one of them in full."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

import click

from muniment.adapters.cli.audit.provenance import refuse_entity
from muniment.adapters.cli.options import Terminal, command
from muniment.adapters.cli.output import Block, TextTable, pairs, say
from muniment.adapters.rendering import event_summary, plain_text
from muniment.engine.api.memory import Memory
from muniment.log.entry import Line
from muniment.model import scope
from muniment.model.errors import NotFoundError
from muniment.model.scope import StreamId, StreamKind

LIMIT: Final = 50
LIMIT_HELP: Final = f"At most this many, the newest unless --after is given. [{LIMIT}; 0: all]"
PLACE: Final = re.compile(r"[1-9][0-9]{0,14}")
SECONDS: Final = 19  # characters of a time, down to the second
STREAMS: Final = (str(StreamKind.AGENT), str(StreamKind.COUNCIL), str(StreamKind.OPS))
# What an entry may be called by: the name of what it brought into being.
NAMES: Final = {
    "action_request": "request_id",
    "confirmation_asked": "confirmation_id",
    "episodic_written": "episodic_id",
    "PII_CONSENT": "consent_id",
    "sem_put": "key",
    "wm_inserted": "wm_id",
}
STREAM = click.option("--stream", type=click.Choice(STREAMS), default=None, help="Which log.")


@command("log", verb="streams")
@click.option("--limit", type=click.IntRange(min=0), metavar="N", default=LIMIT, help=LIMIT_HELP)
@click.option("--after", type=click.IntRange(min=0), metavar="SEQ", help="Start after this entry.")
@STREAM
def log(terminal: Terminal, *, limit: int, after: int | None, stream: str | None) -> None:
    """List the entries of a log, newest last: number, time, type and summary."""
    with terminal.memory():
        memory = terminal.house
        chosen = stream_of(terminal, memory, stream or StreamKind.AGENT)
        start = _start(terminal, memory, chosen, limit) if after is None else after
        seen = _seen(terminal, chosen, memory.log(chosen, after=start))
        lines = _page(seen, limit, newest=after is None)
        document = {"stream": chosen.text, "entries": [_entry(line) for line in lines]}
        terminal.answer(document, lambda: _log(lines))


@command("show", verb="streams")
@click.argument("name", metavar="ID_OR_SEQ")
@STREAM
def show(terminal: Terminal, *, name: str, stream: str | None) -> None:
    """Show one log entry in full.

    ID_OR_SEQ is its number, its id, or the id of what it created (ep:…, req:…, a key).

    A number counts in the agent's log; --stream selects another log.
    """
    with terminal.memory():
        found = find(terminal, terminal.house, name, stream)
        if found is None:
            refuse_entity(terminal, name)
            raise NotFoundError(f"there is no entry {name!r}; `muniment log` lists them")
        chosen, line = found
        document = {"stream": chosen.text} | event_summary.document(line)
        terminal.answer(document, lambda: _show(chosen, line, document))


def stream_of(terminal: Terminal, memory: Memory, kind: str) -> StreamId:
    found = _named(terminal, kind)
    if kind == StreamKind.AGENT:
        terminal.expect_agent(memory)
    elif found not in memory.streams():
        raise NotFoundError(f"there is no {kind} log in {terminal.place}")
    return found


def _named(terminal: Terminal, kind: str) -> StreamId:
    if kind == StreamKind.AGENT:
        return terminal.agent_stream
    if kind == StreamKind.COUNCIL:
        return terminal.council_stream
    return scope.ops_stream(terminal.options.tenant)


def _start(terminal: Terminal, memory: Memory, chosen: StreamId, limit: int) -> int:
    """Where the newest entries begin: a long log need not be read from its first day."""
    if not limit or chosen != terminal.agent_stream or terminal.options.user:
        return 0
    return max(terminal.agent(memory, verb="log").seq - limit, 0)


def _seen(terminal: Terminal, chosen: StreamId, lines: list[Line]) -> list[Line]:
    """What the named user may see; where none is named, all, as an operator does."""
    user = terminal.options.user
    return list(terminal.hands().auditor.seen(user, chosen, lines)) if user else lines


def _page(lines: list[Line], limit: int, *, newest: bool) -> list[Line]:
    if not limit:
        return lines
    return lines[-limit:] if newest else lines[:limit]


def find(
    terminal: Terminal, memory: Memory, name: str, stream: str | None
) -> tuple[StreamId, Line] | None:
    if PLACE.fullmatch(name):
        chosen = stream_of(terminal, memory, stream or StreamKind.AGENT)
        seq = int(name)
        found = _seen(terminal, chosen, memory.log(chosen, after=seq - 1, upto=seq))
        return (chosen, found[0]) if found else None
    candidates = _candidates(terminal, memory, stream)
    called = next(((s, line) for s, line in candidates if _is_called(line, name)), None)
    return called or (None if stream else _born(terminal, name))


def _born(terminal: Terminal, name: str) -> tuple[StreamId, Line] | None:
    """The entry that an id of any kind was born with, in whichever log."""
    auditor = terminal.hands().auditor
    with suppress(NotFoundError):
        home = auditor.home(terminal.agent_stream, name)
        return home, auditor.trail(home, name, user=terminal.options.user).born.line
    return None


def _candidates(
    terminal: Terminal, memory: Memory, stream: str | None
) -> Iterator[tuple[StreamId, Line]]:
    """Entries to look at, the newest of each log first: what a name means now."""
    known = memory.streams()
    for kind in [stream] if stream else STREAMS:
        chosen = _named(terminal, kind)
        if chosen in known:
            for line in reversed(_seen(terminal, chosen, memory.log(chosen))):
                yield chosen, line


def _is_called(line: Line, name: str) -> bool:
    attribute = NAMES.get(line.header.type, "")
    return line.header.id == name or getattr(line.event, attribute or "seq", None) == name


def _entry(line: Line) -> dict[str, object]:
    return {
        "seq": line.seq,
        "id": line.header.id,
        "ts": line.header.ts,
        "type": line.header.type,
        "job": line.header.job,
        "tick": line.header.tick,
        "erased": event_summary.is_erased(line),
        "gist": event_summary.gist(line),
        "hash": line.hash.hex(),
    }


def _log(lines: list[Line]) -> Sequence[Block]:
    if not lines:
        return [say("No entries.")]
    rows = tuple(
        (str(line.seq), _time(line.header.ts), line.header.type, event_summary.gist(line))
        for line in lines
    )
    head = ("seq", "time", "type", "what")
    return [TextTable(head=head, rows=rows, styles=("number", "quiet", "name", ""), one_line=True)]


def _show(stream: StreamId, line: Line, document: dict[str, object]) -> Sequence[Block]:
    header = line.header
    about = [
        ("stream", stream.text),
        ("entry", header.seq),
        ("id", header.id),
        ("time", header.ts),
        ("job, tick", f"{header.job}, {header.tick}"),
        ("asked by entry", header.cause),
        ("policy", header.policy),
        ("hash", line.hash.hex()),
    ]
    sealed = [("sealed for", f"{part.subject} ({part.commitment})") for part in header.parts]
    blocks: list[Block] = [
        say((header.type, "name"), "  ", event_summary.gist(line)),
        pairs([*about, *sealed], indent=2),
        say(""),
    ]
    told = [text.partition(plain_text.SEPARATOR) for text in plain_text.lines(document["event"])]
    return [*blocks, pairs([(key, value) for key, _, value in told], indent=2)]


def _time(ts: str) -> str:
    return ts[:SECONDS].replace("T", " ")

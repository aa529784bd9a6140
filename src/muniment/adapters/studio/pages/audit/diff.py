"""Two moments of a log side by side: added, changed, retired, forgotten, refused; and an undo."""

import msgspec

from muniment.adapters.rendering import event_words
from muniment.adapters.studio.known import wording
from muniment.adapters.studio.page_context import Studio, number
from muniment.adapters.studio.page_request import (
    PageRequest,
    Redirect,
    RenderedPage,
    insist_on_writing,
    stream_link,
)
from muniment.adapters.studio.pages.audit.timeline import chosen
from muniment.engine.audit.log_statistics import EntryEffect, Touched
from muniment.log.entry import Line
from muniment.model.commands.conversation import Conversing
from muniment.model.errors import InputError, RefusedError
from muniment.model.events import Received
from muniment.model.kinds.conversation_item import Kind
from muniment.model.scope import StreamId, StreamKind

ROWS_MAX = 500
PUT_RIGHT = "corrected by "
CLOSED = frozenset(map(wording.layer, ("conversation", "long-term mirror", "loop summaries")))
LOOKED_BACK = 1_000  # entries that are compared where nobody says from where
ENTRIES_MAX = 5_000  # looked at for one page: a third of a second


class DiffRow(msgspec.Struct, frozen=True, kw_only=True):
    touched: Touched
    entry: str
    item: str
    can_undo: bool
    words: str  # without what was taken out of them
    why: str


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """What is alike in a difference: how much of it there is, and the first of it."""

    name: str
    count: int
    rows: list[DiffRow]

    @property
    def title(self) -> str:
        return wording.EFFECTS.get(self.name, self.name)

    @property
    def folds(self) -> list[tuple[str, list[DiffRow], bool]]:
        """The rows by what sort of thing they are; what was only said is closed."""
        found: dict[str, list[DiffRow]] = {}
        for row in self.rows:
            found.setdefault(wording.layer(row.touched.layer), []).append(row)
        only_one = len(found) == 1
        return [(kind, rows, only_one or kind not in CLOSED) for kind, rows in found.items()]


def page(studio: Studio, asked: PageRequest) -> RenderedPage:
    stream = chosen(studio, asked)
    if stream is None:
        return RenderedPage(template="empty.html", values={})
    head = studio.memory.head(stream)
    end = asked.number("to") or asked.at or head
    start = asked.number("from")
    first = max(end - LOOKED_BACK, 0) if start is None else start
    told = studio.auditor.diff(stream, first, end, most=ENTRIES_MAX)
    reached = min(first + ENTRIES_MAX, end)
    groups = [
        _column(studio, stream, str(change), [each for each in told if _effect(each) is change])
        for change in map(EntryEffect, wording.EFFECTS)
    ]
    return RenderedPage(
        template="difference.html",
        values={
            "stream": stream,
            "streams": studio.streams(),
            "groups": groups,
            "count": len(told),
            "from_seq": first,
            "to_seq": end,
            "reached": reached,
            "further": (
                stream_link("/diff", stream, **{"from": reached, "to": end})
                if reached < end
                else ""
            ),
            "head": head,
            "phases": stream_link("/phases", stream),
        },
    )


def _effect(each: Touched) -> EntryEffect:
    """What was put right was replaced: other words stand in its place."""
    was_replaced = each.change is EntryEffect.FORGOTTEN and each.why.startswith(PUT_RIGHT)
    return EntryEffect.RETIRED if was_replaced else each.change


def beside(studio: Studio, asked: PageRequest) -> RenderedPage:
    """Two logs side by side (agents, personas, spaces): what only one has, and what both have."""
    one = studio.stream(asked.get("stream"))
    other = studio.stream(asked.get("other"))
    left, right = (studio.auditor.living(each) for each in (one, other))
    known = {each.text for each in left} & {each.text for each in right}
    columns = [
        _column(
            studio,
            one,
            f"only {wording.log_name(one)}",
            [it for it in left if it.text not in known],
        ),
        _column(studio, one, "both", [it for it in left if it.text in known]),
        _column(
            studio,
            other,
            f"only {wording.log_name(other)}",
            [it for it in right if it.text not in known],
        ),
    ]
    return RenderedPage(
        template="beside.html", values={"one": one, "other": other, "columns": columns}
    )


def phases(studio: Studio, asked: PageRequest) -> RenderedPage:
    """Where each of the latest phases began, as a difference from there to now."""
    stream = studio.stream(asked.get("stream"))
    found = studio.auditor.page(stream, limit=200, sought=studio.of_type("phase_started"))
    told = [
        (
            f"{event_words.gist(line)}, {wording.day(line.header.ts)}",
            stream_link("/diff", stream, **{"from": line.seq}),
        )
        for line in found.lines
    ]
    return RenderedPage(template="phases.html", values={"phases": told})


def undo(studio: Studio, asked: PageRequest) -> Redirect:
    """Bring back what a write superseded, through a new entry in the session it was made in."""
    insist_on_writing(studio)
    stream = studio.stream(asked.form.get("stream", ""), StreamKind.AGENT)
    seq = number(asked.form.get("seq", ""), "seq", least=1)
    if seq is None:
        raise InputError("name the entry to undo")
    command = _command(studio.auditor.batch(stream, seq))
    if command is None:
        raise RefusedError("nothing_to_undo", "this entry superseded nothing in a conversation")
    user = command.subject.removeprefix("user_")
    agent = studio.memory.agent(stream.owner, user=user)
    agent.conversation(session=command.session).undo(seq)
    return Redirect(where=stream_link("/log", stream))


def _column(studio: Studio, stream: StreamId, name: str, told: list[Touched]) -> Column:
    rows = [_row(studio, stream, each) for each in told[:ROWS_MAX]]
    return Column(name=name, count=len(told), rows=rows)


def _row(studio: Studio, stream: StreamId, each: Touched) -> DiffRow:
    return DiffRow(
        touched=each,
        entry=stream_link("/entry", stream, seq=each.seq),
        item=stream_link("/item", stream, id=each.item_id) if _has_a_page(each) else "",
        can_undo=studio.may_write and _was_overruled(each),
        words=wording.codeless(each.text),
        why=wording.ending(each.why) if each.why else "",
    )


def _has_a_page(each: Touched) -> bool:
    """What was refused never came to be: there is only the entry that says so."""
    return bool(each.item_id) and each.change is not EntryEffect.REFUSED


def _was_overruled(each: Touched) -> bool:
    """Whether something else took its place; a summary that was continued lost nothing."""
    overruled = each.change is EntryEffect.RETIRED and each.why == "superseded"
    return overruled and f":{Kind.SHORT_TERM}:" not in each.item_id


def _command(batch: list[Line]) -> Conversing | None:
    asked = batch[0].event if batch else None
    command = asked.command if isinstance(asked, Received) else None
    return command if isinstance(command, Conversing) else None

"""Provenance of an item: what led to it (blame), what it led to (impact), from the log."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import attrgetter
from typing import Final

import msgspec

from muniment.engine.session.stream_hub import StreamHub
from muniment.layers import contexts, document_rows, episodes, loop_events, mirror, shelves
from muniment.layers.governance import governed_facts
from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.errors import NotFoundError
from muniment.model.events import (
    EpisodesWritten,
    EpisodeWritten,
    ItemForgotten,
    Recalled,
    Received,
    RequestRaised,
    RequestSettled,
    Shredded,
    VoteCast,
)
from muniment.model.events.conversation import ItemDeleted, ItemsConflicted, ItemsRecalled
from muniment.model.events.documents import DocumentPut
from muniment.model.events.erasure import DeletionOrdered
from muniment.model.events.loops import LoopsDigested, LoopSummarised, SkillExtracted
from muniment.model.events.memos import MemoKept, MemoMarked, MemosForgotten, MemoShelved
from muniment.model.events.reads import ContextAssembled
from muniment.model.events.rollback import RecordsRevived
from muniment.model.kinds.episode import Evidence
from muniment.model.kinds.loop import LOOP_PREFIX, MIRROR_PREFIX, SUMMARY_PREFIX
from muniment.model.scope import Persona, StreamId, StreamKind, collection_stream, council_stream

SCAN_ENTRIES: Final = 5_000  # of one look forward; the next one goes on where it ended
LOGS_MAX: Final = 64  # asked whether an id was born there: each has to be opened
# Where an id may have been born, as far as a shelf can tell without reading the log.
SHELVES: Final = (
    episodes.SHELF,
    shelves.ITEMS,
    governed_facts.SHELF,
    shelves.REQUESTS,
    shelves.PROMOTIONS,
    shelves.JOBS,
    document_rows.SHELF,
    mirror.SKILLS,
    loop_events.SHELF,
    loop_events.LOOPS,
    contexts.SHELF,
)
# The field that names what an entry brought into being, by the entry's type.
MAKES: Final = {
    "wm_inserted": "wm_id",
    "promotion_event": "cwm_id_item",
    "goal_set": "goal_id",
    "confirmation_asked": "confirmation_id",
    "PII_CONSENT": "consent_id",
    "ltm_mirrored": "source_id",
    "stm_summarised": "loop_id",
    "stm_digested": "digest_id",
    "skill_extracted": "skill_id",
    "memo_kept": "memo.id",
    "thread_opened": "thread_id",
    "episode_opened": "episode_id",
    "facts_extracted": "request",
    "summary_worded": "request",
}
# What a later entry is to an item, where a life is told by it.
RECALLED, CHANGED, RESTORED, ENDED = "recalled", "changed", "restored", "ended"
EFFECTS: Final[dict[type, str]] = {
    Recalled: RECALLED,
    ItemsRecalled: RECALLED,
    ContextAssembled: RECALLED,
    ItemDeleted: ENDED,
    ItemForgotten: ENDED,
    DeletionOrdered: ENDED,
    MemosForgotten: ENDED,
    MemoMarked: CHANGED,
    ItemsConflicted: "rival",
    SkillExtracted: "skill",
    LoopSummarised: "summarised",
    LoopsDigested: "summarised",
}
CORRECTS: Final = "corrects"  # the note of the evidence of an episode that says another one anew
# What an entry says that another one is to it.
PARENTS: Final = ("summary_of", "promoted_from", "demoted_from", "prior", "wm_id", "source_id")


class TrailLink(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of a trail, and what it is to the item."""

    why: str  # made, asked, policy, redacted, evidence, request, vote, settled, rival, recalled, …
    stream: StreamId
    line: Line
    names: str = ""  # the id this link is about, where it is not the item itself


class Lifecycle(msgspec.Struct, frozen=True, kw_only=True):
    """When an item was made, last read, last changed and ended, as observed; empty: never."""

    created: str
    accessed: str = ""
    modified: str = ""
    deleted: str = ""


class Trail(msgspec.Struct, frozen=True, kw_only=True):
    """An item's life: where it began, what led there, and what followed so far."""

    item_id: str
    born: TrailLink
    died: TrailLink | None
    before: tuple[TrailLink, ...]
    after: tuple[TrailLink, ...]
    lifecycle: Lifecycle
    scanned_upto: int  # how far the look forward has come
    head: int

    @property
    def is_whole(self) -> bool:
        return self.scanned_upto >= self.head


def trail(
    hub: StreamHub,
    stream_id: StreamId,
    item_id: str,
    *,
    after: int = 0,
    sees: Callable[[StreamId, Line], bool] = lambda _stream, _line: True,
) -> Trail:
    """Everything the log says about an item; a long life is looked through in parts.

    Of entries that the reader does not see nothing is told, and an item that begins in one is none.
    """
    item_id = canonical_json.admit_text(item_id)
    if not hub.exists(stream_id):
        raise NotFoundError
    born, died_seq = _birth(hub, stream_id, item_id)
    if not sees(stream_id, born):
        raise NotFoundError
    writer = hub.writer(stream_id)
    start = max(after, born.seq)
    upto = min(start + SCAN_ENTRIES, writer.head.seq)
    death = writer.shelves().line(died_seq) if died_seq else None
    made_by = TrailLink(why="made", stream=stream_id, line=born)
    shown = death if death and sees(stream_id, death) else None
    died = TrailLink(why=ENDED, stream=stream_id, line=shown) if shown else None
    later = _after(hub, stream_id, item_id, start, upto)
    followed = tuple(each for each in later if sees(each.stream, each.line))
    before = _before(hub, stream_id, born, item_id)
    return Trail(
        item_id=item_id,
        born=made_by,
        died=died,
        before=tuple(each for each in before if sees(each.stream, each.line)),
        after=followed,
        lifecycle=_lifecycle(hub, made_by, died, followed),
        scanned_upto=upto,
        head=writer.head.seq,
    )


def _lifecycle(
    hub: StreamHub, born: TrailLink, died: TrailLink | None, after: Sequence[TrailLink]
) -> Lifecycle:
    """The last moment of each kind; what came back is not ended."""
    last = {each.why: each for each in after}
    changes = [last[why] for why in (CHANGED, RESTORED) if why in last]
    changed = max(changes, key=lambda each: each.line.seq, default=None)
    ended = last.get(ENDED, died)
    is_back = changed is not None and ended is not None and changed.line.seq > ended.line.seq
    return Lifecycle(
        created=_observed(hub, born),
        accessed=_observed(hub, last.get(RECALLED)),
        modified=_observed(hub, changed),
        deleted="" if is_back else _observed(hub, ended),
    )


def _observed(hub: StreamHub, link: TrailLink | None) -> str:
    """When an entry was asked for, as its clock said; without one, the time of its own log."""
    if link is None:
        return ""
    asked = hub.shelves(link.stream).line(link.line.header.cause)
    told = asked.event if asked else None
    return (told.at if isinstance(told, Received) else "") or link.line.header.ts


def kept_as(item_id: str) -> str:
    """The id under which the log knows what a read calls otherwise: a mirror entry, a summary."""
    if item_id.startswith(SUMMARY_PREFIX):
        return f"{LOOP_PREFIX}{item_id.removeprefix(SUMMARY_PREFIX)}"
    return item_id.removeprefix(MIRROR_PREFIX)


def mentions(value: object) -> Iterator[str]:
    """Every text inside a value, at any depth."""
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():
                yield from mentions(inner)
        case list() | tuple():
            for inner in value:
                yield from mentions(inner)
        case msgspec.Struct():
            for name in value.__struct_fields__:
                yield from mentions(getattr(value, name))
        case _:
            return


def made(line: Line) -> list[str]:
    """The ids of what an entry brought into being."""
    event = line.event
    if isinstance(event, EpisodesWritten):
        return episodes.names(event)
    if isinstance(event, DocumentPut):
        return [document_rows.document_id(event.subject, event.namespace, event.key)]
    if isinstance(event, Shredded):
        return []
    item = getattr(event, "item", None)
    named = [
        attrgetter(MAKES[line.header.type])(event) if line.header.type in MAKES else "",
        item.id if item is not None and line.header.type == "item_written" else "",
        getattr(event, "episodic_id", "") if line.header.type == "episodic_written" else "",
        getattr(event, "request_id", "") if isinstance(event, RequestRaised) else "",
        getattr(event, "key", "") if line.header.type == "sem_put" else "",
    ]
    return [name for name in named if name]


def home(hub: StreamHub, near: StreamId, item_id: str) -> StreamId:
    """The log that an id was born in, as far as shelves tell: the one it was met in, or another.

    What an agent is told comes from many logs: its own, what was derived from it, the council's,
    those of spaces. An id that none of them knows is at home where it was met.
    """
    derived = [collection_stream(near)] if near.kind is StreamKind.AGENT else []
    first = [near, *derived, *(council_stream(near.tenant, persona) for persona in Persona)]
    others = [each for each in hub.known_streams() if each.tenant == near.tenant]
    known = dict.fromkeys([*filter(hub.exists, first), *others])
    asked = islice(known, LOGS_MAX)
    return next((each for each in asked if _shelved(hub, each, item_id)), near)


def birth(hub: StreamHub, stream_id: StreamId, item_id: str) -> Line | None:
    """The entry that an id of this log was born with, where a shelf knows it."""
    found = _shelved(hub, stream_id, item_id)
    return found[0] if found else None


def _shelved(hub: StreamHub, stream_id: StreamId, item_id: str) -> tuple[Line, int | None] | None:
    found = hub.shelves(stream_id)
    rows = (row for shelf in SHELVES for row in found.ever(shelf, item_id=kept_as(item_id)))
    return next(((line, died) for _, died, line in rows), None)


def _birth(hub: StreamHub, stream_id: StreamId, item_id: str) -> tuple[Line, int | None]:
    shelved = _shelved(hub, stream_id, item_id)
    if shelved:
        return shelved
    # What lies on no shelf is known from its entry alone.
    for line in hub.writer(stream_id).lines(wanted=lambda header: header.type in MAKES):
        if kept_as(item_id) in made(line):
            return line, None
    raise NotFoundError


def _before(hub: StreamHub, stream_id: StreamId, born: Line, item_id: str) -> Iterator[TrailLink]:
    """What was asked, under which policy, with whose yes, against whom, and resting on what."""
    writer = hub.writer(stream_id)
    for line in writer.batch(born.header.cause):
        match line.event:
            case Received():
                yield TrailLink(why="asked", stream=stream_id, line=line)
            case ItemsConflicted(loser_id=loser, winner_id=winner) if item_id in {loser, winner}:
                other = loser if winner == item_id else winner
                yield TrailLink(why="rival", stream=stream_id, line=line, names=other)
            case _ if line.header.type == "PII_REDACTED":
                yield TrailLink(why="redacted", stream=stream_id, line=line)
            case _:
                pass
    yield from _approval(hub, stream_id, born)
    yield from _rests_on(hub, stream_id, born, item_id)


def _approval(hub: StreamHub, stream_id: StreamId, born: Line) -> Iterator[TrailLink]:
    """The request an item was granted by, its votes, and how it was settled."""
    request_id = getattr(born.event, "request_id", "")
    if not request_id or isinstance(born.event, RequestRaised):
        return
    dockets = [council_stream(stream_id.tenant, persona) for persona in Persona]
    for docket in (each for each in dockets if hub.exists(each)):
        rows = list(hub.shelves(docket).ever(shelves.REQUESTS, item_id=request_id))
        if not rows:
            continue
        for line in hub.writer(docket).lines(after=rows[0][0] - 1, upto=born.seq):
            match line.event:
                case RequestRaised(request_id=name) if name == request_id:
                    yield from _rests_on(hub, docket, line, name)
                    yield TrailLink(why="request", stream=docket, line=line, names=name)
                case VoteCast(request_id=name) if name == request_id:
                    yield TrailLink(why="vote", stream=docket, line=line, names=name)
                case RequestSettled(request_id=name) if name == request_id:
                    yield TrailLink(why="settled", stream=docket, line=line, names=name)
                case _:
                    pass


def _rests_on(hub: StreamHub, stream_id: StreamId, born: Line, item_id: str) -> Iterator[TrailLink]:
    """What it was made from: evidence, the items it sums up, what it was promoted from.

    What the council was asked for rests on what stands in the log of whoever asked.
    """
    is_council = stream_id.kind is StreamKind.COUNCIL
    for name in dict.fromkeys(parents(born)):
        if name in {"", item_id}:
            continue
        where = home(hub, stream_id, name) if is_council else stream_id
        found = _shelved(hub, where, name)
        if found:
            yield TrailLink(why="evidence", stream=where, line=found[0], names=name)


def parents(line: Line) -> Iterator[str]:
    """The ids that an entry says it rests on."""
    event = line.event
    for each in getattr(event, "evidence", ()) or ():
        is_cited = isinstance(each, Evidence)  # its hash and its note name nothing
        yield from (each.episodic_id, *each.sem_keys) if is_cited else mentions(each)
    inside = (event, getattr(event, "item", None), getattr(getattr(event, "item", None), "meta", 0))
    for holder in inside:
        for name in PARENTS:
            yield from mentions(getattr(holder, name, ""))


def _after(
    hub: StreamHub, stream_id: StreamId, item_id: str, start: int, upto: int
) -> Iterator[TrailLink]:
    """Later entries that speak of the item, here and in what was derived from here."""
    for line in hub.writer(stream_id).lines(after=start, upto=upto):
        why = _effect(line, item_id)
        if why:
            yield TrailLink(why=why, stream=stream_id, line=line)
    derived = collection_stream(stream_id)
    if stream_id.kind is StreamKind.AGENT and start <= upto and hub.exists(derived):
        for line in islice(hub.writer(derived).lines(), SCAN_ENTRIES):
            why = _effect(line, item_id)
            if why:
                yield TrailLink(why=why, stream=derived, line=line)


def _effect(line: Line, item_id: str) -> str:
    """What an entry is to an item that it speaks of; empty when it does not."""
    event, names = line.event, {item_id, kept_as(item_id)}
    if isinstance(event, Received | Shredded) or names.isdisjoint(mentions(event)):
        return ""
    return _said_of(event, item_id) or EFFECTS.get(type(event), "touched")


def _said_of(event: object, item_id: str) -> str:
    """What an entry is to an item by how it names it; empty where its type alone says that."""
    match event:
        case MemoKept(supersedes=name) if name == item_id:
            return CHANGED
        case MemoShelved(reason="restored"):
            return RESTORED
        case RecordsRevived() as told:
            return RESTORED if item_id in loop_events.lives_again(told) else ENDED
        case EpisodeWritten(evidence=(Evidence(episodic_id=name, note=note), *_)) if (
            name == item_id and note == CORRECTS
        ):
            return CHANGED
        case _:
            return "summarised" if _sums_up(event, item_id) else ""


def _sums_up(event: object, item_id: str) -> bool:
    meta = getattr(getattr(event, "item", None), "meta", None)
    return item_id in (getattr(meta, "summary_of", ()) or ())

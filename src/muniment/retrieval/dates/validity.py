"""Validity intervals: the days over which a record was true, for reads with `valid_at`."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec

from muniment.layers import episodes, memo_reads
from muniment.layers.governance import governed_facts
from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model import ids
from muniment.model.events import AnyEvent, EpisodeWritten, FactSettled, Received, Shredded
from muniment.model.events.conversation import ItemDeleted
from muniment.model.events.documents import DocumentPut, DocumentsDropped
from muniment.model.events.memos import MemoKept, MemosForgotten
from muniment.model.events.threads import MemosCompacted, TurnTaken
from muniment.model.kinds.document import StoredDocument
from muniment.model.kinds.episode import Fact
from muniment.model.kinds.handles import NONE, Handles
from muniment.model.kinds.memo import Memo, MemoPlace
from muniment.retrieval.dates import valid_from

SUPERSEDED: Final = "superseded"
OVER: Final = "over"  # the phrase of an end that was told, which no caller can say of a place
REPLACING: Final = (FactSettled, MemoKept, MemosCompacted, DocumentPut, DocumentsDropped, TurnTaken)
LAST_MOMENT: Final = "T23:59:59.999Z"


class Lasting(msgspec.Struct, frozen=True):
    """From a day on, and until another one: by the end of that one it was no longer so."""

    since: int
    until: int | None = None

    def holds(self, day: int) -> bool:
        """Whether it was so at the end of a day."""
        return self.since <= day and (self.until is None or day < self.until)


def end_of(day: str) -> str:
    """The moment at which a day is looked at."""
    return day[:10] + LAST_MOMENT


def replaces(event: AnyEvent | Shredded) -> bool:
    """Whether what an entry ends was so until then; any other end takes it back for every day.

    What is forgotten or put right never was. A document holds until it is dropped.
    """
    if isinstance(event, ItemDeleted):
        return event.reason == SUPERSEDED
    if isinstance(event, MemosForgotten):
        return event.phrase == OVER
    return isinstance(event, REPLACING)


def moment(shelves: Shelves, line: Line) -> str:
    """When an entry was observed; without a clock, as its job's time says."""
    first = shelves.line(line.header.cause)
    return (_observed(first) if first else "") or line.header.ts


def ended(shelves: Shelves, died: int | None) -> int | None:
    """The day on which a row of a shelf ended: before every day, where it was taken back."""
    line = shelves.line(died) if died else None
    if line is None:
        return None
    return ids.day_number(moment(shelves, line)) if replaces(line.event) else valid_from.UNKNOWN


def validity_of_text(text: str, ts: str) -> Lasting:
    """What was said once and ends never: since the day that it tells of."""
    return Lasting(valid_from.day(text, ts))


Told = tuple[EpisodeWritten, str]  # and when


Before = Callable[[EpisodeWritten], Told | None]  # what an episode puts right


def first_day(written: EpisodeWritten, ts: str, before: Before) -> int:
    """Since when an episode holds: as its text says, or else as what it puts right did."""
    day = _told_of(written, ts)
    while written.corrects and ts and day == ids.day_number(ts):
        if (found := before(written)) is None:
            break
        written, ts = found
        day = _told_of(written, ts)
    return day


def _told_of(written: EpisodeWritten, ts: str) -> int:
    if happened := written.handles.happened_at:
        return ids.day_number(happened)
    return valid_from.day(written.summary, ts)


def episode(shelves: Shelves, born: Line, written: EpisodeWritten) -> Lasting:
    """What was told and has not ended: what has, other words put right, was so on no day."""

    def before(told: EpisodeWritten) -> Told | None:
        line = shelves.line(told.corrects)
        old = episodes.put_right(told, line) if line else None
        return (old, moment(shelves, line)) if line and old else None

    return Lasting(first_day(written, moment(shelves, born), before), _over(written.handles))


def row(
    shelves: Shelves, born: Line, died: int | None, text: str = "", told: Handles = NONE
) -> Lasting:
    """What lies on a shelf, since the day that its text tells of, or that it was put there."""
    said = valid_from.day(text, moment(shelves, born))
    since = ids.day_number(told.happened_at) if told.happened_at else said
    return Lasting(since, _first(ended(shelves, died), _over(told)))


def told(shelves: Shelves, born: Line, died: int | None, text: str, handles: Handles) -> Lasting:
    """What was told in so many words; what puts others right, since these held."""
    lasting = row(shelves, born, died, text, handles)
    if isinstance(born.event, EpisodeWritten) and born.event.corrects:
        since = episode(shelves, born, born.event).since
        return msgspec.structs.replace(lasting, since=since)
    return lasting


def _over(told: Handles) -> int | None:
    """The day on which something has its end by itself."""
    return ids.day_number(told.expires) if told.expires else None


def facts(shelves: Shelves, day: int) -> list[Fact]:
    """The governed facts of a day, by key: each from its settlement until another's."""
    found = []
    for _, died, line in shelves.ever(governed_facts.SHELF):
        fact = governed_facts.fact(line)
        if Lasting(ids.day_number(fact.last_updated), ended(shelves, died)).holds(day):
            found.append(fact)
    return sorted(found, key=lambda each: each.key)


def document(shelves: Shelves, found: StoredDocument, died: int | None) -> Lasting:
    """A version of a document, until another one, until it was taken out or its time ran out."""
    over = ids.day_number(found.expires_at) if found.expires_at else None
    return Lasting(ids.day_number(found.updated_at), _first(ended(shelves, died), over))


def memo(shelves: Shelves, found: Memo, died: int | None) -> Lasting:
    """A memo over its validity; without one, since the day that its text tells of."""
    said = found.validity
    start = (
        ids.day_number(said.since) if said.since else valid_from.day(found.text, found.timestamp)
    )
    over = ids.day_number(found.expires) if found.expires else None
    return Lasting(start, _first(ended(shelves, died), over))


def memos(shelves: Shelves, place: str, day: str, subject: str | None = None) -> Iterator[Memo]:
    """What held on a day of what lies or lay in EM or SM, newest first; about one, or about all."""
    then = ids.day_number(day)
    for _, died, found in memo_reads.ever(shelves, place, subject=subject):
        if memo(shelves, found, died).holds(then):
            yield found


def known_memos(shelves: Shelves, subject: str, day: str) -> list[Memo]:
    """What SM holds about somebody, newest first: now, or what held on a day."""
    if day:
        return list(memos(shelves, MemoPlace.SM, day, subject))
    return memo_reads.living(shelves, MemoPlace.SM, subject)


def of_episodes(
    shelves: Shelves, episode_ids: Iterable[str], limit: int, day: str
) -> list[tuple[int, Memo]]:
    """The newest of several episodes, each with where it was kept; of a day, what held then."""
    if not day:
        return memo_reads.of_episodes(shelves, episode_ids, limit)
    then = ids.day_number(day)
    found = [
        (born, said)
        for episode_id in episode_ids
        for born, died, said in memo_reads.ever(shelves, MemoPlace.EM, key=f"episode:{episode_id}")
        if memo(shelves, said, died).holds(then)
    ]
    return sorted(found, key=lambda each: each[0], reverse=True)[:limit]


def by_then(lines: Iterable[Line], day: int) -> Iterator[Line]:
    """Those entries of a log, read from its beginning, that were there at the end of a day."""
    observed = ""
    for line in lines:
        if line.header.type == "received":
            observed = _observed(line)
        if ids.day_number(observed or line.header.ts) <= day:
            yield line


def _observed(first: Line) -> str:
    """When a batch came in, as its first entry says, also to those who cannot open it."""
    match first.event:
        case Received(at=at) | Shredded(public={"at": str(at)}):
            return at
        case _:
            return ""


def _first(*days: int | None) -> int | None:
    return min((each for each in days if each is not None), default=None)

"""Index feed: the texts that log entries add to an index, in order, and what they end."""

from collections.abc import Callable, Iterator
from typing import Final, Protocol

import msgspec

from muniment.layers import document_rows, episodes, loop_events
from muniment.layers.memos import memos
from muniment.layers.shelves import ARCHIVE, ITEMS, Stream
from muniment.log import chain, sealing
from muniment.log.entry import Entry, Header, Line
from muniment.model import ids
from muniment.model.events import EpisodesWritten, EpisodeWritten, ItemForgotten, record_handles
from muniment.model.events.conversation import ItemDeleted, ItemWritten
from muniment.model.events.documents import DocumentPut
from muniment.model.events.loops import EventObserved
from muniment.model.events.memos import MemoKept, MemoShelved
from muniment.model.events.recalls import ItemReleased
from muniment.model.kinds.conversation_item import ROLLING, MemoryItem, owner_name
from muniment.model.kinds.episode import Origin
from muniment.model.kinds.handles import NONE, Handles
from muniment.model.kinds.loop import EventKind, Visibility, mirror_id
from muniment.model.kinds.memo import Memo
from muniment.model.kinds.origin_tables import BY_KIND, BY_MEMO_SOURCE, BY_SOURCE
from muniment.model.languages import phrases
from muniment.model.languages.phrases import forget_words
from muniment.model.text.fingerprints import fingerprint
from muniment.retrieval import languages
from muniment.retrieval.dates import valid_from, validity
from muniment.retrieval.index import index_changes
from muniment.retrieval.index.index_changes import Ended, Noted, Released
from muniment.retrieval.languages.detect_language import detect_languages
from muniment.retrieval.text import speaker_prefix, text_parts
from muniment.retrieval.text.document_text import document_text
from muniment.rules import event_importance, loop_compaction

MIRROR: Final = "mirror"
MEMOS: Final = (memos.EPISODIC, memos.SEMANTIC)
# An index keeps the place of each in this list.
LAYERS: Final = (episodes.SHELF, ITEMS, MIRROR, *MEMOS, document_rows.SHELF)
# Where a row lives, and what is recalled of it: an item or a memo in the archive still is.
SHELF_LAYERS: Final = {
    episodes.SHELF: episodes.SHELF,
    ITEMS: ITEMS,
    ARCHIVE: ITEMS,
    memos.EPISODIC: memos.EPISODIC,
    memos.ARCHIVED: memos.EPISODIC,
    memos.SEMANTIC: memos.SEMANTIC,
}
IN_PARTS: Final = frozenset({MIRROR, document_rows.SHELF})  # where a long text is several rows
ORIGINS: Final = tuple(Origin)
KINDS: Final = ("", *EventKind)
VISIBILITIES: Final = ("", *Visibility)
IMPORTANCE_PPM: Final = 100_000  # of one point
DAY_LETTERS: Final = len("2026-03-05")
_TELLING = """
    received episodic_written episodes_written idetic_event item_written item_deleted
    memory_forget memory_released memo_kept memo_shelved memos_evicted memos_forgotten
    memos_compacted records_revived
"""
TELLING: Final = frozenset(_TELLING.split())


class Offered(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that can be recalled from here on."""

    id: str
    seq: int
    n: int  # within its entry
    layer: str
    text: str
    ts: str
    holds_since: str = ""  # where it says so itself; else its text does
    origin: Origin
    noted: bool = False  # by an agent, of those whom it serves
    speaker: str = ""
    session: str = ""
    source: str = ""  # what it is counted under, where that is not the name of its source
    importance_ppm: int = 0
    kind: str = ""  # of an event of a loop
    visibility: str = ""  # of an event of a loop
    about: str = ""  # a reference: under whose key its words are sealed
    handles: Handles = NONE
    embedding: bytes = b""  # the vector of its text, where a caller had one

    @property
    def days(self) -> tuple[int, int]:
        """Since when it holds, and the day it tells of: as it says itself, or as its text does."""
        day, of = valid_from.days(self.text, self.ts)
        if not (since := self.holds_since or self.handles.happened_at):
            return day, of
        said = ids.day_number(since)
        # What names no day of its own tells of the day of what it puts right.
        return said, (said if not self.ts or of == ids.day_number(self.ts) else of)

    @property
    def only_wishes(self) -> bool:
        """Whether a person only asks in it to forget something: that says it again, and no more."""
        if self.origin != Origin.USER or not forget_words.possible(self.text):
            return False
        return languages.asked_to_forget.is_nothing_else(self.text)


Change = Offered | Noted


class Catalogue(Protocol):
    """Reads the entries of a stream in their order, and says what each changes in an index."""

    def changes(self, entry: Entry, held: int = 0) -> Iterator[Change]:
        """Without the first so many that the entry offers."""


class _Moment(msgspec.Struct, frozen=True):
    at: str = ""


moment = msgspec.json.Decoder(_Moment)  # from the header of what was received


class ReaderScope:
    """What one reader may see of a stream: what is about them, or about nobody."""

    def __init__(
        self,
        stream: Stream,
        keyring: sealing.Keyring,
        subjects: frozenset[str] | None,
        fetch: Callable[[int], Entry],
    ) -> None:
        self.stream = stream
        self.fetch = fetch  # an entry by its place
        self._keyring, self._subjects = keyring, subjects

    def covers(self, header: Header) -> bool:
        mine = self._subjects
        return mine is None or all(part.subject in mine for part in header.parts)

    def opened(self, entry: Entry) -> Line:
        return chain.open_entry(entry, origin=self.stream.ref, keyring=self._keyring)


class IndexFeed:
    """Reads entries in their order; only those that offer or end something are opened at all."""

    def __init__(self, sight: ReaderScope) -> None:
        self._sight = sight
        self._observed = (0, "")  # the batch at hand, and when it was received

    def changes(self, entry: Entry, held: int = 0) -> Iterator[Change]:
        """What an entry offers and ends, without the first so many that it offers."""
        header = chain.header_of(entry)
        if header.type == "received":
            self._observed = (header.seq, moment.decode(header.body).at)
        elif header.type in TELLING and self._sight.covers(header):
            line = self._sight.opened(entry)
            observed = self._moment(header.cause)
            if isinstance(line.event, EpisodesWritten):  # they may be many: none is made in vain
                yield from _episodes(line, observed, held)
            elif isinstance(line.event, EpisodeWritten) and line.event.corrects:
                dated = (self._dated(each, line) for each in _episodes(line, observed))
                yield from without(held, dated)
            else:
                yield from without(held, changes_of(self._sight.stream, line, observed))
                yield from without(held, self._memos(line))
                yield from index_changes.revived(line, SHELF_LAYERS)
                yield from index_changes.events_revived(line)

    def _dated(self, offered: Offered, line: Line) -> Offered:
        """Words that put others right hold since these did."""
        assert isinstance(line.event, EpisodeWritten)
        day = validity.first_day(line.event, offered.ts, self._before)
        return msgspec.structs.replace(offered, holds_since=ids.day_text(day))

    def _before(self, told: EpisodeWritten) -> validity.Told | None:
        line = self._seen(told.corrects)
        old = episodes.put_right(told, line) if line else None
        if line is None or old is None:
            return None
        return old, self._moment(line.header.cause) or old.created_seeded_ts

    def _memos(self, line: Line) -> Iterator[Change]:
        """What an entry changes about memos; where it only points to one, that one is opened."""
        for shelf, memo_id in memos.unrecalled(line):
            if shelf in MEMOS:
                replaced = validity.replaces(line.event)
                ts = self._moment(line.header.cause) or line.header.ts
                yield Ended(id=memo_id, seq=line.seq, ts=ts, superseded=replaced, layer=shelf)
        shelves = [shelf for shelf, *_ in memos.opened(line) if shelf in MEMOS]
        if shelves:
            source = self._kept(line)
            if isinstance(source.event, MemoKept) and not source.event.memo.quotes_recalled:
                for shelf in shelves:
                    offered = _memo(line, source.event.memo, shelf)
                    yield msgspec.structs.replace(offered, about=_about(source))

    def _kept(self, line: Line) -> Line:
        place = kept_at(line)
        if place == line.seq:
            return line
        return self._seen(place) or line

    def _seen(self, place: int) -> Line | None:
        """An earlier entry, if its reader may see it."""
        entry = self._sight.fetch(place)
        if not self._sight.covers(chain.header_of(entry)):
            return None
        return self._sight.opened(entry)

    def _moment(self, cause: int) -> str:
        if self._observed[0] != cause:
            first = chain.header_of(self._sight.fetch(cause))
            self._observed = (cause, moment.decode(first.body).at)
        return self._observed[1]


def changes_of(stream: Stream, line: Line, observed: str) -> Iterator[Change]:
    """What one entry offers or ends, as of when it was observed."""
    match line.event:
        case EpisodeWritten() | EpisodesWritten():
            yield from _episodes(line, observed)
        case ItemWritten(item=item) if ROLLING in item.meta.policy_tags:
            return  # what it says is found in the messages themselves
        case ItemWritten() as written:
            yield _item(line, written, observed)
        case EventObserved(own_words=""):
            return  # nothing but what memory gave out
        case EventObserved() as event:
            yield from _event(stream, line, event)
        case ItemDeleted(item_id=item_id) | ItemForgotten(item_id=item_id):
            replaced, ts = validity.replaces(line.event), observed or line.header.ts
            yield Ended(id=item_id, seq=line.seq, ts=ts, superseded=replaced)
        case ItemReleased(item_id=item_id):
            yield Released(id=item_id, seq=line.seq)
        case _:
            return  # erased, or about memos


def without(held: int, changes: Iterator[Change]) -> Iterator[Change]:
    """All but the first so many that are offered; an entry offers itself, or memos."""
    for change in changes:
        if held and isinstance(change, Offered):
            held -= 1
        else:
            yield change


def kept_at(line: Line) -> int:
    """The entry that holds the words of what an entry offers."""
    return line.event.source_seq if isinstance(line.event, MemoShelved) else line.seq


def text_of(stream: Stream, line: Line, n: int) -> str | None:
    """The words of what an entry offered, of a long text a part; nothing, once they are erased."""
    whole = whole_text_of(stream, line, n)
    if whole is None or not isinstance(line.event, EventObserved | DocumentPut):
        return whole
    found = text_parts.parts(whole)
    return found[n - 1] if n <= len(found) else None


def whole_text_of(stream: Stream, line: Line, n: int) -> str | None:
    """The same, however long it is."""
    match line.event:
        case EpisodesWritten() as several:
            return several.summaries[n - 1]
        case EpisodeWritten(summary=summary):
            return summary
        case ItemWritten(item=item):
            return item.told
        case EventObserved():
            return _words(stream, line)
        case DocumentPut(value=value):
            return document_text(value)
        case MemoKept(memo=memo):
            return memo.text
        case _:
            return None


def text_hash(text: str) -> int:
    """A number that two texts of the same words in the same order share."""
    return int.from_bytes(fingerprint(text), "little") >> 1


def _about(line: Line) -> str:
    return line.header.parts[0].subject if line.header.parts else ""


def _episodes(line: Line, observed: str, held: int = 0) -> Iterator[Offered]:
    for n, written in enumerate(episodes.told(line, held), start=held + 1):
        if written.form == episodes.REQUEST:
            continue  # that somebody asked the council for something is no memory
        ts = observed or written.created_seeded_ts
        speaker, session = _spoken(written, ts)
        yield Offered(
            id=written.episodic_id,
            seq=line.seq,
            n=n,
            layer=episodes.SHELF,
            text=written.summary,
            ts=ts,
            origin=Origin(written.origin) if written.origin else Origin.AGENT,
            noted=_is_note(written),
            speaker=speaker,
            session=session,
            about=_about(line),
            handles=written.handles,
        )


def _is_note(written: EpisodeWritten) -> bool:
    """Whether an agent keeps it of those whom it serves; what it says to them is no note."""
    if written.form != episodes.ENTRY or written.origin != Origin.AGENT:
        return False
    text, read = written.summary, detect_languages(written.summary)
    return not any(phrases.address_words.speaks_to_user(each.language.name, text) for each in read)


def _spoken(written: EpisodeWritten, ts: str) -> tuple[str, str]:
    """Who says it and in which talk: as was said beside it, or as a line of a transcript shows."""
    if written.speaker:
        return written.speaker, written.session
    speaker = speaker_prefix.speaker_of(written.summary)
    talk = speaker_prefix.session_of_day(ts[:DAY_LETTERS]) if speaker else ""
    return speaker, written.session or talk


def _item(line: Line, written: ItemWritten, observed: str) -> Offered:
    item = written.item
    return Offered(
        id=item.id,
        seq=line.seq,
        n=1,
        layer=ITEMS,
        text=item.told,
        ts=observed or line.header.ts,
        origin=_origin(item),
        session=owner_name(item),
        importance_ppm=min(item.importance * IMPORTANCE_PPM, 1_000_000),
        about=_about(line),
        handles=item.meta.handles,
    )


def _origin(item: MemoryItem) -> Origin:
    """On whose word; a summary mixes words of many, and none weighs more for being in it."""
    return Origin.AGENT if item.meta.summary_of else BY_SOURCE[item.source]


def _words(stream: Stream, line: Line) -> str:
    """What an event of a loop says, on one line."""
    return " ".join(loop_events.event(stream.id, line).words.split())


def _event(stream: Stream, line: Line, event: EventObserved) -> Iterator[Offered]:
    """All of an event, in parts where it is long: its compact form is for reading only."""
    told = loop_events.event(stream.id, line)
    compacted = loop_compaction.compact(told)
    importance, _ = event_importance.grade(event.kind, compacted, others_alike=0)
    for n, text in enumerate(text_parts.parts(_words(stream, line)), start=1):
        yield Offered(
            id=mirror_id(told.id),
            seq=line.seq,
            n=n,
            layer=MIRROR,
            text=text,
            ts=event.ts,
            origin=BY_KIND[event.kind],
            session=event.loop_id,
            importance_ppm=importance * IMPORTANCE_PPM,
            kind=event.kind,
            visibility=event.visibility,
            about=_about(line),
        )


def _memo(line: Line, memo: Memo, shelf: str) -> Offered:
    """What was lived has neighbours in its task; what is known stands for itself."""
    return Offered(
        id=memo.id,
        seq=line.seq,
        n=1,
        layer=shelf,
        text=memo.text,
        ts=memo.timestamp,
        origin=BY_MEMO_SOURCE[memo.source],
        session=memo.task_id if shelf == memos.EPISODIC else "",
        importance_ppm=memo.importance_ppm,
        embedding=memo.embedding,
        handles=record_handles.of_memo(memo),
    )

"""Log statistics: contents by layer and day, and differences between two entries."""

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from enum import StrEnum
from operator import attrgetter
from typing import Final

import msgspec

from muniment.layers import document_rows, episodes, loop_events, mirror
from muniment.layers.governance import governed_facts
from muniment.log.entry import Header, Line
from muniment.model import canonical_json
from muniment.model.events import EpisodesWritten, EpisodeWritten, GoalSet, Received, Shredded
from muniment.model.events.conversation import ItemDeleted, ItemDenied, ItemWritten
from muniment.model.events.documents import DocumentPut, DocumentsDropped
from muniment.model.events.recalls import ItemReleased
from muniment.model.events.rollback import RecordsRevived
from muniment.model.kinds.episode import Origin
from muniment.model.text.tokens import tokens_by_length

GOVERNED: Final = "governed facts"
DOCUMENTS: Final = "documents"
# What is written again under the id it has, by layer: the shelf that tells whether it was there.
WRITTEN_AGAIN: Final = {
    GOVERNED: governed_facts.SHELF,
    DOCUMENTS: document_rows.SHELF,
    "skills": mirror.SKILLS,
    "loop summaries": mirror.SUMMARIES,
}
DAY: Final = 10  # characters of a time, down to the day


class EntryEffect(StrEnum):
    """What an entry did to what can be read."""

    ADDED = "added"
    CHANGED = "changed"
    RETIRED = "retired"
    FORGOTTEN = "forgotten"
    REFUSED = "refused"
    REVIVED = "revived"


class Touched(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that an entry added, changed, retired, forgot or refused."""

    seq: int
    change: EntryEffect
    layer: str
    item_id: str
    text: str
    why: str = ""
    origin: str = ""
    again: bool = False  # the entry itself says that it was there before


class LayerStatistics(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    count: int
    tokens: int


# Type of the entry: its layer, the field of the id, and the field of the words.
BORN: Final = {
    "episodic_written": ("episodes", "episodic_id", "summary"),
    "sem_put": (GOVERNED, "key", "value"),
    "wm_inserted": ("working memory", "wm_id", "value"),
    "promotion_event": ("consolidated memory", "cwm_id_item", "value"),
    "skill_extracted": ("skills", "skill_id", "name"),
    "ltm_mirrored": ("long-term mirror", "source_id", "summary"),
    "stm_summarised": ("loop summaries", "loop_id", "summary"),
    "stm_digested": ("digests", "digest_id", "summary"),
    "memo_kept": ("memos", "memo.id", "memo.text"),
}
# Type of the entry: how it ends something, the field of the id, and the field of the reason.
ENDED: Final = {
    "memory_forget": (EntryEffect.FORGOTTEN, "item_id", "reason"),
    "sem_delete": (EntryEffect.RETIRED, "key", "request_id"),
    "wm_expired": (EntryEffect.RETIRED, "wm_id", "reason"),
    "cwm_expired": (EntryEffect.RETIRED, "cwm_id_item", "reason"),
}
DENIED: Final = {
    "memory_denied": ("", "detail"),
    "promotion_denied": ("item_id", "item_id"),
}
# The entries that do something to what can be read; no other needs to be opened for it.
TOUCHING: Final = frozenset(
    {
        *BORN,
        *ENDED,
        *DENIED,
        *("episodes_written", "item_written", "item_deleted", "item_denied"),
        *("document_put", "documents_dropped", "goal_set", "records_revived"),
    }
)
SHARED: Final = {"short_term": "conversation", "semantic": "facts", "profile": "profile"}


class Survey:
    """Counts that follow a log: what was folded once is never folded again."""

    def __init__(
        self, outside: tuple[str, ...] = (Origin.EXTERNAL,), erasures: bytes = b""
    ) -> None:
        self.upto = 0
        self._outside = frozenset(outside)  # origins whose word waits for a person's
        self._erasures = erasures  # how far erasures had come when it began
        self.types: dict[str, int] = {}
        self.days: dict[str, int] = {}
        self.refused: dict[str, int] = {}
        self.erased = 0
        self.apart: dict[str, Touched] = {}  # told from outside, and nobody has vouched for it
        self._alive: dict[str, tuple[str, int]] = {}
        self._gone: dict[str, tuple[str, int]] = {}  # what may live again

    def began(self, outside: tuple[str, ...], erasures: bytes) -> bool:
        """Whether it began under these: another policy, or somebody's erasure, ends its truth."""
        return (self._outside, self._erasures) == (frozenset(outside), erasures)

    def copied(self) -> "Survey":
        """The same again, to be gone on with: whoever looks at this one sees no change."""
        made = copy(self)
        for name in ("types", "days", "refused", "apart", "_alive", "_gone"):
            setattr(made, name, dict(getattr(self, name)))
        return made

    def follow(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self.upto = line.seq
            kind = line.header.type
            self.types[kind] = self.types.get(kind, 0) + 1
            self.erased += isinstance(line.event, Shredded)
            if kind == "received":
                day = _moment(line)[:DAY]
                self.days[day] = self.days.get(day, 0) + 1
            for each in touched(line):
                self._apply(each)
            if isinstance(line.event, ItemReleased):
                self.apart.pop(line.event.item_id, None)

    @property
    def layers(self) -> list[LayerStatistics]:
        """What is alive, by layer, in the order of their names."""
        counts: dict[str, tuple[int, int]] = {}
        for name, tokens in self._alive.values():
            held = counts.get(name, (0, 0))
            counts[name] = (held[0] + 1, held[1] + tokens)
        return [
            LayerStatistics(name=name, count=count, tokens=tokens)
            for name, (count, tokens) in sorted(counts.items())
        ]

    def _apply(self, each: Touched) -> None:
        if each.change is EntryEffect.REFUSED:
            self.refused[each.why] = self.refused.get(each.why, 0) + 1
        elif each.change in {EntryEffect.RETIRED, EntryEffect.FORGOTTEN}:
            if each.item_id in self._alive:
                self._gone[each.item_id] = self._alive.pop(each.item_id)
            self.apart.pop(each.item_id, None)
        elif each.change is EntryEffect.REVIVED:
            if each.item_id in self._gone:
                self._alive[each.item_id] = self._gone.pop(each.item_id)
        else:
            if each.origin in self._outside:
                self.apart[each.item_id] = each
            self._alive[each.item_id] = (each.layer, tokens_by_length(each.text))


def may_touch(header: Header) -> bool:
    return header.type in TOUCHING


def touched(line: Line) -> Iterator[Touched]:
    """What one entry did to what can be read."""
    event = line.event
    match event:
        case EpisodeWritten() | EpisodesWritten():
            for told in episodes.told(line):
                born = _born(line, "episodes", told.episodic_id, told.summary)
                yield msgspec.structs.replace(born, origin=told.origin)
        case ItemWritten(item=item):
            yield _born(line, SHARED[item.kind], item.id, item.text)
        case ItemDeleted(item_id=item_id, reason=reason):
            change = EntryEffect.FORGOTTEN if reason == "retracted" else EntryEffect.RETIRED
            yield _ended(line, change, item_id, reason)
        case ItemDenied(item=item, reason=reason):
            yield _refused(line, item.id, item.text, reason)
        case DocumentPut() | DocumentsDropped() | GoalSet() | RecordsRevived():
            yield from _written_again(line)
        case Shredded():
            return
        case _:
            yield from _by_table(line)


def _revived(line: Line, told: RecordsRevived) -> Iterator[Touched]:
    for name in loop_events.lives_no_more(told):
        yield _ended(line, EntryEffect.RETIRED, name, "undone")
    for name in loop_events.lives_again(told):
        yield _ended(line, EntryEffect.REVIVED, name, "undone")


def _written_again(line: Line) -> Iterator[Touched]:
    """Documents and goals: who names a thing names it again when it changes; and what is back."""
    match line.event:
        case DocumentPut() as put:
            named = document_rows.document_id(put.subject, put.namespace, put.key)
            yield _born(line, DOCUMENTS, named, canonical_json.text_of(put.value))
        case DocumentsDropped(reason=reason):
            for _, named in document_rows.ended(line):
                yield _ended(line, EntryEffect.RETIRED, named, reason)
        case GoalSet(goal_id=goal_id, text=text, version=version):
            born = _born(line, "goals", goal_id, text)
            yield msgspec.structs.replace(born, again=version > 1)
        case RecordsRevived() as told:
            yield from _revived(line, told)
        case _:
            return


def living(lines: Iterable[Line]) -> dict[str, Touched]:
    """What is alive after these entries, by id, in the order in which it was last written."""
    alive: dict[str, Touched] = {}
    known: dict[str, Touched] = {}
    for line in lines:
        for each in touched(line):
            if each.change is EntryEffect.REFUSED:
                continue
            alive.pop(each.item_id, None)
            if each.change is EntryEffect.ADDED:
                alive[each.item_id] = known[each.item_id] = each
            elif each.change is EntryEffect.REVIVED and each.item_id in known:
                alive[each.item_id] = known[each.item_id]
    return alive


def changes(lines: Iterable[Line], was_there: Callable[[Touched], bool]) -> list[Touched]:
    """What these entries did; a thing written under an id that was there before has changed."""
    seen: set[str] = set()
    told: list[Touched] = []
    for line in lines:
        for each in touched(line):
            is_known = each.change is EntryEffect.ADDED and (
                each.again or each.item_id in seen or was_there(each)
            )
            told.append(
                msgspec.structs.replace(each, change=EntryEffect.CHANGED) if is_known else each
            )
            seen.add(each.item_id)
    return told


def _by_table(line: Line) -> Iterator[Touched]:
    event, kind = line.event, line.header.type
    if kind in BORN:
        layer, named, worded = BORN[kind]
        yield _born(
            line, layer, attrgetter(named)(event), canonical_json.text_of(attrgetter(worded)(event))
        )
    if kind in ENDED:
        change, named, reason = ENDED[kind]
        yield _ended(line, change, getattr(event, named), getattr(event, reason))
    if kind in DENIED:
        named, worded = DENIED[kind]
        item_id = getattr(event, named) if named else ""
        yield _refused(line, item_id, getattr(event, worded), getattr(event, "reason", ""))


def _born(line: Line, layer: str, item_id: str, text: str) -> Touched:
    return Touched(seq=line.seq, change=EntryEffect.ADDED, layer=layer, item_id=item_id, text=text)


def _ended(line: Line, change: EntryEffect, item_id: str, why: str) -> Touched:
    return Touched(seq=line.seq, change=change, layer="", item_id=item_id, text="", why=why)


def _refused(line: Line, item_id: str, text: str, why: str) -> Touched:
    return Touched(
        seq=line.seq, change=EntryEffect.REFUSED, layer="", item_id=item_id, text=text, why=why
    )


def _moment(line: Line) -> str:
    """When something was asked: as observed at the edge, else by the stream's own time."""
    at = line.event.at if isinstance(line.event, Received) else ""
    return at or line.header.ts

"""Derivations: what came from a source, and what is derived from that, in one pass."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Literal, get_args

import msgspec

from muniment.engine.audit import provenance
from muniment.engine.decide.memos.extraction import EXTRACTED
from muniment.layers import episodes, loop_events
from muniment.log.entry import Line
from muniment.model.commands.exchange import CarryRecords
from muniment.model.events import (
    EpisodesWritten,
    EpisodeWritten,
    Recalled,
    Received,
    RequestForwarded,
    record_handles,
)
from muniment.model.events.conversation import ItemsRecalled, ItemWritten
from muniment.model.events.documents import DocumentPut
from muniment.model.events.learning import FactsExtracted
from muniment.model.events.loops import EventObserved
from muniment.model.events.memos import MemoKept
from muniment.model.events.reads import ContextAssembled
from muniment.model.events.threads import MemosCompacted
from muniment.model.kinds.conversation_item import owner_name
from muniment.model.kinds.episode import Evidence
from muniment.model.kinds.loop import mirror_id
from muniment.retrieval.text import source_names

SOURCE: Final = "source"
DERIVED: Final = "derived"
PUT_RIGHT: Final = "corrects"  # a note of evidence: the new words are not those of the old
Receipt = Recalled | ItemsRecalled | ContextAssembled


By = Literal["source", "session", "item", "extraction", "model", "import", "entry"]
WAYS: Final = get_args(By)


class RollbackTarget(msgspec.Struct, frozen=True, kw_only=True):
    """What is rolled back: by what it is named, and its name."""

    by: By
    name: str


class DerivedRecords(msgspec.Struct, kw_only=True):
    """What was found: records in the order of the log, and what is known about them."""

    why: dict[str, str] = {}  # by id: the source's own, or derived from it
    places: dict[str, tuple[int, int]] = {}  # by id: the entry that holds its words, and where
    answers: dict[str, int] = {}  # by id: how many receipts gave it out
    receipts: int = 0
    governed: dict[str, None] = {}  # keys of governed facts that were asked for because of it


class DerivationScan:
    """Follows a log from its beginning; what rests on something is written behind it."""

    def __init__(self, target: RollbackTarget, found: DerivedRecords) -> None:
        self._target, self._found = target, found
        self._asked: Received | None = None
        self._cause = 0
        self._placed: dict[str, tuple[int, int]] = {}

    def read(self, lines: Iterable[Line], is_ours: Callable[[Line], bool]) -> None:
        for line in lines:
            if isinstance(line.event, Received):
                self._asked, self._cause = line.event, line.seq
            elif is_ours(line):
                self._hear(line)
        known = (each for each in self._found.why if each in self._placed)
        self._found.places |= {each: self._placed[each] for each in known}

    def _hear(self, line: Line) -> None:
        match line.event:
            case Recalled() | ItemsRecalled() | ContextAssembled() as receipt:
                self._answered(receipt)
            case MemosCompacted(told_by=summary, sources=sources) if self._knows(sources):
                self._found.why.setdefault(summary, DERIVED)
            case FactsExtracted(kept=kept) as extracted if self._is_extraction(extracted):
                self._found.why |= dict.fromkeys(kept, SOURCE)
            case RequestForwarded(key=key, evidence=evidence) if self._knows(_cited(evidence)):
                self._found.governed[key] = None
            case _:
                self._record(line)

    def _record(self, line: Line) -> None:
        for n, name in enumerate(_made(line), start=1):
            self._placed[name] = (line.seq, n)
            if self._is_source(line, name):
                self._found.why.setdefault(name, SOURCE)
            elif self._knows(_rests_on(line)):
                self._found.why.setdefault(name, DERIVED)

    def _knows(self, names: Iterable[str]) -> bool:
        return any(each in self._found.why for each in names)

    def _answered(self, receipt: Receipt) -> None:
        given = set(_given(receipt)) & set(self._found.why)
        for each in given:
            self._found.answers[each] = self._found.answers.get(each, 0) + 1
        self._found.receipts += bool(given)

    def _is_source(self, line: Line, name: str) -> bool:
        wanted = self._target.name
        match self._target.by:
            case "source":
                told = record_handles.of(line.event).source
                named = {told, source_names.canonical_name(told)}
                return bool(told) and (wanted in named or source_names.is_page_of(told, wanted))
            case "session":
                return wanted in _sessions(line.event)
            case "import":
                command = self._asked.command if self._asked else None
                return isinstance(command, CarryRecords) and command.source == wanted
            case "entry":
                return str(self._cause) == wanted
            case "item":
                return name == wanted
            case _:
                return False

    def _is_extraction(self, event: FactsExtracted) -> bool:
        named = {"extraction": event.request, "model": event.model}
        return named.get(self._target.by) == self._target.name


def _made(line: Line) -> Iterator[str]:
    """The ids of the records that an entry holds; that somebody asked for something is none."""
    match line.event:
        case EventObserved():
            yield mirror_id(loop_events.event_id(line))
        case EpisodeWritten(episodic_id=name, form=form):
            yield from () if form == episodes.REQUEST else (name,)
        case EpisodesWritten() | ItemWritten() | MemoKept() | DocumentPut():
            yield from provenance.made(line)
        case _:
            return


def _rests_on(line: Line) -> Iterator[str]:
    match line.event:
        case EpisodeWritten(evidence=evidence):
            yield from _cited(evidence)
        case ItemWritten(item=item):
            yield from provenance.parents(line)
            yield from item.meta.source_turn_ids
        case MemoKept(memo=memo):
            told = memo.metadata.get(EXTRACTED) if isinstance(memo.metadata, dict) else None
            yield str(told.get("source", "")) if isinstance(told, dict) else ""
        case _:
            return


def _cited(evidence: Iterable[Evidence]) -> Iterator[str]:
    """What evidence names: an episode, or by its note a record of another kind."""
    for each in evidence:
        if each.note != PUT_RIGHT:
            yield from (each.episodic_id, each.note)


def _given(receipt: Receipt) -> Iterator[str]:
    match receipt:
        case ItemsRecalled(recalled=recalled):
            yield from (each.id for each in recalled)
        case Recalled(ids=ids, evidence=evidence):
            yield from (*ids, *_cited(evidence))
        case ContextAssembled(ids=ids):
            yield from ids


def _sessions(event: object) -> set[str]:
    """The talks and tasks that a record belongs to."""
    match event:
        case EpisodeWritten(session=session) | EpisodesWritten(session=session):
            return {session}
        case ItemWritten(item=item):
            return {owner_name(item)}
        case MemoKept(memo=memo):
            return {memo.task_id}
        case EventObserved(loop_id=loop_id):
            return {loop_id}
        case _:
            return set()

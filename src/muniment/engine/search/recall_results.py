"""Recall results: hits in order with their reasons, and the receipt of the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final, TypedDict, TypeVar

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine import lazy_views as views
from muniment.engine.session.pending_receipts import RECEIPT_RESULTS_MAX
from muniment.engine.streams.ports import Clock
from muniment.layers import episodes as layers_episodes
from muniment.layers.governance import governed_facts
from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model import canonical_json, fact_keys
from muniment.model.commands import Remember, WriteEpisode
from muniment.model.events import EpisodeWritten, PolicyAdopted, Recalled, Received
from muniment.model.events.loops import EventObserved
from muniment.model.kinds.episode import ConsolidatedMemory, EpisodicEntry, Evidence, Fact, Origin
from muniment.model.kinds.handles import NONE, Handles
from muniment.model.kinds.loop import EventKind, MirrorEntry
from muniment.model.kinds.receipts import Basis
from muniment.model.languages.phrases import forget_words
from muniment.model.struct_copy import copied
from muniment.model.text.near_duplicates import spoken_by
from muniment.model.text.tokens import tokens
from muniment.retrieval.dates import validity
from muniment.retrieval.filters import record_filter
from muniment.retrieval.filters.record_filter import FilteredRecord
from muniment.retrieval.ranking.sort_order import best_first

Heads = Callable[[dict[str, int]], dict[str, int]]
Headed = TypeVar("Headed", bound=msgspec.Struct)
Raw = TypeVar("Raw", EpisodeWritten, WriteEpisode, Remember)
Keep = Callable[[EpisodeWritten], bool]


STAGE1: Final = "stage1"  # the profile that counts shared words, and nothing else
OVERLAP: Final = "overlap"  # the only term of the profile `stage1`

SPEAKER: Final = {
    EventKind.USER_INPUT: Origin.USER,
    EventKind.TOOL_CALL: Origin.AGENT,
    EventKind.TOOL_RESULT: Origin.TOOL,
    EventKind.SYSTEM_EVENT: Origin.SYSTEM,
    EventKind.ERROR: Origin.SYSTEM,
}


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One thing remembered, of any kind: what it says, on whose word, and by what it is found."""

    id: str
    layer: str  # its kind: episodic, items, sem, …
    text: str
    created: str
    seq: int
    evidence: Evidence
    origin: str = ""  # on whose word
    speaker: str = ""  # who said it, where several talked
    source: str = ""  # by which name it was told
    tags: tuple[str, ...] = ()
    metadata: dict[str, object] = {}
    happened_at: str = ""
    expires: str = ""
    held: tuple[str, ...] = ()  # legal holds that cover it

    @property
    def told(self) -> str:
        return spoken_by(self.speaker, self.text)


class Hit(Record, frozen=True, kw_only=True):
    """A record that answers a question, and why it stands where it does."""

    score_ppm: int
    matched: tuple[str, ...]
    terms: dict[str, int] = {}  # what each kind of evidence added to the score, when asked for
    contradicted_by: str = ""  # of a governed fact: what its person has said since, and differs
    contradicts: str = ""  # the key of the governed fact that it differs from
    said: int = 1  # how often these words were told and still stand
    last_said: str = ""  # when they were told last
    folded: int = 0  # at least so many more of its source or form were left out


class ByHandles(TypedDict):
    source: str
    tags: tuple[str, ...]
    metadata: dict[str, object]
    happened_at: str
    expires: str


def by_handles(told: Handles) -> ByHandles:
    """The handles of a record as an answer shows them: fractions are numbers again."""
    known = canonical_json.release(told.metadata)
    return {
        "source": told.source,
        "tags": told.tags,
        "metadata": known if isinstance(known, dict) else {},
        "happened_at": told.happened_at,
        "expires": told.expires,
    }


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """Enough to read the same again: the call, the order, the heads that were read."""

    call: str
    query: str
    ids: tuple[str, ...]
    scores_ppm: tuple[int, ...]
    reads: dict[str, int]
    policy: str
    basis: Basis | None = None  # what the ranking stood on; `stage1` stands on nothing else


def is_told(then: Recalled, now: Receipt) -> bool:
    """Whether an entry tells this answer; of a long one it tells a part, and others the rest."""
    parts = (
        slice(start, start + RECEIPT_RESULTS_MAX)
        for start in range(0, max(len(now.ids), 1), RECEIPT_RESULTS_MAX)
    )
    return any((then.ids, then.scores_ppm) == (now.ids[it], now.scores_ppm[it]) for it in parts)


class Bundle(msgspec.Struct, frozen=True, kw_only=True):
    """What a recall found, best first, with its receipt: `for hit in agent.recall(...)`."""

    hits: tuple[Hit, ...]
    receipt: Receipt
    considered: int  # what could have been found; the basis also counts what was barred

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)


class SemRead(msgspec.Struct, frozen=True, kw_only=True):
    """A governed fact, or its absence."""

    exists: bool
    value: object = None
    meta: dict[str, str] = {}


class EpisodicQuery(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    max_results: int
    window_n: int | None = None
    time_window: tuple[str, str] | None = None


def as_of(day: str, clock: Clock) -> str:
    """The moment that a read looks from: the end of its day, or else now."""
    return validity.end_of(day) if day else clock.now()


def named(call: str, valid_at: str) -> str:
    """A call as its receipt names it: with the day, where one was asked about."""
    return f"{call}@{valid_at}" if valid_at else call


def answers(told: EpisodeWritten) -> bool:
    """Whether an episode says anything to be answered with; many are told without a form."""
    may_wish = told.origin == Origin.USER and forget_words.possible(told.summary)
    asks = bool(may_wish) and later.asked_to_forget.is_nothing_else(told.summary)
    return told.form not in layers_episodes.UNANSWERED and not asks


def episodes(shelves: Shelves, limit: int, keep: Keep, *, valid_at: str = "") -> Iterator[Line]:
    """The newest episodes that may be shown; for a day of the past, also those ended since."""
    ever = (line for _, _, line in shelves.ever(layers_episodes.SHELF))
    lines = ever if valid_at else shelves.newest(layers_episodes.SHELF)
    kept = (line for line in lines if isinstance(line.event, EpisodeWritten) and keep(line.event))
    return islice(kept, limit) if limit >= 0 else kept


def episodic_query(lines: Iterable[Line], query: EpisodicQuery) -> list[views.Scored]:
    """Of these, what is inside the time window, scored by overlap, first `max_results`."""
    found = layers_episodes.entries(list(lines))
    if query.time_window:
        start, end = query.time_window
        found = [each for each in found if start <= each.created_seeded_ts <= end]
    ranked = later.word_overlap.episodic(found, frozenset(tokens(query.text)))
    best = [each for each in ranked if each.overlap][: query.max_results]
    return [msgspec.structs.replace(each, entry=released(each.entry)) for each in best]


def recall(
    lines: Iterable[Line], facts: list[Fact], query: str, *, results_max: int
) -> tuple[tuple[Hit, ...], int]:
    """Facts and episodes that share words with the query, in one total order."""
    words = frozenset(tokens(query))
    hits = [_fact_hit(fact, words) for fact in facts] + [
        _episode_hit(line, words) for line in lines
    ]
    found = (hit for hit in hits if hit.score_ppm > 0)
    best = best_first(found, lambda hit: (hit.score_ppm, hit.created, hit.id))
    return tuple(best[:results_max]), len(hits)


def cited(hit: Hit, evidence: Evidence, *, explain: bool) -> Hit:
    """A hit with its evidence, and with the one term of its score where that is asked for."""
    terms = {OVERLAP: hit.score_ppm} if explain else {}
    return msgspec.structs.replace(hit, evidence=evidence, terms=terms)


def newest(lines: Iterable[Line]) -> tuple[Hit, ...]:
    return tuple(_episode_hit(line, frozenset()) for line in lines)


def let_in(facts: list[Fact], where: str) -> list[Fact]:
    """The governed facts that a filter lets in: they have a source and a day, and no tags."""
    wanted = record_filter.of_text(where)
    return [fact for fact in facts if record_filter.matches(wanted, _record(fact))]


def _record(fact: Fact) -> FilteredRecord:
    handles = Handles(source=fact.source)
    return FilteredRecord(kind=governed_facts.SHELF, said_at=fact.last_updated, handles=handles)


def sem_search(facts: list[Fact], prefix: str, aliases: Mapping[str, str]) -> list[Fact]:
    """Keys that begin with the canonical prefix, in the order of their keys; nothing fuzzy."""
    start = fact_keys.canonical_prefix(prefix, aliases)
    return [released_fact(fact) for fact in facts if fact.key.startswith(start)]


def sem_read(fact: Fact | None) -> SemRead:
    if fact is None:
        return SemRead(exists=False)
    meta = {"key": fact.key, "source": fact.source, "last_updated": fact.last_updated}
    if fact.request_id:
        meta["request_id"] = fact.request_id
    return SemRead(exists=True, value=canonical_json.release(fact.value), meta=meta)


def fact_line(fact: Fact) -> str:
    """A governed fact as it is shown: what it is about, and what is so."""
    attribute, value = _told(fact)
    return f"{attribute}: {value}"


def _told(fact: Fact) -> tuple[str, str]:
    return fact.key.rpartition("/")[2].replace("_", " "), canonical_json.text_of(fact.value)


def fact_record(fact: Fact, stamp: str = "", held: tuple[str, ...] = ()) -> Record:
    """A governed fact as one record among others."""
    return Record(
        id=fact.key,
        layer=governed_facts.SHELF,
        text=fact_line(fact),
        created=fact.last_updated,
        seq=fact.seq,
        evidence=evidence_of(governed_facts.SHELF, fact.key, stamp),
        held=held,
    )


def _fact_hit(fact: Fact, words: frozenset[str]) -> Hit:
    score, _, matched = later.word_overlap.overlap_score(" ".join(_told(fact)), words)
    return copied(Hit, fact_record(fact), score_ppm=score, matched=matched)


def _episode_hit(line: Line, words: frozenset[str]) -> Hit:
    (entry,) = layers_episodes.entries([line])
    told = line.event if isinstance(line.event, EpisodeWritten) else None
    score, _, matched = later.word_overlap.overlap_score(entry.summary, words)
    return Hit(
        id=entry.episodic_id,
        layer=layers_episodes.SHELF,
        text=entry.summary,
        score_ppm=score,
        matched=matched,
        created=entry.created_seeded_ts,
        seq=line.seq,
        evidence=Evidence(episodic_id=entry.episodic_id),
        origin=told.origin if told else "",
        speaker=told.speaker if told else "",
        **by_handles(told.handles if told else NONE),
    )


def mirror_hit(entry: MirrorEntry, score_ppm: int, matched: tuple[str, ...]) -> Hit:
    return Hit(
        id=entry.id,
        layer="mirror",
        text=f"{entry.kind}: {entry.summary}",
        score_ppm=score_ppm,
        matched=matched,
        created=entry.ts,
        seq=0,
        evidence=Evidence(),
        origin=SPEAKER.get(entry.kind, Origin.AGENT),
    )


def moment(line: Line) -> str:
    """When an entry happened: as it was observed, or else as its job's time says."""
    return line.event.ts if isinstance(line.event, EventObserved) else line.header.ts


def released(entry: EpisodicEntry) -> EpisodicEntry:
    """As the caller once gave it: fractions are numbers again."""
    return msgspec.structs.replace(entry, payload=canonical_json.release(entry.payload))


def released_fact(fact: Fact) -> Fact:
    return msgspec.structs.replace(fact, value=canonical_json.release(fact.value))


def without_raw(line: Line) -> Line:
    """An entry as anyone but an administrator reads it."""
    match line.event:
        case EpisodeWritten() as written:
            return msgspec.structs.replace(line, event=_cleared(written))
        case Received(command=WriteEpisode() as command) as received:
            clean = msgspec.structs.replace(received, command=_cleared(command))
            return msgspec.structs.replace(line, event=clean)
        case Received(command=Remember() as command) as received:
            clean = msgspec.structs.replace(received, command=_cleared(command))
            return msgspec.structs.replace(line, event=clean)
        case _:
            return line


def without_heads(line: Line, shown: Heads) -> Line:
    """An entry without where other logs stood, and without the legal holds that were in force.

    How far others have come is not its reader's, nor is whom an order is about, nor why.
    """
    told = line.event
    if isinstance(told, Received):
        told = msgspec.structs.replace(told, command=_headless(told.command, shown))
    body = _open_part(msgspec.json.decode(line.header.body), shown)
    header = msgspec.structs.replace(line.header, body=msgspec.Raw(canonical_json.encode(body)))
    return msgspec.structs.replace(line, header=header, event=_headless(told, shown))


def _open_part(body: dict[str, object], shown: Heads) -> dict[str, object]:
    """The same of what a header holds in the open."""
    found: dict[str, object] = {}
    for name, value in body.items():
        if name == "reads" and isinstance(value, dict):
            if heads := shown(msgspec.convert(value, dict[str, int])):
                found[name] = heads
        elif name != "sem_snapshot_id":
            found[name] = _open_part(value, shown) if isinstance(value, dict) else value
    return found


def _headless(told: Headed, shown: Heads) -> Headed:
    hidden: dict[str, object] = {}
    if reads := getattr(told, "reads", None):
        hidden["reads"] = shown(reads)
    if getattr(told, "sem_snapshot_id", ""):
        hidden["sem_snapshot_id"] = ""
    if getattr(told, "held", ()):
        hidden["held"] = ()
    return msgspec.structs.replace(told, **hidden) if hidden else told


def _cleared(told: Raw) -> Raw:
    return told if told.raw is None else msgspec.structs.replace(told, raw=None)


def released_memory(memory: ConsolidatedMemory) -> ConsolidatedMemory:
    items = tuple(
        msgspec.structs.replace(item, value=canonical_json.release(item.value))
        for item in memory.items
    )
    return msgspec.structs.replace(memory, items=items)


def unsaid(speaker: str, text: str) -> str:
    """Who says it, unless the words themselves begin with that."""
    return "" if spoken_by(speaker, text) == text else speaker


def evidence_of(layer: str, item_id: str, stamp: str) -> Evidence:
    """What a decision that uses it rests on: the item, and the facts of then."""
    if layer == governed_facts.SHELF:
        return Evidence(sem_keys=(item_id,), sem_snapshot_hash=stamp)
    if layer == layers_episodes.SHELF:
        return Evidence(episodic_id=item_id, sem_snapshot_hash=stamp)
    return Evidence(note=item_id, sem_snapshot_hash=stamp)


def policy_after(line: Line) -> str:
    """The digest of the policy after an entry: the one it was decided under, or that it adopts."""
    event = line.event
    return event.digest if isinstance(event, PolicyAdopted) else line.header.policy

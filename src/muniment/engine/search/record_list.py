"""Record list: everything that a reader may recall, newest first, with pagination."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import merge
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from muniment.engine.projections.index import Index
from muniment.engine.projections.index_view import IndexView
from muniment.engine.search import recall_filter, recall_results
from muniment.engine.search.held_records import HeldRecords
from muniment.engine.search.recall import Recaller
from muniment.engine.search.recall_filter import RecallFilter
from muniment.engine.search.recall_results import Record
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.argument_checks import check_count, check_day, checks_arguments
from muniment.engine.streams.read_snapshot import ReadSnapshot
from muniment.model import canonical_json, ids
from muniment.model.errors import InputError, NotFoundError
from muniment.model.kinds.episode import Fact
from muniment.model.kinds.handles import NONE
from muniment.retrieval import arrays as np
from muniment.retrieval.index.document_status import Mask
from muniment.retrieval.index.index_feed import IN_PARTS
from muniment.retrieval.text import tokenizer

PAGE: Final = 50
PAGE_MAX: Final = 1_000


class RecordPage(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the list; `next` fetches what follows, and is empty at the end."""

    records: tuple[Record, ...]
    next: str = ""


class Position(NamedTuple):
    """Where a record stands in the list: the greatest is the newest."""

    moment: int
    seq: int
    n: int
    source: int  # which collection it lies in, so that no two stand at one place

    @property
    def cursor(self) -> str:
        return ".".join(map(str, self))

    @classmethod
    def of(cls, cursor: str) -> Position | None:
        try:
            return cls(*map(int, cursor.split("."))) if cursor else None
        except (TypeError, ValueError):
            raise InputError("after: that is not the `next` of a page") from None


class _Listed(NamedTuple):
    """A record that may be on the page, not read yet: its number in an index, or a fact."""

    position: Position
    number: int
    fact: Fact | None = None


class _Collected(NamedTuple):
    """One index that the reader reads, and what of it may be shown."""

    home: Index
    view: IndexView
    kept: Mask


@checks_arguments
class RecordList:
    """Lists what one session may recall, and finds one record by its id."""

    def __init__(self, session: AgentSession, *, job: int = 0) -> None:
        self._session = session
        self._job = job
        self._recaller = Recaller(session)

    def records(
        self,
        *,
        where: Mapping[str, object] | str | None = None,
        limit: int = PAGE,
        after: str = "",
        at: int | None = None,
        valid_at: str = "",
        quarantined: bool = False,
    ) -> RecordPage:
        """Everything that is known, of every kind, newest first, a page at a time.

        `where` narrows as it does for `recall`; `after` is the `next` of the page before.
        """
        count, start = min(check_count(limit, "limit") or PAGE, PAGE_MAX), Position.of(after)
        wanted, snapshot = self._wanted(where, valid_at, at, quarantined=quarantined)
        collected, facts = self._collected(wanted, snapshot), self._facts(wanted, snapshot)
        lists = [
            *(_newest(each, n, start) for n, each in enumerate(collected)),
            _newest_facts(facts, len(collected), start),
        ]
        page = list(islice(merge(*lists, key=lambda each: each.position, reverse=True), count + 1))
        found = tuple(self._read(each, collected, snapshot) for each in page[:count])
        more = page[count - 1].position.cursor if len(page) > count else ""
        self._note(wanted.where, found, at, wanted.valid_at)
        return RecordPage(records=found, next=more)

    def get(self, item_id: str, *, at: int | None = None, valid_at: str = "") -> Record:
        """One record by its id, whatever kind it is; what nobody may see here is not found."""
        wanted, snapshot = self._wanted(None, valid_at, at, quarantined=bool(self._session.user))
        named = canonical_json.admit_text(item_id)
        found = self._found(named, wanted, snapshot)
        self._note(named, (found,), at, wanted.valid_at)
        return found

    def naming(self, names: Sequence[str], *, limit: int = PAGE_MAX) -> tuple[Record, ...]:
        """What names somebody or something in its own words, by any of these names, newest first.

        It is found by the words of the index, so that nobody reads a whole memory for one name.
        """
        wanted, snapshot = self._wanted(None, "", None, quarantined=False)
        wanted = msgspec.structs.replace(wanted, listed=False)  # nobody is known by a wish
        spelled = {tuple(tokenizer.stems(name)) for name in names} - {()}
        collected = [
            each._replace(kept=each.kept & _holding(each.view, spelled))
            for each in self._collected(wanted, snapshot)
        ]
        lists = (_newest(each, n, None) for n, each in enumerate(collected))
        newest = merge(*lists, key=lambda each: each.position, reverse=True)
        found = (self._read(each, collected, snapshot) for each in newest)
        return tuple(islice((each for each in found if _names(each.text, spelled)), limit))

    def _found(self, item_id: str, wanted: RecallFilter, snapshot: ReadSnapshot) -> Record:
        collected = self._collected(wanted, snapshot)
        for source, (_, view, kept) in enumerate(collected):
            number = view.register.find(item_id)
            if number is not None and kept[number]:
                return self._read(_listed(view, source, number), collected, snapshot)
        for fact in self._facts(wanted, snapshot):
            if fact.key == item_id:
                return self._fact(fact, snapshot)
        raise NotFoundError

    # ── What may be shown ───────────────────────────────────────────────────────────────────────

    def _wanted(
        self, where: object, valid_at: str, at: int | None, *, quarantined: bool
    ) -> tuple[RecallFilter, ReadSnapshot]:
        day = check_day(valid_at)
        snapshot = self._session.snapshot(at, day)
        wanted = RecallFilter(
            results_max=0,
            valid_at=day,
            quarantined=quarantined,
            where=self._recaller.spelled(where),
            listed=True,
            now=self._session.hub.parts.clock.now() if at is None else "",
        )
        self._recaller.check(wanted)
        return wanted, snapshot

    def _collected(self, wanted: RecallFilter, snapshot: ReadSnapshot) -> list[_Collected]:
        """What is the reader's own, what they share, and their documents."""
        trust, found = snapshot.desk.policy.trust, []
        documents = self._recaller.document_index(snapshot)
        indexes = [
            *self._recaller.indexes(snapshot),
            *([(documents, snapshot.seq)] if documents else []),
        ]
        for index, seq in indexes:
            view = index.view(seq)
            timed = msgspec.structs.replace(wanted, now=wanted.now or view.now)
            out = np.zeros(view.register.count, dtype=bool)
            for _, mask in recall_filter.barred(view, timed, trust):
                out |= mask
            found.append(_Collected(index, view, ~out))
        return found

    def _facts(self, wanted: RecallFilter, snapshot: ReadSnapshot) -> list[Fact]:
        return recall_results.let_in(snapshot.own, wanted.where)

    # ── What is shown ───────────────────────────────────────────────────────────────────────────

    def _read(self, listed: _Listed, collected: list[_Collected], snapshot: ReadSnapshot) -> Record:
        if listed.fact is not None:
            return self._fact(listed.fact, snapshot)
        index, view, _ = collected[listed.position.source]
        number = np.array([listed.number])
        (stands,), (item_id,) = view.register.stands(number), view.collection.ids_of(number)
        (text,), (speaker,) = index.texts([stands], whole=True), view.collection.speakers_of(number)
        told = index.handles(stands.seq) if stands.labelled else NONE
        moment, held = listed.position.moment, HeldRecords(self._session)
        return Record(
            id=item_id,
            layer=stands.layer,
            text=text or "",
            created=ids.time_text(moment) if moment >= 0 else "",
            seq=stands.seq,
            evidence=recall_results.evidence_of(stands.layer, item_id, snapshot.stamp),
            origin=stands.origin,
            speaker=recall_results.unsaid(speaker, text or ""),
            held=held.at(index, stands.seq) if held else (),
            **recall_results.by_handles(told),
        )

    def _fact(self, fact: Fact, snapshot: ReadSnapshot) -> Record:
        held = HeldRecords(self._session).on_fact(fact.key)
        return recall_results.fact_record(fact, snapshot.stamp, held)

    def _note(self, asked: str, found: tuple[Record, ...], at: int | None, day: str) -> None:
        """Who has seen what is asked of lists too."""
        self._session.queue_read_receipt(
            recall_results.named("records", day),
            asked,
            {each.id: 0 for each in found},
            at,
            job=self._job,
            texts=[each.text for each in found],
        )


def _holding(view: IndexView, names: Collection[tuple[str, ...]]) -> Mask:
    """Which texts have every word of one of these names, in whatever order."""
    collection, found = view.collection, np.zeros(view.register.count, dtype=bool)
    for words in names:
        held = collection.postings.find(list(map(tokenizer.key, words)), collection.count)
        all_of = np.ones(view.register.count, dtype=bool)
        for documents, _ in held:
            one = np.zeros(view.register.count, dtype=bool)
            one[documents] = True
            all_of &= one
        found |= all_of
    return found


def _names(text: str, names: Collection[tuple[str, ...]]) -> bool:
    """Whether a text says one of these names, its words side by side."""
    words = tokenizer.stems(text)
    return any(
        tuple(words[at : at + len(name)]) == name for name in names for at in range(len(words))
    )


def _newest(collected: _Collected, source: int, start: Position | None) -> Iterator[_Listed]:
    """The newest of an index behind a position, newest first.

    What was kept twice of one moment in the same words, a message and the fact it states, is one.
    """
    view = collected.view
    # A long text is one record, however many parts it is found by.
    later = view.register.of_layer(tuple(sorted(IN_PARTS))) & (view.register.column("n") > 1)
    numbers = np.flatnonzero(collected.kept & ~later).astype(np.int64)
    places = [
        np.asarray(column)[numbers].astype(np.int64)
        for column in (view.collection.moments, *map(view.register.column, ("seq", "n")))
    ]
    said = view.register.column("said")[numbers].astype(np.int64)
    told: set[tuple[int, int]] = set()
    if start is not None:
        behind = _behind(places, source, start)
        with_it = ~behind & (places[0] == start.moment)  # pages before may have shown their words
        told |= {(start.moment, words) for words in said[with_it].tolist()}
        numbers, said, *places = (each[behind] for each in (numbers, said, *places))
    for at in np.lexsort(places[::-1])[::-1].tolist():
        words = (int(places[0][at]), int(said[at]))
        if words not in told:
            told.add(words)
            yield _listed(view, source, int(numbers[at]))


def _behind(places: list[np.NDArray[np.int64]], source: int, start: Position) -> Mask:
    """Which stand behind a position: by the first of the columns that differs."""
    behind = np.full(len(places[0]), source < start.source)
    for column, value in zip(reversed(places), reversed(start[:3]), strict=True):
        behind = (column < value) | ((column == value) & behind)
    return behind


def _listed(view: IndexView, source: int, number: int) -> _Listed:
    register = view.register
    moment, seq, n = (
        int(column[number])
        for column in (view.collection.moments, register.column("seq"), register.column("n"))
    )
    return _Listed(Position(moment, seq, n, source), number)


def _newest_facts(facts: list[Fact], source: int, start: Position | None) -> list[_Listed]:
    listed = [
        _Listed(Position(ids.time_ms(fact.last_updated), fact.seq, n, source), 0, fact)
        for n, fact in enumerate(facts)
    ]
    behind = [each for each in listed if start is None or each.position < start]
    return sorted(behind, key=lambda each: each.position, reverse=True)

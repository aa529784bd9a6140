"""Loop reader: one persona's three layers, literal events, their mirror, loop summaries.

What a reader gets is a function of the persona's own events alone. Where a mirror entry or a
summary is still owed, it is made while reading, by the same rules, and not kept: so nobody can
tell from an answer whether a dream has been there in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine import lazy_views as views
from muniment.engine.projections import forgotten_events
from muniment.engine.projections.index import Index
from muniment.engine.projections.loop_cache import Held, Practised, ReadLoops
from muniment.engine.session import loop_entries, loop_filters
from muniment.engine.session.loop_filters import LoopFilters
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams.ports import is_repeatable
from muniment.layers import loop_events, mirror
from muniment.layers.shelves import Shelves
from muniment.log.entry import Line
from muniment.model import ids
from muniment.model.errors import NotFoundError
from muniment.model.events.loops import Embedded, EventObserved, LoopSummarised, Mirrored
from muniment.model.kinds.loop import (
    EMBEDDED,
    PENDING_DERIVATION,
    PENDING_EMBEDDING,
    IdeticEvent,
    LoopSummary,
    MirrorEntry,
    collection_name,
    idetic_id,
)
from muniment.model.kinds.skill import Skill
from muniment.model.policy.identity import Heuristics, heuristics, tuned
from muniment.model.scope import Persona, StreamId, collection_stream
from muniment.model.text.near_duplicates import saying
from muniment.retrieval.index import index_feed
from muniment.retrieval.ranking import ranker
from muniment.retrieval.ranking.sort_order import best_first
from muniment.rules import loop_compaction
from muniment.rules.privacy import screen


class MirrorHit(msgspec.Struct, frozen=True, kw_only=True):
    """One mirror entry that answers a question, and why."""

    entry: MirrorEntry
    score_ppm: int
    matched: tuple[str, ...]


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """How far the derived layers have come: mirror and pending together are all the events."""

    idetic: int
    mirror: int
    pending_derivation: int
    pending_embedding: int
    loops: int
    summaries: int


class Library:
    """The layers of one persona of one agent; nothing that is asked here reaches another's."""

    def __init__(self, hub: StreamHub, source: StreamId, subject: str = "") -> None:
        self._hub = hub
        self._subject = (
            subject  # whom the reader speaks for; maintenance speaks for nobody and sees all
        )
        self.source = source
        self.place = collection_stream(source)
        self.name = collection_name(source.owner, source.persona)

    # ── Literal ─────────────────────────────────────────────────────────────────────────────────

    def get(self, event_id: str, at: int | None = None) -> IdeticEvent:
        line = self._visible(at).get(loop_events.SHELF, event_id)
        if line is None or not isinstance(line.event, EventObserved):
            raise NotFoundError
        return loop_entries.released(loop_events.event(self.source, line))

    def between(self, start_ts: str, end_ts: str, at: int | None = None) -> list[IdeticEvent]:
        """Events from one moment to another, both included, in the order they happened."""
        return [
            loop_entries.released(event)
            for event, *_ in self._observed(self._hub.writer(self.source).place(at))
            if (not start_ts or start_ts <= event.ts) and (not end_ts or event.ts <= end_ts)
        ]

    def events(self, at: int | None = None) -> list[IdeticEvent]:
        """What is read of them; what somebody forgot stands in the log alone."""
        return [told for told, *_ in self._heard(self._hub.writer(self.source).place(at))]

    def _heard(self, place: int) -> list[Held]:
        gone = forgotten_events.forgotten(self._visible(place))
        return [its for its in self._observed(place) if its[0].id not in gone]

    def _observed(self, place: int) -> list[Held]:
        """All that was observed up to an entry, in its order."""
        held = self._caught_up()
        return [its for seq, its in sorted(held.events.items()) if seq <= place]

    # ── The mirror ──────────────────────────────────────────────────────────────────────────────

    def mirrored(self, at: int | None = None) -> list[MirrorEntry]:
        """One compact entry for each event, graded among all of them."""
        found = [self._compact(event) for event in self.events(at)]
        alike = Counter(map(loop_entries.said, found))
        return [loop_entries.graded(entry, alike[loop_entries.said(entry)] - 1) for entry in found]

    def alike(self) -> Callable[[MirrorEntry], int]:
        """How many other entries say the same as one."""
        counted = Counter(map(loop_entries.said, self.mirrored()))
        return lambda entry: counted[loop_entries.said(entry)] - 1

    def rag_query(
        self, text: str, filters: Mapping[str, object], at: int | None = None, *, until: str = ""
    ) -> list[MirrorHit]:
        """Entries that share words with the text or resemble it, best first; told of by a day.

        The persona's own index answers, so no statistic tells of another's collection.
        """
        wanted = LoopFilters.read(filters)
        index = self._index()
        view = index.view(self._hub.writer(self.source).place(at))
        asked = index.asked(text, view, code=self._code(text, index))
        day = ids.day_number(until) if until else None
        heard = loop_filters.mirrored(view.register, day)
        ranking = ranker.rank(
            view.collection,
            asked,
            index.recipe.weights_for(asked, view.collection),
            among=heard & wanted.among(view.collection, view.register),
            heard=heard,
            tells_of=view.register.column("of"),
        )
        order = ranking.by_itself(index.recipe.likeness_ppm)
        best, scores = loop_filters.best(order, view.register, wanted.top_k)
        grades = loop_filters.importances(view.collection, view.register)[best].tolist()
        seqs = view.register.column("seq")[best].tolist()
        lines = index.lines(seqs)
        again = {seq: index_feed.kept_at(line) for seq, line in lines.items()}
        words = index.lines(again.values())  # what came back stands where it was told first
        return [
            MirrorHit(
                entry=entry, score_ppm=score_ppm, matched=asked.matched(saying(entry.summary))
            )
            for seq, score_ppm, grade in zip(seqs, scores.tolist(), grades, strict=False)
            if (entry := self._entry(words[again[seq]], grade)) is not None
        ]

    # ── Loop summaries ──────────────────────────────────────────────────────────────────────────

    def summaries(
        self, window: int, at: int | None = None, *, until: str = ""
    ) -> list[LoopSummary]:
        """The last loops that have ended, newest first; a loop still open is no memory yet."""
        place, still_open = self._ended(at)
        found: list[LoopSummary] = []
        for line in self._visible(place).newest(loop_events.LOOPS):
            if len(found) >= window:
                break
            if line.header.job not in still_open and isinstance(line.event, EventObserved):
                summary = self._summary(line.event.loop_id, place)
                found += [summary] if summary and _by(summary.ts_end, until) else []
        return found

    def fuzzy_query(
        self,
        text: str,
        changes: Mapping[str, object],
        *,
        reader: Persona,
        as_of: str = "",
        at: int | None = None,
        until: str = "",
    ) -> list[views.Likeness]:
        """Summaries alike to the text, weighed by age, kind and visibility."""
        rules = self.heuristics(reader, changes)
        known = self.summaries(rules.stm_window_size, at, until=until)
        # Without a clock the newest of them is now: time then passes with what happens.
        now = as_of or max((each.ts_end for each in known), default="")
        return later.fuzzy.search(text, known, rules, as_of=now)

    def heuristics(self, reader: Persona, changes: Mapping[str, object]) -> Heuristics:
        policy = self._hub.writer(self.source).desk.policy
        return tuned(heuristics(policy.identity, reader), changes)

    # ── Skills ──────────────────────────────────────────────────────────────────────────────────

    def skills(self, at: int | None = None, *, until: str = "") -> list[Skill]:
        """What was done the same way three times, by everybody this reader may see."""
        return [skill for told in self.practised(at, until=until).values() for skill in told]

    def practised(self, at: int | None = None, *, until: str = "") -> Practised:
        """The same for each person: loops of two people are never counted together."""
        rules = self._hub.writer(self.source).desk.policy.compaction
        if not rules.enable_skill_extraction:
            return {}
        place, still_open = self._ended(at)
        limits = {"repeats_min": rules.skill_repeats_min, "skills_max": rules.skills_max}
        observed, gone = self._observed(place), forgotten_events.forgotten(self._visible(place))
        # Up to a place the log is what it is: where it ends tells all that was observed.
        last = observed[-1][0].id if observed else ""
        of = (last, gone, frozenset(still_open), until, *limits.values())
        known, found = self._held.practised
        if known != of:
            heard = (its for its in observed if its[0].id not in gone)
            found = {
                who: later.skills.extract(self.name, who, _over(each.values(), until), **limits)
                for who, each in _ended_loops(heard, still_open).items()
            }
            self._held.practised = (of, found)
        return found

    # ── What is owed ────────────────────────────────────────────────────────────────────────────

    def owed(self) -> list[Line]:
        """Events without a mirror entry, oldest first."""
        here, there = self._hub.writer(self.source), self._hub.writer(self.place)
        lines = list(here.shelves().newest(loop_events.SHELF))
        known = {_source(line) for line in there.shelves().newest(mirror.SHELF)}
        return [line for line in reversed(lines) if loop_events.event_id(line) not in known]

    def unembedded(self) -> list[Line]:
        """Mirror entries without a vector of the present embedder, oldest first."""
        shelves = self._hub.writer(self.place).shelves()
        model = self._hub.tools.embedder.name
        known = {_source(line) for line in shelves.under(mirror.VECTORS, model)}
        rows = reversed(list(shelves.newest(mirror.SHELF)))
        return [line for line in rows if _source(line) not in known]

    def unsummarised(self) -> list[str]:
        """Loops that have ended without a summary, oldest first."""
        writer, shelves = self._hub.writer(self.source), self._hub.writer(self.place).shelves()
        ended = [
            line.event.loop_id
            for line in writer.shelves().newest(loop_events.LOOPS)
            if isinstance(line.event, EventObserved)
            and line.header.job not in writer.desk.jobs.open
        ]
        return [
            loop_id for loop_id in reversed(ended) if not shelves.get(mirror.SUMMARIES, loop_id)
        ]

    def status(self, event_id: str) -> str:
        """`embedded`, `pending_embedding` or `pending_derivation`."""
        self.get(event_id)
        shelves = self._hub.writer(self.place).shelves()
        if shelves.get(mirror.SHELF, event_id) is None:
            return PENDING_DERIVATION
        return EMBEDDED if shelves.get(mirror.VECTORS, event_id) else PENDING_EMBEDDING

    def coverage(self) -> Coverage:
        here, there = self._hub.writer(self.source), self._hub.writer(self.place).shelves()
        events = list(here.shelves().newest(loop_events.SHELF))
        entries = list(there.newest(mirror.SHELF))
        return Coverage(
            idetic=len(events),
            mirror=len(entries),
            pending_derivation=len(self.owed()),
            pending_embedding=len(self.unembedded()),
            loops=len(list(here.shelves().newest(loop_events.LOOPS))),
            summaries=len(list(there.newest(mirror.SUMMARIES))),
        )

    # ── What is kept, and what is made while reading ────────────────────────────────────────────

    @property
    def _held(self) -> ReadLoops:
        return self._hub.loops.of(self.source.text, self._subject)

    def _caught_up(self) -> ReadLoops:
        """What this reader has opened, with what was told since."""
        held, keyring = self._held, self._hub.parts.world.keyring
        if any(keyring.key(ref) is None for ref in held.subjects):
            held.forget()  # somebody was erased: what is held here may be theirs
        own, derived = held.read
        heads = self._hub.writer(self.source).head.seq, self._derived_seq()
        if heads[0] != own:
            for line in _since(self._visible(heads[0]), loop_events.SHELF, own):
                assert isinstance(line.event, EventObserved)
                told = loop_events.event(self.source, line)
                held.events[line.seq] = (told, line.event.subject, line.header.job)
                held.subjects.update(part.subject for part in line.header.parts)
        if heads[1] != derived:
            shelves = self._hub.writer(self.place).shelves(heads[1])
            for line in _since(shelves, mirror.SHELF, derived):
                held.mirrored[_source(line)] = mirror.entry(self.source, line)
        # Said last: whoever reads at the same moment may do it twice, and misses nothing.
        held.read = heads
        return held

    def _visible(self, at: int | None) -> Shelves:
        return self._hub.writer(self.source).shelves(at, subject=self._subject)

    def _derived_seq(self) -> int:
        exists = self._hub.exists(self.place)
        return self._hub.writer(self.place).head.seq if exists else 0

    def _compact(self, event: IdeticEvent) -> MirrorEntry:
        return self._held.mirrored.get(event.id) or loop_entries.mirrored(event)

    def _index(self) -> Index:
        """What this reader may find among the persona's own events."""
        policy = self._hub.writer(self.source).desk.policy
        return self._hub.index(self.source, self._subject, policy.recall.embedder)

    def _code(self, text: str, index: Index) -> bytes | None:
        """No vector where a question may not be kept: it is told to no embedder elsewhere."""
        if is_repeatable(index.embedder):
            return None
        privacy = self._hub.writer(self.source).desk.policy.privacy
        detector = self._hub.parts.world.detector
        told = screen.screen_text(text, privacy, pseudonym=lambda _: "", detector=detector)
        return None if told == text else b""

    def _entry(self, line: Line, importance: int) -> MirrorEntry | None:
        if not isinstance(line.event, EventObserved):
            return None  # erased while we looked
        entry = loop_entries.mirrored(loop_events.event(self.source, line))
        return msgspec.structs.replace(entry, importance=importance)

    def _summary(self, loop_id: str, at: int) -> LoopSummary | None:
        exists = self._hub.exists(self.place)
        shelves = self._hub.writer(self.place).shelves() if exists else None
        line = shelves.get(mirror.SUMMARIES, loop_id) if shelves else None
        told_of = line.event if line and isinstance(line.event, LoopSummarised) else None
        gone = forgotten_events.forgotten(self._visible(at))
        if told_of and gone.isdisjoint(map(idetic_id, told_of.mirror_ids)):
            return mirror.summary(self.source, told_of)
        derivation = self._hub.derivation  # what it tells of is told anew, without what is gone
        lines = derivation.lines_of(self.source, loop_id, at)
        told = derivation.summary(self.source, lines, loop_compaction.compact)
        return mirror.summary(self.source, told) if told else None

    def _ended(self, at: int | None) -> tuple[int, Mapping[int, object]]:
        """Where to read, and the jobs that had not ended there."""
        place = self._hub.writer(self.source).place(at)
        return place, self._hub.desk_at(self.source, at).jobs.open


def _by(ts: str, day: str) -> bool:
    """Whether a moment was past at the end of a day; without a day, it is."""
    return not day or ids.day_number(ts) <= ids.day_number(day)


def _over(loops: Iterable[list[IdeticEvent]], day: str) -> list[list[IdeticEvent]]:
    """The loops that had ended by a day: one ends with the last of its events."""
    return [each for each in loops if _by(each[-1].ts, day)]


def _since(shelves: Shelves, shelf: str, seq: int) -> Iterable[Line]:
    """What a shelf has got behind an entry; mostly nothing, which one look at its top tells."""
    if shelves.top(shelf) <= seq:
        return
    for line in shelves.newest(shelf):
        if line.seq <= seq:
            return
        yield line


def _ended_loops(
    heard: Iterable[Held], still_open: Container[int]
) -> dict[str, dict[str, list[IdeticEvent]]]:
    """By person and loop the events of those that have ended."""
    people: dict[str, dict[str, list[IdeticEvent]]] = {}
    for event, subject, job in heard:
        if job not in still_open:
            people.setdefault(subject, {}).setdefault(event.loop_id, []).append(event)
    return people


def _source(line: Line) -> str:
    assert isinstance(line.event, Mirrored | Embedded)
    return line.event.source_id


def ordered(found: Sequence[MirrorHit]) -> list[MirrorHit]:
    """Of several collections, the best first."""
    return best_first(found, lambda each: (each.score_ppm, each.entry.ts, each.entry.id))

"""Reads of one persona: by key, by words, by log position; now or as of an earlier entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine import lazy_views as views
from muniment.engine.search import recall_results, rerank
from muniment.engine.search.recall import RankedQuestion, Recaller
from muniment.engine.search.recall_filter import RecallFilter
from muniment.engine.search.recall_results import Bundle, EpisodicQuery, Receipt, SemRead
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.session.loop_reader import MirrorHit
from muniment.engine.streams import own_lines
from muniment.engine.streams.argument_checks import (
    check_count,
    check_day,
    check_window,
    checks_arguments,
    query_text,
)
from muniment.engine.streams.read_snapshot import ReadSnapshot
from muniment.layers import episodes, loop_events
from muniment.layers.jobs import consolidated_memory
from muniment.log.entry import Line
from muniment.model import canonical_json, fact_keys, ids
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events import EpisodeWritten, Recalled
from muniment.model.kinds.episode import ConsolidatedMemory, EpisodicEntry, Fact
from muniment.model.kinds.receipts import Basis
from muniment.model.kinds.skill import Skill
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.policy import Policy
from muniment.retrieval.dates import validity

SNAPSHOT_ID: Final = lazy_pattern(
    r"(?P<stream>[0-9a-f]{8})@(?P<at>[0-9]+)|bs:(?P<brainstate>[0-9]+):[0-9a-f]+"
)


@checks_arguments
class Reader:
    """What a persona may read. Its streams are fixed when it is built; no argument widens it."""

    def __init__(self, agent_session: AgentSession, *, job: int = 0) -> None:
        self._session = agent_session
        self._job = job  # that reads; 0 outside of any
        self._recaller = Recaller(agent_session)

    def recall(
        self,
        query: str,
        *,
        limit: int = 0,
        at: int | None = None,
        valid_at: str = "",
        purpose: str = "",
        quarantined: bool = False,
        explain: bool = False,
        where: Mapping[str, object] | str | None = None,
    ) -> Bundle:
        """What is known about the question, best first, with a receipt.

        `at` reads as of an earlier entry, `valid_at` what was so on a day; `purpose="act"` keeps
        to what may be acted on; `quarantined` also shows people what waits for their yes.
        `where` narrows by kind, session, source, tags, metadata and times, before anything is
        ranked: `{"tags": "travel", "metadata.stars": {"gte": 3}}`.
        """
        day = check_day(valid_at)
        snapshot = self._session.snapshot(at, day)
        policy = snapshot.desk.policy.recall
        count = check_count(limit, "limit")
        wanted = RecallFilter(
            results_max=count or policy.results_max,
            valid_at=day,
            purpose=purpose,
            quarantined=quarantined,
            where=self._recaller.spelled(where),
        )
        recaller = self._recaller
        if policy.profile == recall_results.STAGE1:
            told = self._overlapping(recaller.question(query, wanted, snapshot), explain=explain)
        else:
            told = self._ranked(query, wanted, snapshot, explain=explain)
        recaller.note(told, query, job=self._job)
        return self._shown_bundle(told)

    def _ranked(
        self, query: str, wanted: RecallFilter, snapshot: ReadSnapshot, *, explain: bool
    ) -> Bundle:
        """What is found by words and vectors, as others put it where there are any."""
        said = rerank.rewritten(self._session, query)

        def found(filtered: RecallFilter) -> Bundle:
            question = self._recaller.question(said or query, filtered, snapshot)
            question = msgspec.structs.replace(question, rewritten=said)
            return self._recaller.told(self._recaller.answer(question), explain=explain)

        if widened := rerank.widened(self._session, wanted):
            told = rerank.reranked(self._session, found(widened), query, wanted.results_max)
            if told is not None:
                return told
        return found(wanted)

    def recall_again(self, seq: int) -> Bundle:
        """What the recall whose receipt stands at an entry was answered, made anew.

        Under the rules of then, with the embedder of then: whatever was changed since.
        """
        place = check_count(seq, "seq")
        line = next((each for each in self._lines(after=place - 1, upto=place)), None)
        if line is None or not isinstance(line.event, Recalled):
            raise NotFoundError
        question = later.past_questions.asked_before(self._session, line.event)
        if line.event.basis is not None and line.event.basis.recipe == recall_results.STAGE1:
            return self._shown_bundle(self._overlapping(question))
        told = self._recaller.told(self._recaller.answer(question))
        keep = later.past_questions.results_wanted(line.event)
        return self._shown_bundle(rerank.as_reranked(told, line.event.basis, keep))

    def recall_under(self, receipt: Recalled, then: Policy) -> Bundle:
        """A recorded recall asked where another policy holds than `then`; nothing is noted."""
        question = later.past_questions.asked_here(self._session, receipt, then)
        if question.snapshot.desk.policy.recall.profile == recall_results.STAGE1:
            return self._overlapping(question)
        told = self._recaller.told(self._recaller.answer(question))
        now = question.snapshot.desk.policy
        keep = later.past_questions.results_wanted(receipt, then, now)
        return rerank.as_reranked(told, receipt.basis, keep)

    def _shown_bundle(self, told: Bundle) -> Bundle:
        """An answer as its caller gets it: the log knows where the council stood, and only it."""
        heads = self._session.shown(told.receipt.reads)
        receipt = msgspec.structs.replace(told.receipt, reads=heads)
        return msgspec.structs.replace(told, receipt=receipt)

    def _overlapping(self, question: RankedQuestion, *, explain: bool = False) -> Bundle:
        """What shares words with the question among the newest entries: the profile `stage1`."""
        query, wanted, snapshot = question.text, question.wanted, question.snapshot
        policy = snapshot.desk.policy
        window = policy.recall.window_entries
        hits, considered = recall_results.recall(
            self._recaller.episodes(wanted, snapshot, window, as_of=question.as_of),
            recall_results.let_in(snapshot.own, wanted.where),
            query,
            results_max=wanted.results_max,
        )
        evidence = snapshot.evidence([hit.id for hit in hits])
        basis = Basis(
            index="",
            embedder="",
            words=policy.words.tokenizer,
            recipe=recall_results.STAGE1,
            considered=considered,
            as_of=question.as_of,
            policy=question.policy,
            **wanted.stated,
        )
        return Bundle(
            hits=tuple(
                recall_results.cited(hit, each, explain=explain)
                for hit, each in zip(hits, evidence, strict=True)
            ),
            receipt=Receipt(
                call="recall",
                query=query,
                ids=tuple(hit.id for hit in hits),
                scores_ppm=tuple(hit.score_ppm for hit in hits),
                reads=snapshot.reads,
                policy=snapshot.desk.policy_digest,
                basis=basis,
            ),
            considered=considered,
        )

    def sem_get(self, canonical_key: str, *, at: int | None = None, valid_at: str = "") -> SemRead:
        """A governed fact by its exact key: now, as of an entry, or what it was on a day."""
        aliases, day = self._session.policy.sem.aliases, check_day(valid_at)
        key = fact_keys.canonical(canonical_key, aliases)
        snapshot = self._session.snapshot(at, day)
        fact = next((each for each in snapshot.facts if each.key == key), None)
        evidence = snapshot.evidence([key] if fact else [])
        self._session.queue_recall_receipt(
            recall_results.named("sem_get", day), key, evidence, snapshot.reads, job=self._job
        )
        return recall_results.sem_read(fact)

    def sem_search(self, prefix: str, *, at: int | None = None, valid_at: str = "") -> list[Fact]:
        """Governed facts whose keys begin with the prefix, in the order of their keys."""
        day = check_day(valid_at)
        snapshot = self._session.snapshot(at, day)
        found = recall_results.sem_search(snapshot.facts, prefix, snapshot.desk.policy.sem.aliases)
        evidence = snapshot.evidence([fact.key for fact in found])
        call = recall_results.named("sem_search", day)
        self._session.queue_recall_receipt(call, prefix, evidence, snapshot.reads, job=self._job)
        return found

    def episodic_query(
        self,
        query: str | Sequence[str],
        max_results: int = 8,
        snapshot_id: str = "",
        *,
        window_n: int | None = None,
        time_window: tuple[str, str] | None = None,
        at: int | None = None,
        valid_at: str = "",
    ) -> list[views.Scored]:
        """Episodes by overlap of words; the same list for the same snapshot, always."""
        snapshot = self._session.snapshot(self._snapshot_seq(snapshot_id) if snapshot_id else at)
        wanted = EpisodicQuery(
            text=query_text(query),
            max_results=check_count(max_results, "max_results"),
            window_n=None if window_n is None else check_count(window_n, "window_n"),
            time_window=None if time_window is None else check_window(time_window),
        )
        told = RecallFilter(results_max=wanted.max_results, valid_at=check_day(valid_at))
        window = -1 if wanted.window_n is None else wanted.window_n
        as_of = self._session.hub.parts.clock.now() if snapshot.at is None else ""
        lines = self._recaller.episodes(told, snapshot, window, as_of=as_of)
        found = recall_results.episodic_query(lines, wanted)
        scores = [each.score_ppm for each in found]
        evidence = snapshot.evidence([each.entry.episodic_id for each in found])
        call = recall_results.named("episodic_query", told.valid_at)
        self._session.queue_recall_receipt(
            call,
            wanted.text,
            evidence,
            snapshot.reads,
            scores,
            job=self._job,
            texts=[each.entry.summary for each in found],
        )
        return [
            msgspec.structs.replace(scored, evidence=each)
            for scored, each in zip(found, evidence, strict=True)
        ]

    def episode(
        self, episodic_id: str, *, at: int | None = None, valid_at: str = ""
    ) -> EpisodicEntry:
        shelves, named = self._session.shelves(at), canonical_json.admit_text(episodic_id)
        day = check_day(valid_at)
        line = shelves.get(episodes.SHELF, named)
        if line is None or not isinstance(line.event, EpisodeWritten):
            raise NotFoundError
        said = validity.episode(shelves, line, line.event) if day else None
        if said and not said.holds(ids.day_number(day)):
            raise NotFoundError
        return recall_results.released(episodes.entry(line.event))

    def cwm_get(
        self, snapshot_id: str = "", *, session: str, at: int | None = None, valid_at: str = ""
    ) -> ConsolidatedMemory:
        """A session's consolidated memory: now, as a job's snapshot or an entry had it, on a day.

        It only reads.
        """
        cwm_id = ids.consolidated_id(canonical_json.admit_text(session))
        seq = self._snapshot_seq(snapshot_id) if snapshot_id else at
        desk = self._session.hub.desk_at(self._session.stream_id, seq, check_day(valid_at))
        owner = desk.consolidated.owners.get(cwm_id, self._session.subject)
        mine = desk.consolidated.sessions.get(cwm_id) if owner == self._session.subject else None
        found = mine or consolidated_memory.empty(cwm_id)
        return recall_results.released_memory(found)

    def rag_query(
        self,
        text: str,
        filters: Mapping[str, object] | None = None,
        *,
        at: int | None = None,
        valid_at: str = "",
    ) -> list[MirrorHit]:
        """The mirror of this persona's events by words and likeness, best first."""
        text, day = canonical_json.admit_text(text), check_day(valid_at)
        found = self._session.library.rag_query(text, filters or {}, at, until=day)
        cited = {hit.entry.id: hit.score_ppm for hit in found}
        self._session.queue_read_receipt(
            recall_results.named("rag_query", day),
            text,
            cited,
            at,
            job=self._job,
            texts=[hit.entry.summary for hit in found],
        )
        return found

    def fuzzy_query(
        self,
        text: str,
        heuristics: Mapping[str, object] | None = None,
        *,
        at: int | None = None,
        valid_at: str = "",
    ) -> list[views.Likeness]:
        """The last loops of this persona by likeness of words, age, kind and visibility."""
        text, mine, day = (
            canonical_json.admit_text(text),
            self._session,
            check_day(valid_at),
        )
        now = recall_results.as_of(day, mine.hub.parts.clock)
        found = mine.library.fuzzy_query(
            text,
            heuristics or {},
            reader=mine.stream_id.persona,
            as_of=now,
            at=at,
            until=day,
        )
        cited = {each.summary.id: each.score_ppm for each in found}
        mine.queue_read_receipt(
            f"fuzzy_query@{now}" if now else "fuzzy_query", text, cited, at, job=self._job
        )
        return found

    def skills(self, *, at: int | None = None, valid_at: str = "") -> list[Skill]:
        """What this persona did the same way three times, for this user or for nobody."""
        day = check_day(valid_at)
        # An entry knows no hour: what is read at one is as sure as it was told there.
        now = recall_results.as_of(day, self._session.hub.parts.clock) if at is None or day else ""
        found = [
            later.skills.faded(each, now) for each in self._session.library.skills(at, until=day)
        ]
        cited = {skill.skill_id: skill.confidence_ppm for skill in found}
        call = f"skills@{now}" if now else "skills"
        self._session.queue_read_receipt(call, "", cited, at, job=self._job)
        return found

    def get_by_id(self, entry_id: str) -> Line:
        """One entry of this persona's log, literally; a raw form is for administrators.

        What happened in a loop is found at once; other entries are looked for.
        """
        happened = self._session.shelves(None).get(
            loop_events.SHELF, canonical_json.admit_text(entry_id)
        )
        if happened is not None:
            return happened
        for line in self._lines():
            if line.header.id == entry_id:
                return self._shown_line(line)
        raise NotFoundError

    def get_range(self, start: int | str = 1, end: int | str | None = None) -> list[Line]:
        """Entries of this persona's log from one place to another, both included.

        Two whole numbers are places (seq); two texts are moments, as entries spell them.
        """
        if isinstance(start, str) or isinstance(end, str):
            return self._between(start, end)
        check_count(start, "start")
        if end is not None:
            check_count(end, "end")
        return [self._shown_line(line) for line in self._lines(after=start - 1, upto=end)]

    def _shown_line(self, line: Line) -> Line:
        return recall_results.without_heads(recall_results.without_raw(line), self._session.shown)

    def _lines(self, *, after: int = 0, upto: int | None = None) -> Iterator[Line]:
        """The log of this persona as its user may see it, without entries about other people."""
        lines = self._session.writer.lines(after=after, upto=upto)
        return own_lines.seen_by(self._session.shelves(None), lines)

    def _between(self, start: int | str, end: int | str | None) -> list[Line]:
        first = start if isinstance(start, str) else ""
        last = end if isinstance(end, str) else ""
        return [
            self._shown_line(line)
            for line in self._lines()
            if first <= recall_results.moment(line)
            and (not last or recall_results.moment(line) <= last)
        ]

    def _snapshot_seq(self, snapshot_id: object) -> int:
        """The seq that a snapshot of this log names: `<stream>@<seq>` or `bs:<seq>:<digest>`."""
        own = self._session.writer.stream.ref[:8]
        named = SNAPSHOT_ID.fullmatch(snapshot_id) if isinstance(snapshot_id, str) else None
        if named is None or named["stream"] not in {own, None}:
            raise InputError(f"{str(snapshot_id)[:40]!r} is not a snapshot of this log")
        return self._session.writer.place(int(named["at"] or named["brainstate"]))

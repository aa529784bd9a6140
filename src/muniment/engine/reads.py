"""The reads of one persona: by key, by words, by place in the log; each as of now or of then."""

import re
from collections.abc import Sequence
from typing import Final

from muniment.engine import context as contexts
from muniment.engine import reading
from muniment.engine.reading import Bundle, EpisodicQuery, Receipt, SemRead
from muniment.engine.voice import Voice
from muniment.layers import consolidated, episodic
from muniment.log.entry import Line
from muniment.model import canon, ids, keys
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events import EpisodeWritten
from muniment.model.item import ConsolidatedMemory, EpisodicEntry, Fact
from muniment.retrieval.rank import Scored

SNAPSHOT_ID: Final = re.compile(
    r"(?P<stream>[0-9a-f]{8})@(?P<at>[0-9]+)|bs:(?P<brainstate>[0-9]+):[0-9a-f]+"
)


class Reads:
    """What a persona may read. Its streams are fixed when it is built; no argument widens it."""

    number = 0  # of the job that reads; outside of any there is none

    def __init__(self, voice: Voice) -> None:
        self._voice = voice

    @property
    def name(self) -> str:
        return self._voice.agent

    @property
    def seq(self) -> int:
        """Where this persona's log stands."""
        return self._voice.writer.head.seq

    def recall(self, query: str, *, max_results: int = 0, at: int | None = None) -> Bundle:
        """What shares words with the question, best first, with a receipt."""
        voice = self._voice
        desk = voice.writer.desk
        query = canon.admit_text(query)
        reading.check_count(max_results, "max_results")
        shelves = voice.writer.shelves(at)
        hits, considered = reading.recall(
            shelves,
            voice.own_facts(at),
            query,
            results_max=max_results or desk.policy.recall.results_max,
            window=desk.policy.recall.window_entries,
        )
        found, scores = [hit.id for hit in hits], [hit.score_ppm for hit in hits]
        voice.note("recall", query, found, at, scores, job=self.number)
        receipt = Receipt(
            call="recall",
            query=query,
            ids=tuple(found),
            scores_ppm=tuple(scores),
            reads=voice.reads(at),
            policy=desk.policy_digest,
        )
        return Bundle(hits=hits, receipt=receipt, considered=considered)

    def context(self, prompt: str, *, budget: int = 0, at: int | None = None) -> contexts.Context:
        """Text for a prompt that fits the budget, and says why each line is there."""
        policy = self._voice.writer.desk.policy.recall
        bundle = self.recall(prompt, at=at)
        recent = reading.newest(self._voice.writer.shelves(at), policy.results_max)
        return contexts.assemble(
            bundle,
            facts=self._voice.own_facts(at),
            recent=recent,
            budget_tokens=budget or policy.budget_tokens,
        )

    def sem_get(self, canonical_key: str, *, at: int | None = None) -> SemRead:
        """A governed fact by its exact key."""
        key = keys.canonical(canonical_key)
        tenant = self._voice.stream_id.tenant
        fact = self._voice.house.fact(tenant, key, self._voice.council_seq(at))
        self._voice.note("sem_get", key, [key] if fact else [], at, job=self.number)
        return reading.sem_read(fact)

    def sem_search(self, prefix: str, *, at: int | None = None) -> list[Fact]:
        """Governed facts whose keys begin with the prefix, in the order of their keys."""
        found = reading.sem_search(self._voice.facts(at), prefix)
        names = [fact.key for fact in found]
        self._voice.note("sem_search", prefix, names, at, job=self.number)
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
    ) -> list[Scored]:
        """Episodes by overlap of words; the same list for the same snapshot, always."""
        seq = self._snapshot_seq(snapshot_id) if snapshot_id else at
        wanted = EpisodicQuery(
            text=reading.query_text(query),
            max_results=reading.check_count(max_results, "max_results"),
            window_n=None if window_n is None else reading.check_count(window_n, "window_n"),
            time_window=None if time_window is None else reading.check_window(time_window),
        )
        found = reading.episodic_query(self._voice.writer.shelves(seq), wanted)
        scores = [each.score_ppm for each in found]
        names = [each.entry.episodic_id for each in found]
        self._voice.note("episodic_query", wanted.text, names, seq, scores, job=self.number)
        return found

    def episode(self, episodic_id: str, *, at: int | None = None) -> EpisodicEntry:
        line = self._voice.writer.shelves(at).get(episodic.SHELF, episodic_id)
        if line is None or not isinstance(line.event, EpisodeWritten):
            raise NotFoundError
        return reading.released(episodic.entry(line.event))

    def cwm_get(self, snapshot_id: str = "", *, session: str) -> ConsolidatedMemory:
        """A session's consolidated memory, now or as a job's snapshot had it; read only."""
        cwm_id = ids.consolidated_id(session)
        desk = self._voice.writer.desk
        if snapshot_id:
            seq = self._snapshot_seq(snapshot_id)
            desk = self._voice.house.desk_at(self._voice.stream_id, seq)
        found = desk.consolidated.sessions.get(cwm_id) or consolidated.empty(cwm_id)
        return reading.released_memory(found)

    def get_by_id(self, entry_id: str) -> Line:
        """One entry of this persona's log, literally."""
        for line in self._voice.writer.lines():
            if line.header.id == entry_id:
                return line
        raise NotFoundError

    def get_range(self, start: int = 1, end: int | None = None) -> list[Line]:
        """Entries of this persona's log from one seq to another, both included."""
        return list(self._voice.writer.lines(after=start - 1, upto=end))

    def _snapshot_seq(self, snapshot_id: str) -> int:
        """The seq that a snapshot of this log names: `<stream>@<seq>` or `bs:<seq>:<digest>`."""
        own = self._voice.writer.stream.ref[:8]
        named = SNAPSHOT_ID.fullmatch(snapshot_id) if isinstance(snapshot_id, str) else None
        if named is None or named["stream"] not in {own, None}:
            raise InputError(f"{str(snapshot_id)[:40]!r} is not a snapshot of this log")
        return self._voice.writer.place(int(named["at"] or named["brainstate"]))

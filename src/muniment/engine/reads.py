"""The reads of one persona: by key, by words, by place in the log; each as of now or of then."""

from collections.abc import Sequence

from muniment.engine import context as contexts
from muniment.engine import reading
from muniment.engine.reading import Bundle, EpisodicQuery, Receipt, SemRead
from muniment.engine.voice import Voice
from muniment.layers import consolidated, episodic
from muniment.log.entry import Line
from muniment.model import ids, keys
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events import EpisodeWritten
from muniment.model.item import ConsolidatedMemory, EpisodicEntry, Fact
from muniment.retrieval.rank import Scored


class Reads:
    """What a persona may read. Its streams are fixed when it is built; no argument widens it."""

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
        shelves = voice.writer.shelves(at)
        hits, considered = reading.recall(
            shelves,
            voice.own_facts(at),
            query,
            results_max=max_results or desk.policy.recall.results_max,
            window=desk.policy.recall.window_entries,
        )
        found, scores = [hit.id for hit in hits], [hit.score_ppm for hit in hits]
        voice.note("recall", query, found, at, scores)
        receipt = Receipt(
            call="recall",
            query=query,
            ids=tuple(found),
            scores_ppm=tuple(scores),
            reads=voice.reads(at),
            policy=desk.policy_digest,
        )
        return Bundle(hits=hits, receipt=receipt, considered=considered)

    def context(
        self, prompt: str, *, budget: int = 0, at: int | None = None
    ) -> contexts.Context:
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
        self._voice.note("sem_get", key, [key] if fact else [], at)
        return reading.sem_read(fact)

    def sem_search(self, prefix: str, *, at: int | None = None) -> list[Fact]:
        """Governed facts whose keys begin with the prefix, in the order of their keys."""
        found = reading.sem_search(self._voice.facts(at), prefix)
        self._voice.note("sem_search", prefix, [fact.key for fact in found], at)
        return found

    def episodic_query(  # noqa: PLR0913 - the union of the two call forms
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
        seq = snapshot_seq(snapshot_id) if snapshot_id else at
        wanted = EpisodicQuery(
            tokens=reading.query_tokens(query),
            max_results=max_results,
            window_n=window_n,
            time_window=time_window,
        )
        found = reading.episodic_query(self._voice.writer.shelves(seq), wanted)
        text = query if isinstance(query, str) else " ".join(query)
        scores = [each.score_ppm for each in found]
        names = [each.entry.episodic_id for each in found]
        self._voice.note("episodic_query", text, names, seq, scores)
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
            desk = self._voice.house.desk_at(self._voice.stream_id, snapshot_seq(snapshot_id))
        return desk.consolidated.sessions.get(cwm_id) or consolidated.empty(cwm_id)

    def get_by_id(self, entry_id: str) -> Line:
        """One entry of this persona's log, literally."""
        for line in self._voice.writer.lines():
            if line.header.id == entry_id:
                return line
        raise NotFoundError

    def get_range(self, start: int = 1, end: int | None = None) -> list[Line]:
        """Entries of this persona's log from one seq to another, both included."""
        return list(self._voice.writer.lines(after=start - 1, upto=end))


def snapshot_seq(snapshot_id: str) -> int:
    """The seq a snapshot id names: `<stream>@<seq>` or `bs:<seq>:<digest>`."""
    place = snapshot_id.split(":")[1] if snapshot_id.startswith("bs:") else snapshot_id
    number = place.rpartition("@")[2]
    if not number.isdecimal():
        raise InputError(f"{snapshot_id[:40]!r} is not a snapshot id")
    return int(number)

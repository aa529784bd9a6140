"""Request builder: the context request of every memory type, for a context or a read."""

from collections.abc import Mapping
from functools import cache

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.context.assemble import ContextQuery
from muniment.engine.context.context_request import ContextRequest, RecalledHits
from muniment.engine.projections.memory_type_registry import limit_of, then_of
from muniment.engine.search import recall, recall_results
from muniment.engine.search.recall import RankedQuestion, Recaller
from muniment.engine.search.recall_filter import RecallFilter
from muniment.engine.search.recall_results import Hit
from muniment.engine.search.visibility import VisibleItems
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.ports import is_repeatable
from muniment.engine.streams.read_snapshot import ReadSnapshot
from muniment.layers import desk as desks
from muniment.layers.desk import Desk
from muniment.model import canonical_json
from muniment.model.policy.context import ContextFilters
from muniment.retrieval.index import index_feed

Heard = tuple[tuple[Hit, ...], tuple[bytes, ...]]  # what answers, and the question's code if kept


class ContextRequests:
    """Builds the requests of one session, inside a job or outside of any."""

    def __init__(self, session: AgentSession, *, job: int = 0, talk: str = "") -> None:
        self._session = session
        self._job = job
        self._talk = talk  # the session of a conversation that this job belongs to
        self._recaller = Recaller(session)

    def direct(self, prompt: str, metadata: Mapping[str, object] | None) -> ContextRequest:
        """One type asked alone; `metadata` is what `remember` takes."""
        then = then_of(metadata)
        limit, query = limit_of(metadata), canonical_json.admit_text(prompt)
        clock = self._session.hub.parts.clock
        as_of = (metadata or {}).get("as_of") or (clock.now() if then["at"] is None else "")
        asked = ContextQuery(
            query=query,
            budget_tokens=0,
            filters=ContextFilters(),
            valid_at=then["valid_at"],
            as_of=canonical_json.admit_text(as_of),
        )
        request = self.of(asked, self._session.snapshot(**then))
        return msgspec.structs.replace(request, limit=limit)

    def of(self, asked: ContextQuery, snapshot: ReadSnapshot) -> ContextRequest:
        desk = self.desk(snapshot, asked.valid_at)
        opened = desk.jobs.open.get(self._job)
        wanted = RecallFilter(
            results_max=desk.policy.assembly.episodic_candidates,
            valid_at=asked.valid_at,
            quarantined=asked.quarantined,
            without=index_feed.MEMOS,  # they are offered by the types that keep them
            where=asked.filters.where,
            disclosed=True,
        )
        every = msgspec.structs.replace(wanted, without=())
        request = ContextRequest(
            session=self._session,
            snapshot=snapshot,
            desk=desk,
            prompt=asked.query,
            valid_at=asked.valid_at,
            shown=self._shown(every, snapshot, asked.as_of),
            newest=self._newest(desk.policy.assembly.recent_turns, every, snapshot, asked.as_of),
            job=self._job,
            opened=opened,
            talk=opened.session if opened else self._talk,
            as_of=asked.as_of,
            where=asked.filters.where,
        )
        once = cache(lambda: self._recalled(request, wanted, asked.codes))
        return msgspec.structs.replace(request, recall=once)

    def _shown(
        self, wanted: RecallFilter, snapshot: ReadSnapshot, as_of: str
    ) -> VisibleItems | None:
        """What was so on the day, has not expired and passes the filter, whoever offers it."""
        narrowed = wanted.valid_at or wanted.where or self._recaller.view(snapshot).register.lapses
        return self._recaller.shown(wanted, snapshot, as_of) if narrowed else None

    def present(self, snapshot: ReadSnapshot) -> Desk:
        """As it stands; a stream that holds nothing yet will be born under the store's policy."""
        desk = snapshot.desk
        return desk if desk.seq else Desk(policy=self._session.hub.parts.policy)

    def desk(self, snapshot: ReadSnapshot, valid_at: str) -> Desk:
        """As it stood, under the rules that the read goes by; for a day, with what it held then."""
        hub, stream_id, seq = self._session.hub, self._session.stream_id, snapshot.seq
        desk, ruling = self.present(snapshot), snapshot.desk
        if seq != ruling.seq:
            desk = msgspec.structs.replace(
                hub.desk_at(stream_id, seq),
                policy=ruling.policy,
                policy_digest=ruling.policy_digest,
            )
        return desks.holding(desk, hub.desk_at(stream_id, seq, valid_at)) if valid_at else desk

    def _recalled(
        self, request: ContextRequest, wanted: RecallFilter, codes: tuple[bytes, ...]
    ) -> RecalledHits:
        """The prompt asked alone, and once more together with what the agent is about."""
        before = iter(codes)
        hits, kept = self._hits(request.prompt, wanted, request, next(before, None))
        composite, beside = later.builtin_candidates.composite(request), tuple[Hit, ...]()
        if composite:
            beside, more = self._hits(composite, wanted, request, next(before, None))
            kept += more
        found = {hit.id: hit for hit in later.builtin_candidates.merged(hits, beside)}
        return RecalledHits(hits=found, codes=kept)

    def _hits(
        self, query: str, wanted: RecallFilter, request: ContextRequest, code: bytes | None
    ) -> Heard:
        """What is recalled for a question; nothing is noted, for not all of it may be shown."""
        policy = request.snapshot.desk.policy
        if policy.recall.profile == recall_results.STAGE1:
            return self._overlap(query, wanted, request), ()
        answer = self._recaller.answer(self._question(query, wanted, request, code))
        keeps = not is_repeatable(self._session.index(policy).embedder)
        return self._recaller.told(answer).hits, (answer.basis.code,) if keeps else ()

    def _question(
        self, query: str, wanted: RecallFilter, request: ContextRequest, code: bytes | None
    ) -> RankedQuestion:
        if query == request.prompt and code is None:
            self._recaller.check(wanted)
            return msgspec.structs.replace(request.once(prompted), wanted=wanted)
        question = self._recaller.question(query, wanted, request.snapshot)
        return msgspec.structs.replace(question, as_of=request.as_of, code=code)

    def _overlap(
        self, query: str, wanted: RecallFilter, request: ContextRequest
    ) -> tuple[Hit, ...]:
        count, day, snapshot = wanted.results_max, wanted.valid_at, request.snapshot
        window = snapshot.desk.policy.recall.window_entries
        hits, _ = recall_results.recall(
            self._recaller.episodes(wanted, snapshot, window, as_of=request.as_of),
            recall_results.let_in(snapshot.own, wanted.where),
            query,
            results_max=count,
        )
        library = self._session.library
        found = library.rag_query(query, {"top_k": count}, snapshot.at, until=day)
        return hits + tuple(
            recall_results.mirror_hit(hit.entry, hit.score_ppm, hit.matched) for hit in found
        )

    def _newest(
        self, count: int, every: RecallFilter, snapshot: ReadSnapshot, as_of: str
    ) -> tuple[Hit, ...]:
        """What was last, without what waits for a yes."""
        wanted = RecallFilter(results_max=count, valid_at=every.valid_at, where=every.where)
        lines = self._recaller.newest_episodes(wanted, snapshot, count, as_of=as_of)
        return recall_results.newest(lines)


def prompted(request: ContextRequest) -> RankedQuestion:
    """The prompt as each memory type has it ranked, which narrows it in its own way.

    Its words are analysed here, for all of them, unless what an embedder says of them is kept.
    """
    session, snapshot, recaller = request.session, request.snapshot, Recaller(request.session)
    wanted = RecallFilter(results_max=0, valid_at=request.valid_at)
    question = recaller.question(request.prompt, wanted, snapshot)
    question = msgspec.structs.replace(question, as_of=request.as_of)
    index = session.index(snapshot.desk.policy)
    if not is_repeatable(index.embedder):
        return question
    asked = recall.as_asked(question, index, recaller.view(snapshot))
    return msgspec.structs.replace(question, asked=asked)

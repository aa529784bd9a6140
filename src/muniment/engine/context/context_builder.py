"""Context builder: the memory text of a prompt, and the same text again from its receipt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Unpack

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine import lazy_views as views
from muniment.engine.context import assemble
from muniment.engine.context.assemble import Context, ContextQuery
from muniment.engine.context.context_request import ContextRequest, ContextSource
from muniment.engine.context.request_builder import ContextRequests
from muniment.engine.conversation.record_kinds import RecordKinds
from muniment.engine.search import recall_results
from muniment.engine.search.past_questions import as_it_stood
from muniment.engine.search.recall import RankedQuestion, Recaller
from muniment.engine.search.recall_filter import NOT_VISIBLE, NarrowingOptions, RecallFilter
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.argument_checks import check_count, check_day, checks_arguments
from muniment.engine.streams.read_snapshot import ReadSnapshot
from muniment.layers import contexts, memo_reads
from muniment.layers.governance import governed_facts
from muniment.layers.shelves import JOBS
from muniment.model import canonical_json, fact_keys
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events import JobOpened
from muniment.model.kinds.episode import Evidence
from muniment.model.policy import Policy
from muniment.model.policy.context import Coefficients, ContextFilters, ContextReceipt, ReadContext
from muniment.model.scope import council_stream
from muniment.model.struct_copy import copied
from muniment.retrieval.context.bundle import MemoryBundle, Pools, compose

TypeSources = Callable[[Policy], Sequence[ContextSource]]  # which take part under a policy
Narrowing = Mapping[str, object] | ContextFilters | None
Where = Mapping[str, object] | str | None  # a record filter


@checks_arguments
class ContextBuilder:
    """Builds contexts for one session, inside a job or outside of any."""

    def __init__(
        self, session: AgentSession, requests: ContextRequests, types: TypeSources, *, job: int = 0
    ) -> None:
        self._session = session
        self._types = types
        self._job = job
        self._requests = requests
        self._recaller = Recaller(session)

    def context(
        self,
        prompt: str,
        *,
        budget: int | None = None,
        filters: Narrowing = None,
        where: Where = None,
        at: int | None = None,
        valid_at: str = "",
        quarantined: bool = False,
        recent: bool = True,
    ) -> Context:
        """Text for a prompt that fits the budget, and says why each line is there.

        `at` reads as of an earlier entry, `valid_at` what was so on a day; without `recent` the
        last turns, which a chat program has itself, come only where they answer the prompt.
        `where` narrows by kind, session, source, tags, metadata and times, as in `recall`.
        """
        narrowed = self._narrowed(filters, where, recent=recent)
        request, asked = self._asked(
            prompt, budget, narrowed, at, valid_at=valid_at, quarantined=quarantined
        )
        told = self._assembled(request, asked)
        self._cite(told, request)
        return self._shown_context(told)

    def assemble_context(
        self,
        prompt: str,
        budget: int | None = None,
        filters: Narrowing = None,
        *,
        where: Where = None,
        at: int | None = None,
        valid_at: str = "",
    ) -> Context:
        """The context of a prompt from all memory types: text, tokens, sources, receipt."""
        return self.context(
            prompt, budget=budget, filters=filters, where=where, at=at, valid_at=valid_at
        )

    def read(
        self, wanted: ReadContext, *, at: int | None = None, valid_at: str = ""
    ) -> MemoryBundle:
        """The read path alone: candidates of each place, re-ranked, new, packed."""
        narrowed = {
            "include": wanted.include,
            "task_id": wanted.task_id,
            "agent_id": wanted.agent_id,
            "top_k": wanted.top_k,
        }
        request, asked = self._asked(
            wanted.query_text, wanted.budget_tokens, narrowed, at, valid_at=valid_at
        )
        return compose(self._gathered(request, asked), request.rules)

    def preview(
        self,
        prompt: str,
        coefficients: Coefficients,
        *,
        budget: int | None = None,
        at: int | None = None,
        valid_at: str = "",
    ) -> MemoryBundle:
        """What a context would hold under other coefficients; nothing is logged or changed."""
        request, asked = self._asked(prompt, budget, None, at, valid_at=valid_at)
        rules = msgspec.structs.replace(request.rules, coefficients=coefficients)
        return compose(self._gathered(request, asked), rules)

    def regenerate(self, receipt: ContextReceipt | str) -> Context:
        """The same context again, from the log as it stood: equal to the byte."""
        told = self.receipt(receipt) if isinstance(receipt, str) else receipt
        if not isinstance(told, ContextReceipt):
            raise InputError("expected a context, or the id of its receipt")
        heads = told.reads | self._heads_of(told.receipt_id)
        known = msgspec.structs.replace(told, reads=heads)
        return self._shown_context(self._assembled(*self._again(known)))

    def assemble_under(self, receipt: ContextReceipt, then: Policy) -> Context:
        """A recorded context gathered where another policy holds than `then`."""
        session = self._session.reading_at_heads(receipt.reads)
        snapshot = session.snapshot(receipt.at, receipt.valid_at)
        if receipt.budget_tokens == then.recall.budget_tokens:
            budget = snapshot.desk.policy.recall.budget_tokens
            receipt = msgspec.structs.replace(receipt, budget_tokens=budget)
        return self._assembled(*self._restated(receipt, session, snapshot))

    def receipt(self, receipt_id: str) -> ContextReceipt:
        """The receipt of a context, once it is in the log."""
        line = self._session.shelves(None).get(
            contexts.SHELF, canonical_json.admit_text(receipt_id)
        )
        if line is None:
            raise NotFoundError
        return self._shown_receipt(contexts.receipt(line))

    def _heads_of(self, receipt_id: str) -> dict[str, int]:
        """All heads that a context stood on: its receipt does not tell where the council's was."""
        line = self._session.shelves(None).get(contexts.SHELF, receipt_id)
        kept = contexts.receipt(line).reads if line else {}
        waiting = (each for _, each in self._session.waiting_contexts)
        return kept or next((e.reads for e in waiting if e.receipt_id == receipt_id), {})

    def _shown_context(self, told: Context) -> Context:
        return msgspec.structs.replace(told, receipt=self._shown_receipt(told.receipt))

    def _shown_receipt(self, receipt: ContextReceipt) -> ContextReceipt:
        return msgspec.structs.replace(receipt, reads=self._session.shown(receipt.reads))

    def pools(self, receipt: ContextReceipt) -> Pools:
        """What a past context could choose from, gathered again where its log stood."""
        return self._gathered(*self._again(receipt))

    def why_not(
        self,
        item_id: str,
        query: str,
        *,
        limit: int = 0,
        budget: int = 0,
        at: int | None = None,
        valid_at: str = "",
        **narrowing: Unpack[NarrowingOptions],
    ) -> views.WhyNot:
        """Which stage kept an item out of the answer to a question, and by which threshold.

        With a budget: out of the context of that size, which is told more than answers.
        `purpose`, `quarantined` and `where` narrow as in `recall`.
        Nobody is answered by this, so nothing of it is noted.
        """
        asked_for = RecordKinds(self._session).named(canonical_json.admit_text(item_id))
        named, count = asked_for.id, check_count(limit, "limit")
        size, day = (check_count(budget, "budget"), check_day(valid_at))
        snapshot = self._session.snapshot(at, day)
        policy = snapshot.desk.policy
        most = policy.assembly.episodic_candidates if size else count or policy.recall.results_max
        narrowing["where"] = self._recaller.spelled(narrowing.get("where"))
        wanted = RecallFilter(results_max=most, valid_at=day, **narrowing)  # type: ignore[arg-type] # spelled
        question = self._recaller.question(query, wanted, snapshot)
        if policy.recall.profile == recall_results.STAGE1:
            found = self._why_overlapping(named, question)
        else:
            found = later.explain.why_not(self._recaller.answer(question), named)
        if found.stage == NOT_VISIBLE:
            known = self._why_fact(named, snapshot, wanted.where)
            known = known or self._why_at_hand(named, snapshot, day)
            other = later.explain.of_kind(named, asked_for.limit) if asked_for.is_other else None
            found = known or other or found
        return self._why_packed(found, query, size, at, wanted) if size else found

    def _why_packed(
        self, found: views.WhyNot, query: str, size: int, at: int | None, wanted: RecallFilter
    ) -> views.WhyNot:
        """What became of it in a context, which is told more than answers."""
        filters = {"where": wanted.where} if wanted.where else None
        request, asked = self._asked(
            query, size, filters, at, valid_at=wanted.valid_at, quarantined=wanted.quarantined
        )
        bundle = compose(self._gathered(request, asked), request.rules)
        return later.explain.in_context(
            found, bundle, request.rules, asked.filters.top_k or request.rules.top_k
        )

    def _why_fact(self, key: str, snapshot: ReadSnapshot, where: str) -> views.WhyNot | None:
        """The stage of a governed fact about this user that was ever settled: what there is of it
        now is not what the answer was made from.
        """
        session = self._session
        if where and any(fact.key == key for fact in snapshot.own):
            return later.explain.left_out(key)
        if not (snapshot.council and fact_keys.is_own_profile(key, session.subject)):
            return None
        docket = council_stream(session.stream_id.tenant)
        ever = session.hub.shelves(docket, snapshot.council).ever(governed_facts.SHELF, item_id=key)
        ends = [died for _, died, _ in ever]
        return later.explain.of_fact(key, stands=None in ends) if ends else None

    def _why_at_hand(
        self, memo_id: str, snapshot: ReadSnapshot, valid_at: str
    ) -> views.WhyNot | None:
        """The stage of a memo that only a scratchpad of this user holds."""
        state, subject = self._requests.desk(snapshot, valid_at).memos, self._session.subject
        held = memo_reads.held_by(state, subject)
        return later.explain.of_scratchpad(memo_id) if memo_id in held else None

    def _why_overlapping(self, item_id: str, question: RankedQuestion) -> views.WhyNot:
        """The same for the profile `stage1`, whose answer knows facts and the newest episodes."""
        wanted, snapshot = question.wanted, question.snapshot
        policy = snapshot.desk.policy
        lines = self._recaller.episodes(wanted, snapshot, policy.recall.window_entries)
        looked_at = list(lines)
        every = len(looked_at) + len(snapshot.own)
        facts = recall_results.let_in(snapshot.own, wanted.where)
        hits, _ = recall_results.recall(looked_at, facts, question.text, results_max=every)
        known = {hit.id for hit in recall_results.newest(looked_at)}
        known |= {each.key for each in facts}
        ranked = later.explain.Overlaps(hits=hits, known=known, view=self._recaller.view(snapshot))
        return later.explain.why_not_overlapping(ranked, item_id, wanted, policy)

    def _assembled(self, request: ContextRequest, asked: ContextQuery) -> Context:
        bundle = compose(self._gathered(request, asked), request.rules)
        return assemble.context(request, asked, bundle)

    def _gathered(self, request: ContextRequest, asked: ContextQuery) -> Pools:
        return assemble.gather(request, asked, self._types(request.policy))

    def _asked(
        self,
        prompt: str,
        budget: int | None,
        filters: Narrowing,
        at: int | None,
        *,
        valid_at: str = "",
        quarantined: bool = False,
    ) -> tuple[ContextRequest, ContextQuery]:
        if budget is not None:
            check_count(budget, "budget")
        query, whole = self._session.screened(canonical_json.admit_text(prompt))
        day = check_day(valid_at)
        snapshot = self._session.snapshot(at, day)
        asked = assemble.asked(query, self._requests.present(snapshot), self._job, budget, filters)
        self._check_filters(asked.filters)
        asked = msgspec.structs.replace(
            asked,
            filters=self._screened(asked.filters),
            whole=whole,
            quarantined=quarantined,
            valid_at=day,
            as_of=self._session.hub.parts.clock.now() if at is None else "",
        )
        return self._requests.of(asked, snapshot), asked

    def _check_filters(self, given: ContextFilters) -> None:
        """A filter stands in the receipt as it was given, so it may be no secret."""
        words = (given.task_id, given.agent_id, *given.types, *given.tags, *given.origins)
        if not all(self._session.screened(each)[1] for each in words if each):
            raise InputError("a filter contains something that may not be stored")

    def _narrowed(self, filters: Narrowing, where: Where, *, recent: bool) -> Narrowing:
        """What a call says by name, beside its other filters."""
        more: dict[str, object] = {} if recent else {"recent": False}
        if where is not None:
            more["where"] = self._recaller.spelled(where)
        if isinstance(filters, ContextFilters):
            return msgspec.structs.replace(filters, **more)
        return {**(filters or {}), **more} if more else filters

    def _screened(self, given: ContextFilters) -> ContextFilters:
        """As the receipt keeps it: a record filter is screened like what it finds."""
        return msgspec.structs.replace(given, where=self._recaller.spelled(given.where))

    def _again(self, told: ContextReceipt) -> tuple[ContextRequest, ContextQuery]:
        session = self._session.reading_at_heads(told.reads)
        snapshot = as_it_stood(session, told.at, told.valid_at, policy=told.policy)
        return self._restated(told, session, snapshot)

    def _restated(
        self, told: ContextReceipt, session: AgentSession, snapshot: ReadSnapshot
    ) -> tuple[ContextRequest, ContextQuery]:
        """What a receipt says was asked, over what is read now."""
        past = ContextRequests(session, job=told.job, talk=_talk_of(session, told.job))
        asked = copied(ContextQuery, told, told=told if told.counter else None)
        return past.of(asked, snapshot), asked

    def _cite(self, told: Context, request: ContextRequest) -> None:
        """What a context holds is evidence. Its receipt says so; of a read of the past, a recall's.

        That one has nothing to assemble again from: it was itself a look at what had been.
        """
        session, query, snapshot = self._session, told.receipt.query, request.snapshot
        if snapshot.at is None:
            kept = assemble.command(told, session.subject, snapshot.stamp)
            session.queue_receipt(kept, job=self._job)
            return
        shown = [piece for piece in told.pieces if piece.evidence != Evidence()]
        evidence = [
            msgspec.structs.replace(each.evidence, sem_snapshot_hash=snapshot.stamp)
            for each in shown
        ]
        scores = [each.score_ppm for each in shown]
        session.queue_recall_receipt(
            "context", query, evidence, snapshot.reads, scores, job=self._job
        )


def _talk_of(session: AgentSession, job: int) -> str:
    """Which conversation a job belongs to; it may have read of a time when it was not open."""
    opened = next(session.shelves(None).under(JOBS, str(job), 1), None)
    return opened.event.session if opened and isinstance(opened.event, JobOpened) else ""

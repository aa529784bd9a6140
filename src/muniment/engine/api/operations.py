"""Operations that an agent and its jobs share, each delegated to the part that does it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cached_property

from muniment.engine import lazy_views as views
from muniment.engine.api.delegate import delegated
from muniment.engine.search.reader import Reader
from muniment.engine.session.agent_session import AgentSession
from muniment.engine.streams.argument_checks import checks_arguments
from muniment.model import canonical_json
from muniment.model.policy import Policy


@checks_arguments
class MemoryOperations:
    """What can be done inside a job and outside of any. Nothing here widens what a session sees."""

    def __init__(self, session: AgentSession, *, job: int = 0, talk: str = "") -> None:
        self._session = session
        self.number = job  # 0 outside of any job
        self._talk = talk

    @cached_property
    def _reader(self) -> Reader:
        return Reader(self._session, job=self.number)

    @cached_property
    def _records(self) -> views.RecordList:
        return views.RecordList(self._session, job=self.number)

    @cached_property
    def _memos(self) -> views.MemoActions:
        return views.MemoActions(self._session, job=self.number)

    @cached_property
    def _requested(self) -> views.ContextRequests:
        return views.ContextRequests(self._session, job=self.number, talk=self._talk)

    @cached_property
    def _types(self) -> views.MemoryTypes:
        return views.MemoryTypes(self._session, self._memos, self._requested)

    @cached_property
    def _contexts(self) -> views.ContextBuilder:
        asked, sources = self._requested, self._types.sources
        return views.ContextBuilder(self._session, asked, sources, job=self.number)

    @cached_property
    def _feedback(self) -> views.Feedback:
        return views.Feedback(self._session, self._contexts, job=self.number)

    @cached_property
    def _promotion(self) -> views.PromotionRequests:
        return views.PromotionRequests(self._session, job=self.number)

    @property
    def name(self) -> str:
        return self._session.agent

    @property
    def user(self) -> str:
        """For whom this agent speaks; empty: for nobody."""
        return self._session.user

    @property
    def seq(self) -> int:
        """Where this persona's log stands."""
        return self._session.writer.head.seq

    @property
    def policy(self) -> Policy:
        """The policy in force; a log that holds nothing yet will be born under the store's."""
        return self._session.policy

    def keyed(self, key: str) -> AbstractContextManager[None]:
        """Make one call safe to repeat: the same key and words are done once and answer alike."""
        return self._session.calls.under(canonical_json.admit_text(key))

    # ── Reads ───────────────────────────────────────────────────────────────────────────────────

    recall = delegated("_reader", lambda: Reader.recall)
    recall_again = delegated("_reader", lambda: Reader.recall_again)
    records = delegated("_records", lambda: views.RecordList.records)
    get = delegated("_records", lambda: views.RecordList.get)
    episodic_query = delegated("_reader", lambda: Reader.episodic_query)
    episode = delegated("_reader", lambda: Reader.episode)
    sem_get = delegated("_reader", lambda: Reader.sem_get)
    sem_search = delegated("_reader", lambda: Reader.sem_search)
    cwm_get = delegated("_reader", lambda: Reader.cwm_get)
    rag_query = delegated("_reader", lambda: Reader.rag_query)
    fuzzy_query = delegated("_reader", lambda: Reader.fuzzy_query)
    skills = delegated("_reader", lambda: Reader.skills)
    get_by_id = delegated("_reader", lambda: Reader.get_by_id)
    get_range = delegated("_reader", lambda: Reader.get_range)

    # ── Contexts ────────────────────────────────────────────────────────────────────────────────

    context = delegated("_contexts", lambda: views.ContextBuilder.context)
    assemble_context = delegated("_contexts", lambda: views.ContextBuilder.assemble_context)
    read = delegated("_contexts", lambda: views.ContextBuilder.read)
    preview = delegated("_contexts", lambda: views.ContextBuilder.preview)
    regenerate = delegated("_contexts", lambda: views.ContextBuilder.regenerate)
    receipt = delegated("_contexts", lambda: views.ContextBuilder.receipt)
    pools = delegated("_contexts", lambda: views.ContextBuilder.pools)
    why_not = delegated("_contexts", lambda: views.ContextBuilder.why_not)

    # ── Feedback on contexts ────────────────────────────────────────────────────────────────────

    used = delegated("_feedback", lambda: views.Feedback.used)
    unused = delegated("_feedback", lambda: views.Feedback.unused)
    used_in = delegated("_feedback", lambda: views.Feedback.used_in)
    outcome = delegated("_feedback", lambda: views.Feedback.outcome)
    judged = delegated("_feedback", lambda: views.Feedback.judged)
    what_if = delegated("_feedback", lambda: views.Feedback.what_if)
    propose_coefficients = delegated("_feedback", lambda: views.Feedback.propose_coefficients)

    # ── Memos and memory types ──────────────────────────────────────────────────────────────────

    memorize = delegated("_memos", lambda: views.MemoActions.memorize)
    transcribe = delegated("_memos", lambda: views.MemoActions.transcribe)
    memo = delegated("_memos", lambda: views.MemoActions.memo)
    memos = delegated("_memos", lambda: views.MemoActions.memos)
    get_version = delegated("_memos", lambda: views.MemoActions.get_version)
    mark_memo = delegated("_memos", lambda: views.MemoActions.mark_memo)
    forget_memos = delegated("_memos", lambda: views.MemoActions.forget_memos)
    restore_memo = delegated("_memos", lambda: views.MemoActions.restore_memo)
    memory_type = delegated("_types", lambda: views.MemoryTypes.memory_type)
    memory_types = delegated("_types", lambda: views.MemoryTypes.memory_types)

    # ── Requests to the council ─────────────────────────────────────────────────────────────────

    questions = delegated("_promotion", lambda: views.PromotionRequests.questions)
    requests = delegated("_promotion", lambda: views.PromotionRequests.requests)
    memory_promote_request = delegated(
        "_promotion", lambda: views.PromotionRequests.memory_promote_request
    )


class Onlooker:
    """What an agent would be told, tried out for somebody who is not the agent."""

    def __init__(self, session: AgentSession) -> None:
        self._reader = Reader(session)
        requests = views.ContextRequests(session)
        types = views.MemoryTypes(session, views.MemoActions(session), requests)
        self._contexts = views.ContextBuilder(session, requests, types.sources)

    recall = delegated("_reader", lambda: Reader.recall)
    context = delegated("_contexts", lambda: views.ContextBuilder.context)
    preview = delegated("_contexts", lambda: views.ContextBuilder.preview)
    why_not = delegated("_contexts", lambda: views.ContextBuilder.why_not)

"""Operations that an agent and its jobs share, each delegated to the part that does it."""

from contextlib import AbstractContextManager

from muniment.engine.api.delegate import delegated
from muniment.engine.context.context_builder import ContextBuilder
from muniment.engine.context.feedback import Feedback
from muniment.engine.context.request_builder import ContextRequests
from muniment.engine.memos.memos import MemoActions
from muniment.engine.memos.promotion_requests import PromotionRequests
from muniment.engine.memos.type_host import MemoryTypes
from muniment.engine.search.reader import Reader
from muniment.engine.search.record_list import RecordList
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
        self._reader = Reader(session, job=job)
        self._records = RecordList(session, job=job)
        self._memos = MemoActions(session, job=job)
        requests = ContextRequests(session, job=job, talk=talk)
        self._types = MemoryTypes(session, self._memos, requests)
        self._contexts = ContextBuilder(session, requests, self._types.sources, job=job)
        self._feedback = Feedback(session, self._contexts, job=job)
        self._promotion = PromotionRequests(session, job=job)

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

    recall = delegated("_reader", Reader.recall)
    recall_again = delegated("_reader", Reader.recall_again)
    records = delegated("_records", RecordList.records)
    get = delegated("_records", RecordList.get)
    episodic_query = delegated("_reader", Reader.episodic_query)
    episode = delegated("_reader", Reader.episode)
    sem_get = delegated("_reader", Reader.sem_get)
    sem_search = delegated("_reader", Reader.sem_search)
    cwm_get = delegated("_reader", Reader.cwm_get)
    rag_query = delegated("_reader", Reader.rag_query)
    fuzzy_query = delegated("_reader", Reader.fuzzy_query)
    skills = delegated("_reader", Reader.skills)
    get_by_id = delegated("_reader", Reader.get_by_id)
    get_range = delegated("_reader", Reader.get_range)

    # ── Contexts ────────────────────────────────────────────────────────────────────────────────

    context = delegated("_contexts", ContextBuilder.context)
    assemble_context = delegated("_contexts", ContextBuilder.assemble_context)
    read = delegated("_contexts", ContextBuilder.read)
    preview = delegated("_contexts", ContextBuilder.preview)
    regenerate = delegated("_contexts", ContextBuilder.regenerate)
    receipt = delegated("_contexts", ContextBuilder.receipt)
    pools = delegated("_contexts", ContextBuilder.pools)
    why_not = delegated("_contexts", ContextBuilder.why_not)

    # ── Feedback on contexts ────────────────────────────────────────────────────────────────────

    used = delegated("_feedback", Feedback.used)
    unused = delegated("_feedback", Feedback.unused)
    used_in = delegated("_feedback", Feedback.used_in)
    outcome = delegated("_feedback", Feedback.outcome)
    judged = delegated("_feedback", Feedback.judged)
    what_if = delegated("_feedback", Feedback.what_if)
    propose_coefficients = delegated("_feedback", Feedback.propose_coefficients)

    # ── Memos and memory types ──────────────────────────────────────────────────────────────────

    memorize = delegated("_memos", MemoActions.memorize)
    transcribe = delegated("_memos", MemoActions.transcribe)
    memo = delegated("_memos", MemoActions.memo)
    memos = delegated("_memos", MemoActions.memos)
    get_version = delegated("_memos", MemoActions.get_version)
    mark_memo = delegated("_memos", MemoActions.mark_memo)
    forget_memos = delegated("_memos", MemoActions.forget_memos)
    restore_memo = delegated("_memos", MemoActions.restore_memo)
    memory_type = delegated("_types", MemoryTypes.memory_type)
    memory_types = delegated("_types", MemoryTypes.memory_types)

    # ── Requests to the council ─────────────────────────────────────────────────────────────────

    questions = delegated("_promotion", PromotionRequests.questions)
    requests = delegated("_promotion", PromotionRequests.requests)
    memory_promote_request = delegated("_promotion", PromotionRequests.memory_promote_request)


class Onlooker:
    """What an agent would be told, tried out for somebody who is not the agent."""

    def __init__(self, session: AgentSession) -> None:
        self._reader = Reader(session)
        requests = ContextRequests(session)
        types = MemoryTypes(session, MemoActions(session), requests)
        self._contexts = ContextBuilder(session, requests, types.sources)

    recall = delegated("_reader", Reader.recall)
    context = delegated("_contexts", ContextBuilder.context)
    preview = delegated("_contexts", ContextBuilder.preview)
    why_not = delegated("_contexts", ContextBuilder.why_not)

"""The views of a client, each described once: the same verbs answer now or are awaited."""

from collections.abc import Awaitable, Callable
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from muniment.adapters.client import (
    admin_requests,
    agent_requests,
    conversation_requests,
    document_requests,
    job_requests,
)
from muniment.adapters.client.conversation_requests import ChannelPath, ConversationPath
from muniment.adapters.client.request import Plan

P = ParamSpec("P")
T = TypeVar("T")
W = TypeVar("W")


class Sending(Protocol):
    """Whoever sends a plan and waits for the answer."""

    def send(self, plan: Plan[T], /) -> T: ...


class Awaiting(Protocol):
    """Whoever sends a plan and is awaited."""

    async def send(self, plan: Plan[T], /) -> T: ...


class Now(Generic[W]):
    """A view that waits; `where` says which job, conversation or namespace it is of."""

    def __init__(self, client: Sending, where: W) -> None:
        self.client = client
        self.where = where

    def send(self, plan: Plan[T], /) -> T:
        return self.client.send(plan)


class Later(Generic[W]):
    """A view that is awaited."""

    def __init__(self, client: Awaiting, where: W) -> None:
        self.client = client
        self.where = where

    async def send(self, plan: Plan[T], /) -> T:
        return await self.client.send(plan)


class verb(Generic[P, T]):  # noqa: N801 - it reads like a word where it is used
    """A verb: what its plan takes, and what its answer is."""

    def __init__(self, plan: Callable[P, Plan[T]]) -> None:
        self.plan = plan

    @overload
    def __get__(self, view: Sending, kind: object = None) -> Callable[P, T]: ...
    @overload
    def __get__(self, view: Awaiting, kind: object = None) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, view: Any, kind: object = None) -> Callable[P, Any]:
        return lambda *args, **kwargs: view.send(self.plan(*args, **kwargs))


class there(Generic[W, P, T]):  # noqa: N801
    """A verb of a view that is somewhere: its plan is told where."""

    def __init__(self, plan: Callable[Concatenate[W, P], Plan[T]]) -> None:
        self.plan = plan

    @overload
    def __get__(self, view: Now[W], kind: object = None) -> Callable[P, T]: ...
    @overload
    def __get__(self, view: Later[W], kind: object = None) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, view: Any, kind: object = None) -> Callable[P, Any]:
        return lambda *args, **kwargs: view.send(self.plan(view.where, *args, **kwargs))


class Speaking:
    """An agent and its user."""

    remember = verb(agent_requests.remember)
    remember_many = verb(agent_requests.remember_many)
    recall = verb(agent_requests.recall)
    recall_again = verb(agent_requests.recall_again)
    context = verb(agent_requests.context)
    why_not = verb(agent_requests.why_not)
    used = verb(agent_requests.used)
    what_if = verb(agent_requests.what_if)
    propose_coefficients = verb(agent_requests.propose_coefficients)
    turn_trace = verb(agent_requests.turn_trace)
    forget = verb(agent_requests.forget)
    correct = verb(agent_requests.correct)
    vouch = verb(agent_requests.vouch)
    confirm = verb(agent_requests.confirm)
    consent = verb(agent_requests.consent)
    revoke_consent = verb(agent_requests.revoke_consent)
    episode = verb(agent_requests.episode)
    episodic_query = verb(agent_requests.episodic_query)
    rag_query = verb(agent_requests.rag_query)
    fuzzy_query = verb(agent_requests.fuzzy_query)
    skills = verb(agent_requests.skills)
    sem_get = verb(agent_requests.sem_get)
    sem_search = verb(agent_requests.sem_search)
    sem_put = verb(agent_requests.sem_put)
    memory_promote_request = verb(agent_requests.memory_promote_request)
    questions = verb(agent_requests.questions)
    requests = verb(agent_requests.requests)
    request_erasure = verb(agent_requests.request_erasure)
    threads = verb(conversation_requests.threads)
    set_thread_timeout = verb(conversation_requests.set_thread_timeout)
    log = verb(agent_requests.log)
    get_by_id = verb(agent_requests.get_by_id)


class Working:
    """An open job."""

    state = there(job_requests.state)
    observe = there(job_requests.observe)
    episodic_write = there(job_requests.episodic_write)
    wm_insert = there(job_requests.wm_insert)
    wm_find = there(job_requests.wm_find)
    cwm = there(job_requests.cwm)
    cwm_find = there(job_requests.cwm_find)
    reference = there(job_requests.reference)
    promote = there(job_requests.promote)
    tick = there(job_requests.tick)
    set_goal = there(job_requests.set_goal)
    goals = there(job_requests.goals)
    observe_event = there(job_requests.observe_event)
    memorize = there(job_requests.memorize)
    track_tool_invocation = there(job_requests.track_tool_invocation)
    get_budget_status = there(job_requests.get_budget_status)
    recall = there(job_requests.recall)
    assemble_context = there(job_requests.assemble_context)
    memory_promote_request = there(job_requests.memory_promote_request)
    outcome = there(job_requests.outcome)
    trace = there(job_requests.trace)
    commit = there(job_requests.commit)


class Talking:
    """A session: recall before each AI call, record after it."""

    recall = there(conversation_requests.recall)
    record = there(conversation_requests.record)
    correct = there(conversation_requests.correct)
    forget = there(conversation_requests.forget)
    promote = there(conversation_requests.promote)
    items = there(conversation_requests.items)
    blame = there(conversation_requests.blame)
    retired_by = there(conversation_requests.retired_by)
    undo = there(conversation_requests.undo)
    start_phase = there(conversation_requests.start_phase)
    diff = there(conversation_requests.diff)
    traces = there(conversation_requests.traces)


class Channelled:
    """A channel of a user: what is said on it finds its thread."""

    turn = there(conversation_requests.turn)
    thread = there(conversation_requests.thread)
    continuity = there(conversation_requests.continuity)
    context = there(conversation_requests.thread_context)
    set_timeout = there(conversation_requests.set_timeout)
    settle_link = there(conversation_requests.settle_link)
    end = there(conversation_requests.end)


class Filing:
    """Documents by namespace and key."""

    put = there(document_requests.put)
    add = there(document_requests.add)
    drop = there(document_requests.drop)
    clear = there(document_requests.clear)
    get = there(document_requests.get_document)
    within = there(document_requests.within)
    search = there(document_requests.search)
    history = there(document_requests.history)
    namespaces = there(document_requests.namespaces)


class Judging:
    """A member of the council."""

    requests = verb(admin_requests.requests)
    request = verb(admin_requests.request)
    vote = verb(admin_requests.vote)
    approve = verb(admin_requests.approve)
    reject = verb(admin_requests.reject)
    abstain = verb(admin_requests.abstain)
    tick = verb(admin_requests.tick)


class Administering:
    """An administrator."""

    read_payload = verb(admin_requests.read_payload)
    facts = verb(admin_requests.facts)
    request_deletion = verb(admin_requests.request_deletion)
    delete = verb(admin_requests.delete)
    policies = verb(admin_requests.policies)
    policy = verb(admin_requests.policy)
    request_policy = verb(admin_requests.request_policy)
    apply_policy = verb(admin_requests.apply_policy)
    request_coefficients = verb(admin_requests.request_coefficients)
    impose = verb(admin_requests.impose)
    lift = verb(admin_requests.lift)
    incidents = verb(admin_requests.incidents)
    keys = verb(admin_requests.keys)
    create_key = verb(admin_requests.create_key)
    revoke_key = verb(admin_requests.revoke_key)


class Identifying:
    """An administrator's hands for who each agent is."""

    of = verb(admin_requests.of)
    adopt = verb(admin_requests.adopt)
    apply = verb(admin_requests.apply)


class Erasing:
    """An administrator's hands for an erasure."""

    request = verb(admin_requests.erasure)
    carry_out = verb(admin_requests.carry_out)


class Proving:
    """The house itself: its streams, their headers and their proof."""

    streams = verb(admin_requests.streams)
    headers = verb(admin_requests.headers)
    prove = verb(admin_requests.prove)
    rebuild = verb(admin_requests.rebuild)


class Notarising:
    """What outsiders check: signed heads, and what leads to them."""

    sign = verb(admin_requests.sign)
    signed = verb(admin_requests.signed)
    certify = verb(admin_requests.certify)
    link = verb(admin_requests.link)
    bundle = verb(admin_requests.bundle)


class Dreaming:
    """A Subconscious."""

    dream = verb(admin_requests.dream)
    learn = verb(admin_requests.learn)
    coverage = verb(admin_requests.coverage)


class Job(Now[int], Working):
    """An open job behind a URL; leaving its `with` block ends it."""


class AsyncJob(Later[int], Working):
    """As `Job`, awaited."""


class Conversation(Now[ConversationPath], Talking):
    """A session behind a URL."""


class AsyncConversation(Later[ConversationPath], Talking):
    """As `Conversation`, awaited."""


class Channel(Now[ChannelPath], Channelled):
    """A channel behind a URL."""


class AsyncChannel(Later[ChannelPath], Channelled):
    """As `Channel`, awaited."""


class Documents(Now[bool], Filing):
    """Documents behind a URL."""


class AsyncDocuments(Later[bool], Filing):
    """As `Documents`, awaited."""


class Council(Now[None], Judging): ...


class AsyncCouncil(Later[None], Judging): ...


class Admin(Now[None], Administering): ...


class AsyncAdmin(Later[None], Administering): ...


class Identities(Now[None], Identifying): ...


class AsyncIdentities(Later[None], Identifying): ...


class Eraser(Now[None], Erasing): ...


class AsyncEraser(Later[None], Erasing): ...


class House(Now[None], Proving): ...


class AsyncHouse(Later[None], Proving): ...


class Notary(Now[None], Notarising): ...


class AsyncNotary(Later[None], Notarising): ...


class Subconscious(Now[None], Dreaming): ...


class AsyncSubconscious(Later[None], Dreaming): ...

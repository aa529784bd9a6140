"""The views of a client, each described once: the same verbs answer now or are awaited."""

from collections.abc import Awaitable, Callable
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar, overload

from muniment.adapters.plans import filing, governing, speaking, talking, working
from muniment.adapters.plans.plan import Plan
from muniment.adapters.plans.talking import Line, Place

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
    """A view that waits; `where` says which job, conversation or drawer it is of."""

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

    remember = verb(speaking.remember)
    remember_many = verb(speaking.remember_many)
    recall = verb(speaking.recall)
    recall_again = verb(speaking.recall_again)
    context = verb(speaking.context)
    why_not = verb(speaking.why_not)
    used = verb(speaking.used)
    what_if = verb(speaking.what_if)
    propose_coefficients = verb(speaking.propose_coefficients)
    turn_trace = verb(speaking.turn_trace)
    forget = verb(speaking.forget)
    correct = verb(speaking.correct)
    vouch = verb(speaking.vouch)
    confirm = verb(speaking.confirm)
    consent = verb(speaking.consent)
    revoke_consent = verb(speaking.revoke_consent)
    episode = verb(speaking.episode)
    episodic_query = verb(speaking.episodic_query)
    rag_query = verb(speaking.rag_query)
    fuzzy_query = verb(speaking.fuzzy_query)
    skills = verb(speaking.skills)
    sem_get = verb(speaking.sem_get)
    sem_search = verb(speaking.sem_search)
    sem_put = verb(speaking.sem_put)
    memory_promote_request = verb(speaking.memory_promote_request)
    questions = verb(speaking.questions)
    requests = verb(speaking.requests)
    request_erasure = verb(speaking.request_erasure)
    threads = verb(talking.threads)
    set_thread_timeout = verb(talking.set_thread_timeout)
    log = verb(speaking.log)
    get_by_id = verb(speaking.get_by_id)


class Working:
    """An open job."""

    state = there(working.state)
    observe = there(working.observe)
    episodic_write = there(working.episodic_write)
    wm_insert = there(working.wm_insert)
    wm_find = there(working.wm_find)
    cwm = there(working.cwm)
    cwm_find = there(working.cwm_find)
    reference = there(working.reference)
    promote = there(working.promote)
    tick = there(working.tick)
    set_goal = there(working.set_goal)
    goals = there(working.goals)
    observe_event = there(working.observe_event)
    memorize = there(working.memorize)
    track_tool_invocation = there(working.track_tool_invocation)
    get_budget_status = there(working.get_budget_status)
    recall = there(working.recall)
    assemble_context = there(working.assemble_context)
    memory_promote_request = there(working.memory_promote_request)
    outcome = there(working.outcome)
    trace = there(working.trace)
    commit = there(working.commit)


class Talking:
    """A session: recall before each AI call, record after it."""

    recall = there(talking.recall)
    record = there(talking.record)
    correct = there(talking.correct)
    forget = there(talking.forget)
    promote = there(talking.promote)
    items = there(talking.items)
    blame = there(talking.blame)
    retired_by = there(talking.retired_by)
    undo = there(talking.undo)
    start_phase = there(talking.start_phase)
    diff = there(talking.diff)
    traces = there(talking.traces)


class Channelled:
    """A channel of a user: what is said on it finds its thread."""

    turn = there(talking.turn)
    thread = there(talking.thread)
    continuity = there(talking.continuity)
    context = there(talking.thread_context)
    set_timeout = there(talking.set_timeout)
    settle_link = there(talking.settle_link)
    end = there(talking.end)


class Filing:
    """Papers by drawer and key."""

    put = there(filing.put)
    add = there(filing.add)
    drop = there(filing.drop)
    clear = there(filing.clear)
    get = there(filing.get_paper)
    within = there(filing.within)
    search = there(filing.search)
    history = there(filing.history)
    drawers = there(filing.drawers)


class Judging:
    """A member of the council."""

    requests = verb(governing.requests)
    request = verb(governing.request)
    vote = verb(governing.vote)
    approve = verb(governing.approve)
    reject = verb(governing.reject)
    abstain = verb(governing.abstain)
    tick = verb(governing.tick)


class Administering:
    """An administrator."""

    read_payload = verb(governing.read_payload)
    facts = verb(governing.facts)
    request_deletion = verb(governing.request_deletion)
    delete = verb(governing.delete)
    policies = verb(governing.policies)
    policy = verb(governing.policy)
    request_policy = verb(governing.request_policy)
    apply_policy = verb(governing.apply_policy)
    request_coefficients = verb(governing.request_coefficients)
    impose = verb(governing.impose)
    lift = verb(governing.lift)
    incidents = verb(governing.incidents)
    keys = verb(governing.keys)
    create_key = verb(governing.create_key)
    revoke_key = verb(governing.revoke_key)


class Identifying:
    """An administrator's hands for who each agent is."""

    of = verb(governing.of)
    adopt = verb(governing.adopt)
    apply = verb(governing.apply)


class Erasing:
    """An administrator's hands for an erasure."""

    request = verb(governing.erasure)
    carry_out = verb(governing.carry_out)


class Proving:
    """The house itself: its streams, their headers and their proof."""

    streams = verb(governing.streams)
    headers = verb(governing.headers)
    prove = verb(governing.prove)
    rebuild = verb(governing.rebuild)


class Notarising:
    """What outsiders check: signed heads, and what leads to them."""

    sign = verb(governing.sign)
    signed = verb(governing.signed)
    certify = verb(governing.certify)
    link = verb(governing.link)
    bundle = verb(governing.bundle)


class Dreaming:
    """A Subconscious."""

    dream = verb(governing.dream)
    learn = verb(governing.learn)
    coverage = verb(governing.coverage)


class Job(Now[int], Working):
    """An open job behind a URL; leaving its `with` block ends it."""


class AsyncJob(Later[int], Working):
    """As `Job`, awaited."""


class Conversation(Now[Place], Talking):
    """A session behind a URL."""


class AsyncConversation(Later[Place], Talking):
    """As `Conversation`, awaited."""


class Channel(Now[Line], Channelled):
    """A channel behind a URL."""


class AsyncChannel(Later[Line], Channelled):
    """As `Channel`, awaited."""


class Papers(Now[bool], Filing):
    """Papers behind a URL."""


class AsyncPapers(Later[bool], Filing):
    """As `Papers`, awaited."""


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

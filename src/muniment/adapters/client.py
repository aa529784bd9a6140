"""Clients of the HTTP door, with the names that a memory has inside a program.

    memory = Client("http://127.0.0.1:8600", key="mk_…")
    memory.remember("I moved to Lisbon in March")
    print(memory.context("Where do I live?", budget=500).text)

A call that failed on its way is tried again under the same idempotency key, so that what was
acknowledged or only received is done once. Whoever wants to choose the key says `with keyed(…)`.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Concatenate, Final, Generic, ParamSpec, Self, TypeVar
from urllib.parse import quote

import httpx2
import msgspec

from muniment.adapters import plans
from muniment.adapters.doors import faults
from muniment.adapters.plans import Place, Plan
from muniment.model import errors
from muniment.model.errors import Envelope, MunimentError, OutcomeUnknownError, RefusedError

ATTEMPTS_MAX: Final = 4
FIRST_WAIT_SECONDS: Final = 0.1  # and twice as long each time
WAIT_SECONDS_MAX: Final = 5.0
SECONDS: Final = 30.0
RETRIED: Final = frozenset({408, 429, 503})

P = ParamSpec("P")
T = TypeVar("T")
W = TypeVar("W")


def _now(plan: Callable[P, Plan[T]]) -> Callable[Concatenate["Client", P], T]:
    """A verb of the client: what its plan takes, and what its answer is."""

    def call(self: "Client", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.send(plan(*args, **kwargs))

    return call


def _later(plan: Callable[P, Plan[T]]) -> Callable[Concatenate["AsyncClient", P], Awaitable[T]]:
    async def call(self: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.send(plan(*args, **kwargs))

    return call


def _there_now(
    plan: Callable[Concatenate[W, P], Plan[T]],
) -> Callable[Concatenate["_Within[W]", P], T]:
    """A verb of a job or a conversation: its plan is told which one."""

    def call(self: "_Within[W]", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.client.send(plan(self.where, *args, **kwargs))

    return call


def _there_later(
    plan: Callable[Concatenate[W, P], Plan[T]],
) -> Callable[Concatenate["_AsyncWithin[W]", P], Awaitable[T]]:
    async def call(self: "_AsyncWithin[W]", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.client.send(plan(self.where, *args, **kwargs))

    return call


class _Within(Generic[W]):
    def __init__(self, client: "Client", where: W) -> None:
        self.client = client
        self.where = where


class _AsyncWithin(Generic[W]):
    def __init__(self, client: "AsyncClient", where: W) -> None:
        self.client = client
        self.where = where


class Job(_Within[int]):
    """An open job behind a URL; leaving its `with` block ends it."""

    observe = _there_now(plans.observe)
    episodic_write = _there_now(plans.episodic_write)
    wm_insert = _there_now(plans.wm_insert)
    wm_find = _there_now(plans.wm_find)
    reference = _there_now(plans.reference)
    promote = _there_now(plans.promote)
    tick = _there_now(plans.tick)
    observe_event = _there_now(plans.observe_event)
    assemble_context = _there_now(plans.assemble_context)
    commit = _there_now(plans.commit)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        self.commit()


class AsyncJob(_AsyncWithin[int]):
    observe = _there_later(plans.observe)
    episodic_write = _there_later(plans.episodic_write)
    wm_insert = _there_later(plans.wm_insert)
    wm_find = _there_later(plans.wm_find)
    reference = _there_later(plans.reference)
    promote = _there_later(plans.promote)
    tick = _there_later(plans.tick)
    observe_event = _there_later(plans.observe_event)
    assemble_context = _there_later(plans.assemble_context)
    commit = _there_later(plans.commit)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *told: object) -> None:
        await self.commit()


class Conversation(_Within[Place]):
    """A session behind a URL: recall before each AI call, record after it."""

    recall = _there_now(plans.converse_recall)
    record = _there_now(plans.record)
    correct = _there_now(plans.converse_correct)
    forget = _there_now(plans.converse_forget)
    items = _there_now(plans.items)
    blame = _there_now(plans.blame)
    undo = _there_now(plans.undo)
    start_phase = _there_now(plans.start_phase)


class AsyncConversation(_AsyncWithin[Place]):
    recall = _there_later(plans.converse_recall)
    record = _there_later(plans.record)
    correct = _there_later(plans.converse_correct)
    forget = _there_later(plans.converse_forget)
    items = _there_later(plans.items)
    blame = _there_later(plans.blame)
    undo = _there_later(plans.undo)
    start_phase = _there_later(plans.start_phase)


class Client:
    """A memory behind a URL; one for each key. Close it, or use it in a `with` block."""

    remember = _now(plans.remember)
    remember_many = _now(plans.remember_many)
    recall = _now(plans.recall)
    context = _now(plans.context)
    why_not = _now(plans.why_not)
    forget = _now(plans.forget)
    correct = _now(plans.correct)
    confirm = _now(plans.confirm)
    consent = _now(plans.consent)
    revoke_consent = _now(plans.revoke_consent)
    episode = _now(plans.episode)
    episodic_query = _now(plans.episodic_query)
    sem_get = _now(plans.sem_get)
    sem_search = _now(plans.sem_search)
    sem_put = _now(plans.sem_put)
    memory_promote_request = _now(plans.memory_promote_request)
    log = _now(plans.log)

    def __init__(self, url: str, *, key: str, user: str = "", timeout: float = SECONDS) -> None:
        self._http = httpx2.Client(base_url=url, headers=_headers(key, user), timeout=timeout)
        self._key = ""

    @contextmanager
    def keyed(self, key: str) -> Iterator[None]:
        """The call inside is done once, however often it is made under this key."""
        self._key, before = key, self._key
        try:
            yield
        finally:
            self._key = before

    def send(self, plan: Plan[T]) -> T:
        attempt = _Attempt(plan, self._key)
        while True:
            try:
                answer = self._http.send(attempt.request(self._http))
            except httpx2.TransportError as error:
                wait = attempt.lost(error)
            else:
                told, wait = attempt.answered(answer)
                if told is not None:
                    return told[0]
            time.sleep(wait)

    def conversation(
        self, *, session: str = "", project: str = "", ai_profile: str = ""
    ) -> "Conversation":
        return Conversation(self, Place(session=session, project=project, ai_profile=ai_profile))

    def job(self, seed: str = "", *, session: str = "", trace_id: str = "") -> "Job":
        opened = self.send(plans.open_job(seed, session=session, trace_id=trace_id))
        return Job(self, opened.number)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        self.close()


class AsyncClient:
    """As `Client`, for those who await."""

    remember = _later(plans.remember)
    remember_many = _later(plans.remember_many)
    recall = _later(plans.recall)
    context = _later(plans.context)
    why_not = _later(plans.why_not)
    forget = _later(plans.forget)
    correct = _later(plans.correct)
    confirm = _later(plans.confirm)
    consent = _later(plans.consent)
    revoke_consent = _later(plans.revoke_consent)
    episode = _later(plans.episode)
    episodic_query = _later(plans.episodic_query)
    sem_get = _later(plans.sem_get)
    sem_search = _later(plans.sem_search)
    sem_put = _later(plans.sem_put)
    memory_promote_request = _later(plans.memory_promote_request)
    log = _later(plans.log)

    def __init__(self, url: str, *, key: str, user: str = "", timeout: float = SECONDS) -> None:
        self._http = httpx2.AsyncClient(base_url=url, headers=_headers(key, user), timeout=timeout)

    async def send(self, plan: Plan[T], *, key: str = "") -> T:
        attempt = _Attempt(plan, key)
        while True:
            try:
                answer = await self._http.send(attempt.request(self._http))
            except httpx2.TransportError as error:
                wait = attempt.lost(error)
            else:
                told, wait = attempt.answered(answer)
                if told is not None:
                    return told[0]
            await asyncio.sleep(wait)

    def conversation(
        self, *, session: str = "", project: str = "", ai_profile: str = ""
    ) -> "AsyncConversation":
        place = Place(session=session, project=project, ai_profile=ai_profile)
        return AsyncConversation(self, place)

    async def job(self, seed: str = "", *, session: str = "", trace_id: str = "") -> "AsyncJob":
        opened = await self.send(plans.open_job(seed, session=session, trace_id=trace_id))
        return AsyncJob(self, opened.number)

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *told: object) -> None:
        await self.close()


# ── One request, as often as it takes ───────────────────────────────────────────────────────────


class _Attempt(Generic[T]):
    """A plan on its way: the same key each time, and a longer wait after each failure."""

    def __init__(self, plan: Plan[T], key: str) -> None:
        self._plan = plan
        self._key = key or secrets.token_hex(16)
        self._count = 0

    def request(self, http: httpx2.Client | httpx2.AsyncClient) -> httpx2.Request:
        self._count += 1
        plan = self._plan
        path = quote(plan.path, safe="/:@-._~")
        headers = {"idempotency-key": self._key} if plan.writes else {}
        if plan.method == "GET":
            said = {name: str(value) for name, value in plan.said.items()}
            return http.build_request(plan.method, path, params=said, headers=headers)
        return http.build_request(plan.method, path, json=plan.said, headers=headers)

    def lost(self, error: httpx2.TransportError) -> float:
        """No answer came: whether it was done nobody knows, and the key makes asking harmless."""
        if self._count >= ATTEMPTS_MAX:
            raise OutcomeUnknownError(f"no answer: {type(error).__name__}") from error
        return self._wait()

    def answered(self, answer: httpx2.Response) -> tuple[tuple[T] | None, float]:
        """The answer, or how long to wait before the next attempt."""
        if answer.status_code < httpx2.codes.BAD_REQUEST:
            return (msgspec.json.decode(answer.content, type=self._plan.answers),), 0.0
        if answer.status_code not in RETRIED or self._count >= ATTEMPTS_MAX:
            raise failure(answer.content, answer.status_code)
        told = answer.headers.get("retry-after", "")
        wait = float(told) if told.isdigit() else self._wait()
        return None, min(wait, WAIT_SECONDS_MAX)

    def _wait(self) -> float:
        return min(FIRST_WAIT_SECONDS * float(2 ** (self._count - 1)), WAIT_SECONDS_MAX)


def failure(body: bytes, status: int) -> MunimentError:
    """The error that an envelope speaks of, of the kind that a program would have met."""
    try:
        told = msgspec.json.decode(body, type=Envelope)
    except msgspec.MsgspecError:
        return MunimentError(f"the answer was {status}, and not from a memory")
    if told.error_code == RefusedError.code:
        return RefusedError(told.meta.get("reason", ""), told.developer_message)
    error = _kinds().get(told.error_code, MunimentError)(told.developer_message)
    error.meta = dict(told.meta)
    error.outcome = told.outcome
    return error


def _kinds() -> dict[str, type[MunimentError]]:
    found = [MunimentError]
    for kind in found:
        found += kind.__subclasses__()
    own = {errors.__name__, faults.__name__}
    return {kind.code: kind for kind in found if kind.__module__ in own}


def _headers(key: str, user: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"} | ({"muniment-user": user} if user else {})

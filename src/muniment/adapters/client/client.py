"""HTTP clients, synchronous and asynchronous, with the names of the Python API.

    memory = Client("http://127.0.0.1:8600", key="mk_…")
    memory.remember("I moved to Lisbon in March")
    print(memory.context("Where do I live?", budget=500).text)

A call that failed on its way is tried again under the same idempotency key, so that what was
acknowledged or only received is done once. Whoever wants to choose the key says `with keyed(…)`.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any, Final, Generic, ParamSpec, Self, TypeVar, overload

from muniment.adapters.client import deprecation, views
from muniment.adapters.client.following import Following
from muniment.adapters.client.heard_export import HeardExport
from muniment.adapters.client.request import planned
from muniment.adapters.client.retry import Patience, RequestAttempt, failure
from muniment.adapters.client.sent_file import SentFile, each_of
from muniment.adapters.client.verbs import AsyncView, FileName, View
from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.jobs import JobInfo, OpenJobRequest
from muniment.adapters.requests.log import FollowLogRequest, LogEntry
from muniment.adapters.requests.verb_request import VerbRequest
from muniment.adapters.system import tls_context
from muniment.adapters.system.optional_packages import lacking
from muniment.model.errors import MunimentError, NotFoundError
from muniment.model.scope import name

try:
    import httpx2
except ImportError as error:
    raise ImportError(lacking(error)) from error

SECONDS: Final = 30.0
LONG_SECONDS: Final = 600.0  # for what reads whole logs: some 3,000 entries are proved in a second
FOLLOW: Final = FollowLogRequest.endpoint.path

P = ParamSpec("P")
T = TypeVar("T")
V = TypeVar("V")
A = TypeVar("A")


class RemoteJob(View[int], views.JobVerbs):
    """An open job behind a URL; leaving its `with` block ends it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        with suppress(NotFoundError):  # it was ended inside
            self.commit()


class AsyncRemoteJob(AsyncView[int], views.JobVerbs):
    """As `RemoteJob`, for those who await."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *told: object) -> None:
        with suppress(NotFoundError):  # it was ended inside
            await self.commit()


class opens(Generic[P]):  # noqa: N801 - it reads like a word where it is used
    """A method that opens a job: what its request takes, and the job, now or awaited."""

    def __init__(self, request: Callable[P, VerbRequest[JobInfo]]) -> None:
        self.request = request

    @overload
    def __get__(self, client: "Client", kind: object = None) -> Callable[P, RemoteJob]: ...
    @overload
    def __get__(
        self, client: "AsyncClient", kind: object = None
    ) -> Callable[P, Awaitable[AsyncRemoteJob]]: ...
    def __get__(self, client: Any, kind: object = None) -> Callable[P, Any]:
        def now(*args: P.args, **kwargs: P.kwargs) -> RemoteJob:
            return RemoteJob(client, client.send(self.request(*args, **kwargs)).number)

        async def later(*args: P.args, **kwargs: P.kwargs) -> AsyncRemoteJob:
            opened = await client.send(self.request(*args, **kwargs))
            return AsyncRemoteJob(client, opened.number)

        return later if isinstance(client, AsyncClient) else now


class section(Generic[V, A]):  # noqa: N801
    """A group of verbs, under a name of its own: `client.council.pending()`."""

    def __init__(
        self, now: Callable[["Client", None], V], later: Callable[["AsyncClient", None], A]
    ) -> None:
        self.now, self.later = now, later

    @overload
    def __get__(self, client: "Client", kind: object = None) -> V: ...
    @overload
    def __get__(self, client: "AsyncClient", kind: object = None) -> A: ...
    def __get__(self, client: Any, kind: object = None) -> Any:
        make = self.later if isinstance(client, AsyncClient) else self.now
        return make(client, None)


class ClientVerbs(views.AgentVerbs):
    """What both clients have: the verbs of an agent, and those of each section."""

    job = opens(OpenJobRequest)
    council = section(views.RemoteCouncil, views.AsyncRemoteCouncil)
    admin = section(views.RemoteAdmin, views.AsyncRemoteAdmin)
    branches = section(views.RemoteBranches, views.AsyncRemoteBranches)
    identities = section(views.RemoteIdentities, views.AsyncRemoteIdentities)
    eraser = section(views.RemoteEraser, views.AsyncRemoteEraser)
    memory = section(views.RemoteStreams, views.AsyncRemoteStreams)
    notary = section(views.RemoteNotary, views.AsyncRemoteNotary)
    passports = section(views.RemotePassports, views.AsyncRemotePassports)
    subconscious = section(views.RemoteSubconscious, views.AsyncRemoteSubconscious)

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._key: ContextVar[str] = ContextVar("key", default="")

    @contextmanager
    def keyed(self, key: str) -> Iterator[None]:
        """The call inside is done once, however often it is made under this key.

        It counts for the thread or the task that says it and no other.
        """
        before = self._key.set(key)
        try:
            yield
        finally:
            self._key.reset(before)


class Client(ClientVerbs):
    """A memory behind a URL; one for each key. Close it, or use it in a `with` block."""

    def __init__(
        self,
        url: str,
        *,
        key: str,
        user: str = "",
        branch: str = "",
        timeout: float = SECONDS,
        long_timeout: float = LONG_SECONDS,
    ) -> None:
        super().__init__(Patience(timeout, long_timeout))
        self._http = httpx2.Client(
            base_url=url,
            headers=_headers(key, user, branch),
            timeout=timeout,
            verify=tls_context.verifying(),
            event_hooks={"response": [deprecation.warn]},
        )

    def send(self, request: VerbRequest[T], /) -> T:
        attempt = RequestAttempt(planned(request), self._key.get(), self._patience)
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

    def follow(self, *, after: str = "") -> Iterator[LogEntry]:
        """The entries of one's own log as they come, until the key ends."""
        return self.stream(FollowLogRequest(after=after))

    def stream(self, request: VerbRequest[Page[T]], /) -> Iterator[T]:
        """What a request tells again and again, until the key ends.

        A connection that is lost is made again, and goes on behind the last event that arrived.
        """
        heard = Following(request)
        while True:
            try:
                with self._http.stream("GET", heard.path, **heard.asked()) as answer:
                    if answer.status_code >= httpx2.codes.BAD_REQUEST:
                        raise failure(answer.read(), answer.status_code)
                    for part in answer.iter_bytes():
                        yield from heard(part)
                wait = heard.lost(None)
            except (httpx2.TransportError, MunimentError) as error:
                wait = heard.lost(error)
            time.sleep(wait)

    def lines(self, request: VerbRequest[Page[T]], /) -> Iterator[T]:
        """The lines of an answer as they arrive, checked against the manifest at its end."""
        plan = planned(request)
        heard = HeardExport(plan)
        with self._http.stream(plan.method, plan.path, json=plan.said) as answer:
            if answer.status_code >= httpx2.codes.BAD_REQUEST:
                raise failure(answer.read(), answer.status_code)
            for part in answer.iter_bytes():
                yield from heard(part)
        heard.end()

    def upload(self, request: VerbRequest[T], file: FileName, /) -> T:
        """Send a file, whatever its size; what is in it is kept once, however often it is sent."""
        sent = SentFile(planned(request), file, self._patience)
        with sent.pieces() as pieces:
            return sent.answered(self._http.send(sent.request(self._http, pieces)))

    def conversation(
        self, *, session: str = "", project: str = "", ai_profile: str = ""
    ) -> views.RemoteConversation:
        place = {"session": session, "project": project, "ai_profile": ai_profile}
        return views.RemoteConversation(self, place)

    def thread(
        self, channel: str = "default", *, explicit: bool = False, timeout_minutes: int = 0
    ) -> views.RemoteChannel:
        line = {"channel": channel, "explicit": explicit, "timeout_minutes": timeout_minutes}
        return views.RemoteChannel(self, line)

    def documents(self, *, governed: bool = False) -> views.RemoteDocuments:
        return views.RemoteDocuments(self, {"governed": governed})

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        self.close()


class AsyncClient(ClientVerbs):
    """As `Client`, for those who await."""

    def __init__(
        self,
        url: str,
        *,
        key: str,
        user: str = "",
        branch: str = "",
        timeout: float = SECONDS,
        long_timeout: float = LONG_SECONDS,
    ) -> None:
        super().__init__(Patience(timeout, long_timeout))
        self._http = httpx2.AsyncClient(
            base_url=url,
            headers=_headers(key, user, branch),
            timeout=timeout,
            verify=tls_context.verifying(),
            event_hooks={"response": [deprecation.warn_later]},
        )

    async def send(self, request: VerbRequest[T], /) -> T:
        attempt = RequestAttempt(planned(request), self._key.get(), self._patience)
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

    def follow(self, *, after: str = "") -> AsyncIterator[LogEntry]:
        """As `Client.follow`, for those who await."""
        return self.stream(FollowLogRequest(after=after))

    async def stream(self, request: VerbRequest[Page[T]], /) -> AsyncIterator[T]:
        """As `Client.stream`, for those who await."""
        heard = Following(request)
        while True:
            try:
                async with self._http.stream("GET", heard.path, **heard.asked()) as answer:
                    if answer.status_code >= httpx2.codes.BAD_REQUEST:
                        raise failure(await answer.aread(), answer.status_code)
                    async for part in answer.aiter_bytes():
                        for entry in heard(part):
                            yield entry
                wait = heard.lost(None)
            except (httpx2.TransportError, MunimentError) as error:
                wait = heard.lost(error)
            await asyncio.sleep(wait)

    async def lines(self, request: VerbRequest[Page[T]], /) -> AsyncIterator[T]:
        """As `Client.lines`, for those who await."""
        plan = planned(request)
        heard = HeardExport(plan)
        async with self._http.stream(plan.method, plan.path, json=plan.said) as answer:
            if answer.status_code >= httpx2.codes.BAD_REQUEST:
                raise failure(await answer.aread(), answer.status_code)
            async for part in answer.aiter_bytes():
                for line in heard(part):
                    yield line
        heard.end()

    async def upload(self, request: VerbRequest[T], file: FileName, /) -> T:
        """As `Client.upload`, for those who await."""
        sent = SentFile(planned(request), file, self._patience)
        with sent.pieces() as pieces:
            asked = sent.request(self._http, each_of(pieces))
            return sent.answered(await self._http.send(asked))

    def conversation(
        self, *, session: str = "", project: str = "", ai_profile: str = ""
    ) -> views.AsyncRemoteConversation:
        place = {"session": session, "project": project, "ai_profile": ai_profile}
        return views.AsyncRemoteConversation(self, place)

    def thread(
        self, channel: str = "default", *, explicit: bool = False, timeout_minutes: int = 0
    ) -> views.AsyncRemoteChannel:
        line = {"channel": channel, "explicit": explicit, "timeout_minutes": timeout_minutes}
        return views.AsyncRemoteChannel(self, line)

    def documents(self, *, governed: bool = False) -> views.AsyncRemoteDocuments:
        return views.AsyncRemoteDocuments(self, {"governed": governed})

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *told: object) -> None:
        await self.close()


def _headers(key: str, user: str, branch: str) -> dict[bytes, bytes]:
    """Names travel as UTF-8; one that a header would change, or cannot hold, is refused here."""
    given = {b"authorization": f"Bearer {key}".encode()}
    if user:
        given[b"muniment-user"] = name(user, "user").encode()
    if branch:
        given[b"muniment-branch"] = name(branch, "branch").encode()
    return given

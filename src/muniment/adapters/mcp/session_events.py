"""Resumable streams: the last events of each MCP session, for who comes back with Last-Event-ID.

The MCP package uses one store for all sessions of a server and names streams by the request ids of
clients, which may be equal. So each session has a store of its own here, and no client receives the
events of another.
"""

from collections import deque
from contextvars import ContextVar
from typing import Final

from mcp.server.streamable_http import EventCallback, EventId, EventMessage, EventStore, StreamId
from mcp_types import JSONRPCError, JSONRPCMessage, JSONRPCResponse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment.model.lru_cache import LruCache

SESSION: Final = "mcp-session-id"
EVENTS_MAX: Final = 256  # of a session; who was away for longer asks again
BYTES_MAX: Final = 1 << 20  # of a session
SESSIONS_MAX: Final = 256  # of one key


class SessionEvents:
    """The last events of one session, in the order they were given their ids."""

    def __init__(self) -> None:
        self._count = 0
        self._bytes = 0
        self._kept = deque[tuple[int, StreamId, JSONRPCMessage | None, int]]()

    def keep(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        self._count += 1
        size = len(message.model_dump_json()) if message else 0
        self._kept.append((self._count, stream_id, message, size))
        self._bytes += size
        while len(self._kept) > EVENTS_MAX or self._bytes > BYTES_MAX:
            self._bytes -= self._kept.popleft()[-1]
        return str(self._count)

    def stream_of(self, event_id: EventId) -> StreamId | None:
        """The stream of an event, as long as nothing that followed it has been let go."""
        found = (stream for n, stream, *_ in self._kept if str(n) == event_id)
        return next(found, None)

    def after(self, event_id: EventId) -> list[EventMessage]:
        """What the stream of an event told behind it."""
        stream = self.stream_of(event_id)
        return [
            EventMessage(message=message, event_id=str(n))
            for n, its, message, _ in self._kept
            if stream is not None and its == stream and message and n > int(event_id)
        ]

    def is_answered(self, stream_id: StreamId) -> bool:
        """Whether the request of a stream has had its answer, behind which nothing comes."""
        told = (message for _, its, message, _ in self._kept if its == stream_id)
        return any(isinstance(each, JSONRPCResponse | JSONRPCError) for each in told)


CURRENT: Final = ContextVar[SessionEvents]("CURRENT")  # of the session that a task serves


class ResumableStreams(EventStore):
    """The store that the package asks, and the door in front of it that knows whose turn it is."""

    def __init__(self) -> None:
        self._sessions = LruCache[str, SessionEvents](SESSIONS_MAX)

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        return CURRENT.get().keep(stream_id, message)

    async def replay_events_after(
        self, last_event_id: EventId, send_callback: EventCallback
    ) -> StreamId | None:
        """Tell what was missed; the stream goes on where its answer is still to come."""
        events = CURRENT.get()
        for each in events.after(last_event_id):
            await send_callback(each)
        stream = events.stream_of(last_event_id)
        return None if stream is None or events.is_answered(stream) else stream

    def within(self, app: ASGIApp) -> ASGIApp:
        """The same app, each request of it with the events of its own session at hand."""

        async def called(scope: Scope, receive: Receive, send: Send) -> None:
            named = Headers(scope=scope).get(SESSION, "")
            events = self._sessions.get(named) or SessionEvents()
            CURRENT.set(events)
            await app(scope, receive, self._learning(send, events))

        return called

    def _learning(self, send: Send, events: SessionEvents) -> Send:
        """A session is named in the answer that opens it."""

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                named = Headers(raw=message["headers"]).get(SESSION, "")
                if named:
                    self._sessions.put(named, events)
            await send(message)

        return told

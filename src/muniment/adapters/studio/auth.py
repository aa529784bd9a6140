"""Studio authentication: the token of this start or an API key, a cookie, strict headers."""

import hmac
import secrets
import time
from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from muniment.adapters.gateway.allowed_origins import AllowedOrigins
from muniment.adapters.operations.door_metrics import DoorMetrics

COOKIE: Final = "muniment_studio"
IDLE_SECONDS: Final = 15 * 60
SESSIONS_MAX: Final = 64
HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # With "no-referrer" a browser says of our own forms that they come from nowhere.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}

Now = Callable[[], float]


class Session(msgspec.Struct, kw_only=True):
    """A visitor who signed in with the token of this start or with a key, and when last seen."""

    name: str
    key: str = ""  # the API key they came with; it is looked at again each time: it may have ended
    form_token: str
    seen: float


class Sessions:
    """Who is signed in. Nothing of it outlives the process."""

    def __init__(self, token: str = "", now: Now = time.monotonic) -> None:
        self.token = token or secrets.token_urlsafe(32)
        self._now = now
        self._open: dict[str, Session] = {}

    def sign_in(self, token: str, name: str) -> str:
        """A new cookie for who knows the token; empty for who does not."""
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return ""
        return self.open(name)

    def open(self, name: str, key: str = "") -> str:
        """A new cookie for who was recognised."""
        while len(self._open) >= SESSIONS_MAX:
            self._open.pop(min(self._open, key=lambda each: self._open[each].seen))
        cookie = secrets.token_urlsafe(32)
        form_token = hmac.digest(cookie.encode(), b"muniment studio form", sha256).hex()
        self._open[cookie] = Session(name=name, key=key, form_token=form_token, seen=self._now())
        return cookie

    def find(self, cookie: str, *, visits: bool = True) -> Session | None:
        """Whose cookie it is; a visit keeps the session open, a page that waits does not."""
        found = self._open.get(cookie)
        if found is None:
            return None
        if self._now() - found.seen > IDLE_SECONDS:
            del self._open[cookie]
            return None
        if visits:
            found.seen = self._now()
        return found

    def sign_out(self, cookie: str) -> None:
        self._open.pop(cookie, None)


def is_genuine(session: Session, request: Request, form_token: str) -> bool:
    """Whether a form was sent by a page of ours, in the session it was shown in."""
    origin = request.headers.get("origin", "")
    same = not origin or urlsplit(origin).netloc == request.headers.get("host", "")
    return same and hmac.compare_digest(form_token.encode(), session.form_token.encode())


class Counted:
    """Counts every request and how it was answered."""

    def __init__(self, app: ASGIApp, metrics: DoorMetrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        await self._metrics.count(self._app, scope, receive, send)


class Guard:
    """Refuses foreign hosts and origins before anything else runs; adds the headers to the rest."""

    def __init__(self, app: ASGIApp, places: AllowedOrigins) -> None:
        self._app = app
        self._places = places

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        guarded = _with_headers(send)
        if not self._is_ours(headers):
            refused = PlainTextResponse("this host is not served here", status_code=421)
            await refused(scope, receive, guarded)
            return
        await self._app(scope, receive, guarded)

    def _is_ours(self, headers: Headers) -> bool:
        """Whether host and origin of a request are this server; guards against DNS rebinding."""
        named, pages = headers.getlist("host"), headers.getlist("origin")
        return (
            len(named) == 1
            and self._places.is_host(named[0])
            and all(map(self._places.is_page, pages))
        )


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def told(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return told

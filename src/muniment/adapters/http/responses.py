"""Responses: one JSON form for results, one envelope for errors."""

import hashlib
from datetime import datetime
from typing import Final

import msgspec
from starlette.types import Message, Send

from muniment.adapters.gateway.errors import MethodError, RateLimitedError, UnauthorizedError
from muniment.adapters.gateway.rate_limits import Allowance
from muniment.adapters.rendering.refusal_texts import refused
from muniment.model.errors import Envelope, MunimentError, RefusedError

JSON: Final = (b"content-type", b"application/json")
# What no answer of a memory should lack: nothing here is to be cached, framed or guessed at.
ALWAYS: Final = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
)
INTERNAL: Final = "Something went wrong inside; the log of the service says where."

Pair = tuple[bytes, bytes]
Pairs = tuple[Pair, ...]
_encoder = msgspec.json.Encoder()


def mistake() -> MunimentError:
    """A mistake of ours; what was written is as the log says."""
    error = MunimentError(INTERNAL)
    error.outcome = "unknown"
    return error


async def send_error(send: Send, error: MunimentError, extra: Pairs = ()) -> None:
    told = envelope(error)
    await send_bytes(send, told.status, _encoder.encode(told), (JSON, *_more(error), *extra))


async def send_bytes(send: Send, status: int, body: bytes, extra: Pairs) -> None:
    length = (b"content-length", str(len(body)).encode())
    start: Message = {
        "type": "http.response.start",
        "status": status,
        "headers": [length, *ALWAYS, *extra],
    }
    await send(start)
    await send({"type": "http.response.body", "body": body})


def entity_tag(body: bytes) -> bytes:
    """An answer's name: the same bytes have the same."""
    return b'"' + hashlib.blake2b(body, digest_size=12).hexdigest().encode() + b'"'


def is_known(tag: bytes, asked: bytes) -> bool:
    """Whether a caller has this answer already, as `If-None-Match` says."""
    held = [each.strip().removeprefix(b"W/") for each in asked.split(b",")]
    return tag in held or b"*" in held


def allowed(left: Allowance | None) -> Pairs:
    """How often a key may still call, and when its allowance is whole again."""
    if left is None:
        return ()
    return (
        (b"ratelimit-limit", str(left.limit).encode()),
        (b"ratelimit-remaining", str(left.remaining).encode()),
        (b"ratelimit-reset", str(left.reset_seconds).encode()),
    )


def deprecated(day: str) -> Pairs:
    """That an address goes, since when that is known, and where to read what to call instead."""
    if not day:
        return ()
    since = int(datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp())
    link = b'</docs>; rel="deprecation"; type="text/html"'
    return ((b"deprecation", b"@%d" % since), (b"link", link))


def envelope(error: MunimentError) -> Envelope:
    """A broken promise as every door answers it; a refusal with its reason in words."""
    told = error.envelope()
    if isinstance(error, RefusedError):
        return msgspec.structs.replace(told, user_message=refused(error))
    return told


def _more(error: MunimentError) -> Pairs:
    match error:
        case UnauthorizedError():
            return ((b"www-authenticate", b"Bearer"),)
        case RateLimitedError():
            return ((b"retry-after", error.meta.get("retry_after", "1").encode()),)
        case MethodError():
            return ((b"allow", error.meta.get("allow", "").encode()),)
        case _:
            return ()

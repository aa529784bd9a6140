"""From an answer to bytes: one JSON form for what is done, one envelope for what is not."""

from typing import Final

import msgspec
from starlette.types import Message, Send

from muniment.adapters.gateway.errors import MethodError, RateLimitedError, UnauthorizedError
from muniment.model.errors import Envelope, MunimentError

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


def envelope(error: MunimentError) -> Envelope:
    """A broken promise as every door answers it."""
    return error.envelope()


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

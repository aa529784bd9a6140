"""Webhook signature: HMAC-SHA256 as Standard Webhooks has it, to be made here and checked there.

    body = verify(secret, headers, body)  # or SignatureError

A receiver keeps the ids it has seen (`webhook-id`): what comes twice has the same one.
"""

import base64
import hmac
import secrets
import time
from collections.abc import Mapping
from typing import Final

from muniment.model.errors import InputError

PREFIX: Final = "whsec_"
SECRET_BYTES: Final = 32
TOLERANCE_SECONDS: Final = 300  # an old delivery that somebody kept is not one
ID, TIME, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"


class SignatureError(InputError):
    """The delivery was not signed with this secret, or is older than five minutes."""

    code = "BAD_SIGNATURE"
    sentence = "That delivery was not signed with a trusted key."


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def signed(secret: str, delivery_id: str, body: bytes, *, at: int) -> dict[str, str]:
    """The headers of a delivery."""
    return {ID: delivery_id, TIME: str(at), SIGNATURE: _signature(secret, delivery_id, at, body)}


def verify(
    secret: str, headers: Mapping[str, str], body: bytes, *, now: float | None = None
) -> bytes:
    """The body, if it is whole, fresh, and of whoever holds the secret."""
    given = {name.lower(): value for name, value in headers.items()}
    stamp, wanted = given.get(TIME, ""), given.get(SIGNATURE, "")
    if not (stamp.isascii() and stamp.isdigit()):
        raise SignatureError("it has no time stamp")
    if abs((time.time() if now is None else now) - int(stamp)) > TOLERANCE_SECONDS:
        raise SignatureError("it is too old")
    made = _signature(secret, given.get(ID, ""), int(stamp), body)
    if not any(hmac.compare_digest(made.encode(), each.encode()) for each in wanted.split()):
        raise SignatureError("the signature does not match the secret and the body")
    return body


def _signature(secret: str, delivery_id: str, at: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    told = hmac.digest(key, f"{delivery_id}.{at}.".encode() + body, "sha256")
    return f"v1,{base64.b64encode(told).decode()}"

"""Sealed subscription: what is kept of a watch beside the logs, and what may happen to it."""

from typing import Literal

import msgspec

Happened = Literal["known", "changed", "ended"]


class SealedSubscription(msgspec.Struct, frozen=True, kw_only=True):
    """References and sealed bytes: it names nobody."""

    stream: str
    subject: str
    target: bytes
    watched: bytes

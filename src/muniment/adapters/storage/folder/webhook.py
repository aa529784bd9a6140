"""Webhook: a subscription, how far its receiver has acknowledged it, and what it did not take."""

from typing import Final

import msgspec

from muniment.engine.evidence.sealed_subscription import Happened, SealedSubscription

DEAD_LETTERS_MAX: Final = 100  # of one webhook; the oldest leaves


class PendingDelivery(msgspec.Struct, frozen=True, kw_only=True):
    """A change that its receiver has not acknowledged; its words are read from the log again."""

    delivery_id: str
    cursor: str
    change: Happened
    seq: int


class DeadLetter(msgspec.Struct, frozen=True, kw_only=True):
    """A delivery that was given up: which one, after how many attempts, and the last outcome."""

    delivery_id: str
    change: Happened
    seq: int
    attempts: int
    outcome: str
    at: str


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """As it is kept: no word of a memory; whom it is for and where it goes is sealed."""

    webhook_id: str
    tenant: str
    sealed: SealedSubscription
    key_id: str = ""  # of whoever made it; when that key ends, so does this
    created: str = ""
    cursor: str = ""  # acknowledged up to here
    pending: PendingDelivery | None = None
    attempts: int = 0  # in a row that failed
    due: float = 0.0  # not before this moment, in seconds
    outcome: str = ""  # of the last attempt
    dead: tuple[DeadLetter, ...] = ()
    over: bool = False  # nobody may read it any more

    def buried(self, letter: DeadLetter) -> tuple[DeadLetter, ...]:
        return (*self.dead, letter)[-DEAD_LETTERS_MAX:]

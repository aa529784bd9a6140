"""Delivery: each change reaches its receiver, signed, under one id however often it is tried.

What is to be sent is noted durably before it is sent and acknowledged durably after: whoever dies
in between sends the same id and the same bytes again. The words are read from the log at each
attempt, with the eyes of whoever subscribed: what was forgotten, erased or forbidden meanwhile
does not leave any more, its end does.
"""

import hashlib
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import msgspec

from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.gateway.errors import UnauthorizedError
from muniment.adapters.gateway.gateway import Gateway, Hands
from muniment.adapters.storage.folder.webhook import DeadLetter, PendingDelivery, Webhook
from muniment.adapters.system.background_loop import BackgroundLoop
from muniment.adapters.webhooks import sending, signature
from muniment.adapters.webhooks.subscribing import WatchedFor, WebhookTarget
from muniment.engine.evidence.subscriptions import Subscriptions
from muniment.engine.evidence.watch import WatchChange, WatchedItem
from muniment.model import ids
from muniment.model.errors import MunimentError, NotFoundError, PermissionDeniedError

ATTEMPTS_MAX: Final = 12  # with doubling waits: some nine hours
FIRST_WAIT_SECONDS: Final = 10.0
WAIT_SECONDS_MAX: Final = 3_600.0
CLAIM_SECONDS: Final = 60.0  # longer than an attempt: meanwhile no other process sends the same
SENDERS: Final = 4
VERB: Final = "recall"
OK: Final = "ok"
LOOK_SECONDS: Final = 1.0

log = logging.getLogger("muniment.webhooks")


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """What a receiver gets: what stands now, and the id under which it may come again."""

    id: str
    type: str  # memory.known, memory.changed, memory.ended
    webhook_id: str
    cursor: str
    seq: int
    items: tuple[WatchedItem, ...] = ()


class _Parcel(msgspec.Struct, frozen=True, kw_only=True):
    """One delivery that is under way."""

    webhook: Webhook
    target: WebhookTarget
    body: bytes


class Deliverer:
    """Sends what is due. Several may run on one store: each takes what no other has claimed."""

    def __init__(self, gateway: Gateway, *, seconds: Callable[[], float]) -> None:
        self._gateway = gateway
        self._book = gateway.webhooks
        self._seconds = seconds

    def run_once(self) -> dict[str, str]:
        """One attempt of everything that is due; the outcome of each, by webhook."""
        parcels = [found for each in [*self._book.known()] if (found := self._packed(each))]
        with ThreadPoolExecutor(SENDERS) as senders:
            outcomes = [*senders.map(self._send, parcels)]
        for parcel, outcome in zip(parcels, outcomes, strict=True):
            self._note(parcel.webhook, outcome)
        return {each.webhook.webhook_id: told for each, told in zip(parcels, outcomes, strict=True)}

    # ── What is sent ────────────────────────────────────────────────────────────────────────────

    def _packed(self, webhook_id: str) -> _Parcel | None:
        """Claimed and noted before it is sent, so that after a crash it is sent under this id."""
        with self._book.changing() as known:
            found = known.get(webhook_id)
            if found is None or found.due > self._seconds():
                return None
            try:
                told = self._told(found)
            except MunimentError as error:  # a store that is down today is not the receiver's end
                log.warning("webhook %s waits: %s", webhook_id, error.code)
                return None
            if told is None:
                return None
            found, items = told
            due = self._seconds() + CLAIM_SECONDS
            known[webhook_id] = found = msgspec.structs.replace(found, due=due)
        sealed = self._sealed(found).target(found.sealed)
        target = msgspec.json.decode(sealed, type=WebhookTarget)
        return _Parcel(webhook=found, target=target, body=_body(found, items))

    def _told(self, found: Webhook) -> tuple[Webhook, tuple[WatchedItem, ...]] | None:
        """The webhook with what waits, and its words; nothing where all is acknowledged."""
        seen = self._seen(found)
        if seen is None:
            return self._over(found), ()
        base = found.pending.cursor if found.pending else found.cursor
        try:
            change, items = self._look(seen, base)
        except (PermissionDeniedError, UnauthorizedError, NotFoundError):
            return self._over(found), ()
        if change is not None:
            pending = PendingDelivery(
                delivery_id=_delivery_id(found, change.delivery_id),
                cursor=change.cursor,
                change=change.change,
                seq=change.seq,
            )
            return msgspec.structs.replace(found, pending=pending), items
        return (found, items) if found.pending else None

    def _look(
        self, seen: WatchedFor, cursor: str
    ) -> tuple[WatchChange | None, tuple[WatchedItem, ...]]:
        def look(_: Hands) -> tuple[WatchChange | None, tuple[WatchedItem, ...]]:
            found = self._gateway.watch(seen.grant, seen.watched)
            return found.since(cursor), found.items

        return self._gateway.local(seen.grant).call(VERB, look)

    def _seen(self, found: Webhook) -> WatchedFor | None:
        """What is watched, while its person is there and its key is in force."""
        told = self._sealed(found).watched(found.sealed)
        if told is None:
            return None
        seen = msgspec.json.decode(told, type=WatchedFor)
        return seen if not found.key_id or self._may(found.key_id, seen.grant) else None

    def _may(self, key_id: str, grant: Grant) -> bool:
        """Whether the key that made it is still there, and still grants the same."""
        key = self._gateway.in_force(key_id)
        if key is None:
            return False
        named = msgspec.structs.replace(key.grant, user=grant.user)
        return named == grant and key.grant.user in {grant.user, "*"}

    def _over(self, found: Webhook) -> Webhook:
        """Its last word: the same one until it is acknowledged."""
        if found.over:
            return found
        seq = found.pending.seq if found.pending else int(found.cursor.partition(".")[0] or 0)
        cursor = f"{seq}.none"
        last = PendingDelivery(
            delivery_id=_delivery_id(found, f"over {found.cursor}"),
            cursor=cursor,
            change="ended",
            seq=seq,
        )
        return msgspec.structs.replace(found, pending=last, over=True, attempts=0)

    def _sealed(self, found: Webhook) -> Subscriptions:
        return self._gateway.tenant(found.tenant).subscriptions()

    # ── What became of it ───────────────────────────────────────────────────────────────────────

    def _send(self, parcel: _Parcel) -> str:
        pending = parcel.webhook.pending
        assert pending is not None
        at = int(self._seconds())
        headers = signature.signed(parcel.target.secret, pending.delivery_id, parcel.body, at=at)
        return sending.post(parcel.target.url, parcel.body, headers, self._book.allowed)

    def _note(self, sent: Webhook, outcome: str) -> None:
        with self._book.changing() as known:
            now = known.get(sent.webhook_id)
            if now is None or now.pending != sent.pending:
                return  # ended, or tried again from the beginning, meanwhile
            told = self._acknowledged(now) if outcome == OK else self._failed(now, outcome)
            if told is None:
                del known[sent.webhook_id]
            else:
                known[sent.webhook_id] = told

    def _acknowledged(self, now: Webhook) -> Webhook | None:
        assert now.pending is not None
        if now.over:
            return None
        return msgspec.structs.replace(
            now, cursor=now.pending.cursor, pending=None, attempts=0, due=0.0, outcome=OK
        )

    def _failed(self, now: Webhook, outcome: str) -> Webhook:
        pending = now.pending
        assert pending is not None
        attempts = now.attempts + 1
        wait = min(FIRST_WAIT_SECONDS * 2.0 ** (attempts - 1), WAIT_SECONDS_MAX)
        due = self._seconds() + wait
        now = msgspec.structs.replace(now, attempts=attempts, due=due, outcome=outcome)
        if attempts < ATTEMPTS_MAX:
            return now
        letter = DeadLetter(
            delivery_id=pending.delivery_id,
            change=pending.change,
            seq=pending.seq,
            attempts=attempts,
            outcome=outcome,
            at=ids.time_text(int(self._seconds() * 1_000)),
        )
        due = float("inf") if now.over else due
        return msgspec.structs.replace(
            now,
            dead=now.buried(letter),
            cursor=pending.cursor,
            pending=None,
            attempts=0,
            due=due,
        )


def _body(found: Webhook, items: tuple[WatchedItem, ...]) -> bytes:
    pending = found.pending
    assert pending is not None
    told = Delivery(
        id=pending.delivery_id,
        type=f"memory.{pending.change}",
        webhook_id=found.webhook_id,
        cursor=pending.cursor,
        seq=pending.seq,
        items=items,
    )
    return msgspec.json.encode(told)


def _delivery_id(found: Webhook, place: str) -> str:
    """Of this webhook and this place of the log."""
    return "wh_" + hashlib.sha256(f"{found.webhook_id} {place}".encode()).hexdigest()[:32]


def delivery_loop(gateway: Gateway) -> BackgroundLoop:
    """Sends what is due, as long as its block lasts."""
    deliverer = Deliverer(gateway, seconds=time.time)
    return BackgroundLoop(deliverer.run_once, name="webhooks", seconds=LOOK_SECONDS)

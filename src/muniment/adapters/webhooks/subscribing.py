"""Subscribing: a webhook is made, listed, tried again and ended by whoever may read it."""

import secrets
from typing import Final, Self

import msgspec

from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.storage.folder.webhook import DeadLetter, Webhook
from muniment.adapters.storage.folder.webhook_file import WebhookBook, Webhooks
from muniment.adapters.webhooks import public_address, signature
from muniment.engine.evidence.subscriptions import Subscriptions
from muniment.engine.evidence.watch import Watched
from muniment.model.errors import InputError, NotFoundError
from muniment.model.struct_copy import copied

WEBHOOKS_MAX: Final = 100  # of one agent


class WebhookTarget(msgspec.Struct, frozen=True, kw_only=True):
    """Where it is sent, and with which secret it is signed."""

    url: str
    secret: str


class WatchedFor(msgspec.Struct, frozen=True, kw_only=True):
    """What is watched, and with whose eyes."""

    grant: Grant
    watched: Watched


class ShownWebhook(msgspec.Struct, frozen=True, kw_only=True):
    """A webhook as its owner sees it; `secret` is shown once, when it is made."""

    webhook_id: str
    url: str
    watched: Watched
    created: str = ""
    cursor: str = ""
    waiting: str = ""  # the id of a delivery that is not acknowledged yet
    attempts: int = 0
    outcome: str = ""
    dead: tuple[DeadLetter, ...] = ()
    secret: str = ""


class WebhookDesk:
    """The webhooks of one reader."""

    def __init__(
        self, book: WebhookBook, sealed: Subscriptions, grant: Grant, *, key_id: str, now: str
    ) -> None:
        self._book = book
        self._sealed = sealed
        self._grant = grant
        self._key_id = key_id
        self._now = now

    @classmethod
    def of(cls, hands: Hands) -> Self:
        """Of whoever calls."""
        _ = hands.agent  # in its role, for one user
        visit, reception = hands.visit, hands.visit.reception
        sealed, now = hands.memory.subscriptions(), reception.now()
        return cls(reception.webhooks, sealed, hands.grant, key_id=visit.key_id, now=now)

    def create(self, url: str, watched: Watched, *, after: str = "") -> ShownWebhook:
        """Watch from now on, or go on behind a cursor."""
        public_address.checked(url, self._book.allowed)
        target = WebhookTarget(url=url, secret=signature.new_secret())
        seen = WatchedFor(grant=self._grant, watched=watched)
        grant = self._grant
        with self._book.changing() as known:
            if len(self._mine(known)) >= WEBHOOKS_MAX:
                raise InputError(f"there are {WEBHOOKS_MAX} webhooks of this reader, the limit")
            made = Webhook(
                webhook_id=secrets.token_hex(8),
                tenant=grant.tenant,
                sealed=self._sealed.seal(
                    grant.agent,
                    grant.user,
                    grant.persona,
                    target=msgspec.json.encode(target),
                    watched=msgspec.json.encode(seen),
                ),
                key_id=self._key_id,
                created=self._now,
                cursor=after,
            )
            known[made.webhook_id] = made
        return self._shown(made, target, watched, secret=target.secret)

    def all(self) -> list[ShownWebhook]:
        """Those of this reader, oldest first."""
        found = self._mine(self._book.known())
        return [self._shown(each, self._target(each), seen.watched) for each, seen in found]

    def delete(self, webhook_id: str) -> ShownWebhook:
        """Nothing is sent any more."""
        with self._book.changing() as known:
            found, seen = self._one(known, webhook_id)
            del known[webhook_id]
        return self._shown(found, self._target(found), seen.watched)

    def retry(self, webhook_id: str) -> ShownWebhook:
        """Try again now what waits, and tell what stands instead of what was given up."""
        with self._book.changing() as known:
            found, seen = self._one(known, webhook_id)
            cursor = "" if found.dead else found.cursor
            again = msgspec.structs.replace(found, due=0.0, attempts=0, dead=(), cursor=cursor)
            known[webhook_id] = again
        return self._shown(again, self._target(again), seen.watched)

    def _mine(self, known: Webhooks) -> list[tuple[Webhook, WatchedFor]]:
        opened = ((each, self._seen(each)) for each in known.values())
        return [(each, seen) for each, seen in opened if seen and _same(seen.grant, self._grant)]

    def _one(self, known: Webhooks, webhook_id: str) -> tuple[Webhook, WatchedFor]:
        """Absent and foreign answer alike."""
        for each, seen in self._mine(known):
            if each.webhook_id == webhook_id:
                return each, seen
        raise NotFoundError

    def _seen(self, each: Webhook) -> WatchedFor | None:
        found = self._sealed.watched(each.sealed) if each.tenant == self._grant.tenant else None
        return None if found is None else msgspec.json.decode(found, type=WatchedFor)

    def _target(self, each: Webhook) -> WebhookTarget:
        return msgspec.json.decode(self._sealed.target(each.sealed), type=WebhookTarget)

    def _shown(
        self, its: Webhook, target: WebhookTarget, watched: Watched, *, secret: str = ""
    ) -> ShownWebhook:
        return copied(
            ShownWebhook,
            its,
            url=target.url,
            watched=watched,
            waiting=its.pending.delivery_id if its.pending else "",
            secret=secret,
        )


def _same(one: Grant, other: Grant) -> bool:
    """The same speaker, whatever key they hold."""
    mine = (one.tenant, one.agent, one.user, one.persona)
    return mine == (other.tenant, other.agent, other.user, other.persona)

"""Routes of watches and webhooks: changes of what is known."""

from typing import Final

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import route, tagged
from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.evidence.watch import (
    CreateWebhookRequest,
    DeleteWebhookRequest,
    RetryWebhookRequest,
    WatchRequest,
    WebhooksRequest,
)
from muniment.adapters.webhooks.subscribing import ShownWebhook, WebhookDesk
from muniment.engine.evidence.watch import WatchChange


def _changes(hands: Hands, asked: WatchRequest) -> Page[WatchChange]:
    _ = hands.agent  # in its role, for one user
    found = hands.visit.reception.watch(hands.grant, asked.watched).since(asked.after)
    return Page(items=[found], next=found.cursor) if found else Page(items=[])


def _create(hands: Hands, asked: CreateWebhookRequest) -> ShownWebhook:
    return WebhookDesk.of(hands).create(asked.url, asked.watched, after=asked.after)


ROUTES: Final = tagged(
    "memory",
    [
        route(WatchRequest, _changes),
        route(CreateWebhookRequest, _create),
        route(WebhooksRequest, lambda hands, _: WebhookDesk.of(hands).all()),
        route(
            RetryWebhookRequest,
            lambda hands, asked: WebhookDesk.of(hands).retry(asked.webhook_id),
        ),
        route(
            DeleteWebhookRequest,
            lambda hands, asked: WebhookDesk.of(hands).delete(asked.webhook_id),
        ),
    ],
)

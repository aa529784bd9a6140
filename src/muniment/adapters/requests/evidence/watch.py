"""Requests of watching: what is known, told whenever it changes; and webhooks that are told so."""

from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.fields import Id, Name, Text
from muniment.adapters.requests.verb_request import Endpoint, VerbRequest, ask, get
from muniment.adapters.webhooks.public_address import URL_CHARACTERS_MAX
from muniment.adapters.webhooks.subscribing import ShownWebhook
from muniment.engine.evidence.watch import ANSWERS_MAX, WatchChange, Watched, check_cursor

Answer = TypeVar("Answer")
WatchedKey = Annotated[Name, Meta(description="What is known under this key.")]
WatchedEntity = Annotated[Name, Meta(description="What is known of this person, place or thing.")]
WatchedQuestion = Annotated[Text, Meta(description="What is known to this question.")]
Answers = Annotated[
    int, Meta(ge=1, le=ANSWERS_MAX, description="Of a question: how many answers count.")
]
WatchCursor = Annotated[Name, Meta(description="Go on behind this change: its cursor.")]
Url = Annotated[
    str,
    Meta(min_length=1, max_length=URL_CHARACTERS_MAX, description="Where it is sent: https://…"),
]


class WatchedOptions(VerbRequest[Answer], frozen=True, kw_only=True):
    """One of a key, an entity and a question; and the last change that was heard of it."""

    key: WatchedKey = ""
    entity: WatchedEntity = ""
    question: WatchedQuestion = ""
    limit: Answers = 1
    after: WatchCursor = ""

    @property
    def watched(self) -> Watched:
        check_cursor(self.after)
        return Watched(
            key=self.key, entity=self.entity, question=self.question, limit=self.limit
        ).checked()


class WatchRequest(WatchedOptions[Page[WatchChange]], frozen=True, kw_only=True):
    """What is known, and again whenever it changes; Last-Event-ID resumes."""

    endpoint = msgspec.structs.replace(get("/v1/watch", "recall"), streams=True)


class CreateWebhookRequest(WatchedOptions[ShownWebhook], frozen=True):
    """Let changes of what is known be sent to an address, signed with a secret shown once."""

    endpoint = ask("/v1/webhooks", "webhooks")

    url: Url


class WebhooksRequest(VerbRequest[list[ShownWebhook]], frozen=True):
    """The caller's webhooks, what each is waiting for, and what it gave up."""

    endpoint = get("/v1/webhooks", "webhooks")


class RetryWebhookRequest(VerbRequest[ShownWebhook], frozen=True):
    """Try again at once, and tell what stands now instead of what was given up."""

    endpoint = ask("/v1/webhooks/{webhook_id}/retry", "webhooks")

    webhook_id: Id


class DeleteWebhookRequest(VerbRequest[ShownWebhook], frozen=True):
    """End a webhook: nothing is sent any more."""

    endpoint = Endpoint(method="DELETE", path="/v1/webhooks/{webhook_id}", permission="webhooks")

    webhook_id: Id

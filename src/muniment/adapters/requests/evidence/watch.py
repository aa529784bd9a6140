"""Requests of watches and webhooks: changes of what is known."""

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
WatchedKey = Annotated[Name, Meta(description="Watch this key.")]
WatchedEntity = Annotated[Name, Meta(description="Watch this person, place or thing.")]
WatchedQuestion = Annotated[Text, Meta(description="Watch the answers to this question.")]
Answers = Annotated[
    int, Meta(ge=1, le=ANSWERS_MAX, description="For a question: how many answers are watched.")
]
WatchCursor = Annotated[Name, Meta(description="Continue after the change with this cursor.")]
Url = Annotated[
    str,
    Meta(min_length=1, max_length=URL_CHARACTERS_MAX, description="Where it is sent: https://…"),
]


class WatchedOptions(VerbRequest[Answer], frozen=True, kw_only=True):
    """What is watched: a key, an entity or a question; and the cursor of the last change seen."""

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
    """Stream what is known, and each change of it; Last-Event-ID resumes."""

    endpoint = msgspec.structs.replace(get("/v1/watch", "recall"), streams=True)


class CreateWebhookRequest(WatchedOptions[ShownWebhook], frozen=True):
    """Create a webhook: changes are sent to a URL, signed with a secret that is shown once."""

    endpoint = ask("/v1/webhooks", "webhooks")

    url: Url


class WebhooksRequest(VerbRequest[list[ShownWebhook]], frozen=True):
    """List the caller's webhooks, with pending and failed deliveries."""

    endpoint = get("/v1/webhooks", "webhooks")


class RetryWebhookRequest(VerbRequest[ShownWebhook], frozen=True):
    """Retry a failed webhook at once, with the current state."""

    endpoint = ask("/v1/webhooks/{webhook_id}/retry", "webhooks")

    webhook_id: Id


class DeleteWebhookRequest(VerbRequest[ShownWebhook], frozen=True):
    """Delete a webhook."""

    endpoint = Endpoint(method="DELETE", path="/v1/webhooks/{webhook_id}", permission="webhooks")

    webhook_id: Id

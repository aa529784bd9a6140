"""Request for an export: what may be read, as the JSON lines of an exchange file."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.requests.answers import Page
from muniment.adapters.requests.fields import Name, Why, one_of
from muniment.adapters.requests.verb_request import VerbRequest, ask
from muniment.engine.exchange.exchange_line import ExchangeLine
from muniment.model.kinds.carried_record import KINDS

Kinds = Annotated[
    Sequence[Annotated[str, one_of(*KINDS)]],
    Meta(max_length=len(KINDS), description="Only records of these kinds."),
]
Space = Annotated[
    Name, Meta(description="Only one space: session, user, project or system, perhaps with :NAME.")
]
Since = Annotated[Name, Meta(description="Only what was told at this moment or later.")]
Until = Annotated[Name, Meta(description="Only what was told before this moment.")]
Sign = Annotated[bool, Meta(description="Sign the manifest; for administrators.")]


class ExportRequest(VerbRequest[Page[ExchangeLine]], frozen=True, kw_only=True):
    """Export what the caller may read, as JSON lines; the last line is the manifest.

    A user's key gives what is about them; an administrator's, everybody's, and says why.
    """

    endpoint = msgspec.structs.replace(ask("/v1/export", "export"), lines=True)

    user: Name = msgspec.field(default="", name="of_user")
    agent: Name = msgspec.field(default="", name="of_agent")
    space: Space = ""
    kinds: Kinds = ()
    since: Since = ""
    until: Until = ""
    sign: Sign = False
    reason: Why = ""

"""Requests about API keys: list them, make one, end one."""

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.gateway.api_keys import DAYS, Grant
from muniment.adapters.requests.council import PersonaName
from muniment.adapters.requests.fields import Count, Id, Name, one_of
from muniment.adapters.requests.verb_request import VerbRequest, ask, get, post
from muniment.model.scope import Persona, Role

Names = Annotated[Sequence[Name], Meta(max_length=64)]


class ShownKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key without its secret; `key` is its text, once, when it is made."""

    key_id: str
    grant: Grant
    label: str
    created: str
    expires: str
    revoked: str
    key: str = ""


class ListKeysRequest(VerbRequest[list[ShownKey]], frozen=True):
    """The API keys of the tenant, without their secrets."""

    endpoint = get("/v1/admin/keys", "keys")


class CreateKeyOptions(VerbRequest[ShownKey], frozen=True, kw_only=True):
    agent: Name = msgspec.field(default="", name="of_agent")
    user: Name = msgspec.field(default="", name="for_user")
    persona: PersonaName = msgspec.field(default=Persona.ACTOR.value, name="of_persona")
    projects: Names = ()
    verbs: Names = ()
    who: Name = ""
    label: Name = ""
    days: Count = DAYS


class CreateKeyRequest(CreateKeyOptions, frozen=True):
    """Make an API key of this tenant; its text is shown here and never again."""

    endpoint = post("/v1/admin/keys", "keys")

    role: Annotated[str, one_of(*Role)]


class RevokeKeyRequest(VerbRequest[ShownKey], frozen=True):
    """End an API key of this tenant at once."""

    endpoint = ask("/v1/admin/keys/{key_id}/revoke", "keys")

    key_id: Id

"""Scopes: tenants, agents, personas, roles, principals, and the streams they write to."""

from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Final

import msgspec

from muniment.model.canonical_json import admit_text
from muniment.model.errors import InputError
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import is_unseen

NAME_CHARACTERS_MAX: Final = 128
TENANTS_AT_HAND: Final = 1024

_ENCODED: Final = lazy_pattern(rb"%([0-9A-F]{2})")


BRANCH: Final = "branch"  # the kind under which a keyring names the logs of branches
PERIOD: Final = "period"  # and that of the keys which seal what goes on the same day
REF_LETTERS: Final = 16  # of a person's reference, in the name of their space


class Persona(StrEnum):
    ACTOR = "actor"
    SUBCONSCIOUS = "subconscious"


class StreamKind(StrEnum):
    AGENT = "agent"
    SPACE = "space"
    COUNCIL = "council"
    OPS = "ops"
    COLLECTION = "collection"


class Role(StrEnum):
    AGENT = "agent"
    USER = "user"
    COUNCIL = "council"
    ADMIN = "admin"
    AUDITOR = "auditor"
    ENGINE = "engine"


class Channel(StrEnum):
    """The door a command came through; authority follows from it, never from the text."""

    API = "api"
    TERMINAL = "terminal"
    HTTP = "http"
    MCP = "mcp"
    ENGINE = "engine"


class StreamId(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One log: a chain, its counters and its ticks never leave it."""

    tenant: str
    kind: StreamKind
    owner: str = ""
    persona: Persona = Persona.ACTOR

    @cached_property
    def text(self) -> str:
        """Names hold no slash, so this spelling is unambiguous."""
        return "/".join((self.tenant, self.kind, self.owner, self.persona))


class Principal(msgspec.Struct, frozen=True, kw_only=True):
    """Who is asking, built once from a credential; no command can widen it."""

    name: str
    role: Role
    tenant: str
    channel: Channel = Channel.API
    user: str = ""


def agent_stream(tenant: str, agent: str, persona: Persona = Persona.ACTOR) -> StreamId:
    return StreamId(tenant=tenant, kind=StreamKind.AGENT, owner=agent, persona=persona)


def collection_stream(source: StreamId) -> StreamId:
    """Where everything derived from one persona's loops is kept, beside its own stream."""
    return StreamId(
        tenant=source.tenant,
        kind=StreamKind.COLLECTION,
        owner=source.owner,
        persona=source.persona,
    )


@lru_cache(maxsize=TENANTS_AT_HAND)  # every read looks for it
def council_stream(tenant: str, persona: Persona = Persona.ACTOR) -> StreamId:
    """The council's docket. What the Subconscious asks for has one of its own."""
    return StreamId(tenant=tenant, kind=StreamKind.COUNCIL, persona=persona)


def ops_stream(tenant: str) -> StreamId:
    return StreamId(tenant=tenant, kind=StreamKind.OPS)


def space_stream(tenant: str, space: str, owner: str, persona: Persona = Persona.ACTOR) -> StreamId:
    """A space that agents share; each persona has its own, or one could infer the other."""
    return StreamId(tenant=tenant, kind=StreamKind.SPACE, owner=f"{space}:{owner}", persona=persona)


def person_space(tenant: str, ref: str, persona: Persona = Persona.ACTOR) -> StreamId:
    """The space of a person, named by their reference and never by their name."""
    return space_stream(tenant, "user", person_owner(ref), persona)


def person_owner(ref: str) -> str:
    """How the log of a person's space names its owner."""
    return ref[:REF_LETTERS]


def stream_from_text(text: str) -> StreamId:
    """The stream of this name; the log of a branch has behind it which branch it is of."""
    tenant, kind, owner, persona = text.split("/")[:4]
    return StreamId(tenant=tenant, kind=StreamKind(kind), owner=owner, persona=Persona(persona))


def escaped(text: str, beside: str = "") -> str:
    """A name as it stands inside an id: whatever could end it there is percent-encoded.

    Two names never share a spelling, which `unescaped` reads back. This is the only such rule.
    """
    ending = f"%:{beside}"
    return "".join(
        "".join(f"%{byte:02X}" for byte in each.encode())
        if each in ending or each.isspace()
        else each
        for each in text
    )


def unescaped(text: str) -> str:
    raw = _ENCODED.sub(lambda found: bytes.fromhex(found[1].decode()), text.encode())
    return raw.decode()


def name(text: object, what: str) -> str:
    """A visible, bounded name without a slash; it is never used as a path."""
    given = admit_text(text)
    if not given or given != given.strip():
        raise InputError(f"the {what} must not be empty, and must not begin or end with a space")
    if len(given) > NAME_CHARACTERS_MAX:
        raise InputError(f"the {what} is longer than {NAME_CHARACTERS_MAX} characters")
    if any(map(is_unseen, given)):
        raise InputError(f"the {what} contains an invisible character")
    if "/" in given or "\\" in given or given in {".", ".."}:
        raise InputError(f"the {what} must not look like a path")
    return given

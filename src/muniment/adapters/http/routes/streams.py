"""Routes of those who look after the house: its API keys, its streams and their proof."""

from typing import Annotated, Final

import msgspec

from muniment.adapters.gateway.api_keys import DAYS, Grant, Key
from muniment.adapters.gateway.gateway import Hands, Visit
from muniment.adapters.http.route import (
    Count,
    Cursor,
    Id,
    Limit,
    Name,
    Page,
    Route,
    RouteRequest,
    ask,
    get,
    place,
    post,
    slow,
    tagged,
)
from muniment.engine.audit.replay import Proof
from muniment.model.scope import Persona, Role

PAGE: Final = 50
Stream = Annotated[str, msgspec.Meta(min_length=1, max_length=512)]


class ListKeys(RouteRequest, frozen=True, kw_only=True):
    """The API keys of the tenant, without their secrets."""


class CreateKey(RouteRequest, frozen=True, kw_only=True):
    """Make an API key of this tenant; its text is shown here and never again."""

    role: Role
    of_agent: Name = ""
    for_user: Name = ""
    of_persona: Persona = Persona.ACTOR
    projects: Annotated[list[Name], msgspec.Meta(max_length=64)] = msgspec.field(
        default_factory=list
    )
    verbs: Annotated[list[Name], msgspec.Meta(max_length=64)] = msgspec.field(default_factory=list)
    who: Name = ""
    label: Name = ""
    days: Count = DAYS


class ShownKey(msgspec.Struct, frozen=True, kw_only=True):
    """A key without its secret; `key` is its text, once, when it is made."""

    key_id: str
    grant: Grant
    label: str
    created: str
    expires: str
    revoked: str
    key: str = ""


class RevokeKey(RouteRequest, frozen=True, kw_only=True):
    """End an API key of this tenant at once."""

    key_id: Id


class ListStreams(RouteRequest, frozen=True, kw_only=True):
    """The streams of the tenant, and where each stands."""


class StreamHead(msgspec.Struct, frozen=True, kw_only=True):
    stream: str
    kind: str
    seq: int


class ReadHeaders(RouteRequest, frozen=True, kw_only=True):
    """The hashed headers of a stream: commitments and counters, nobody's words."""

    stream: Stream
    after: Cursor = ""
    limit: Limit = PAGE


class HeaderEntry(msgspec.Struct, frozen=True, kw_only=True):
    seq: int
    hash: str
    header: dict[str, object]


class Prove(RouteRequest, frozen=True, kw_only=True):
    """Verify every link of every stream and decide everything again."""


class Rebuild(RouteRequest, frozen=True, kw_only=True):
    """Drop and refold desks, shelves and indexes; the digest of each stream's projections."""


def _create_key(hands: Hands, asked: CreateKey) -> ShownKey:
    grant = Grant(
        tenant=hands.grant.tenant,
        role=asked.role,
        agent=asked.of_agent,
        user=asked.for_user,
        persona=asked.of_persona,
        projects=tuple(asked.projects),
        verbs=tuple(asked.verbs),
        who=asked.who,
    )
    text, made = hands.issue(grant, label=asked.label, days=asked.days)
    return msgspec.structs.replace(_shown(made), key=text)


def _shown(key: Key) -> ShownKey:
    return ShownKey(
        key_id=key.key_id,
        grant=key.grant,
        label=key.label,
        created=key.created,
        expires=key.expires,
        revoked=key.revoked,
    )


def _streams(hands: Hands, _: ListStreams) -> list[StreamHead]:
    memory = hands.memory
    return [
        StreamHead(stream=each.text, kind=each.kind, seq=memory.head(each))
        for each in memory.streams()
    ]


def _headers(hands: Hands, asked: ReadHeaders) -> Page[HeaderEntry]:
    stream, after = hands.stream(asked.stream), place(asked.after)
    found = hands.memory.log(stream, after=after, upto=after + asked.limit)
    items = [
        HeaderEntry(
            seq=line.seq,
            hash=line.hash.hex(),
            header=msgspec.json.decode(msgspec.json.encode(line.header)),
        )
        for line in found
    ]
    return Page(items=items, next=str(found[-1].seq) if len(found) == asked.limit else "")


def _prove(visit: Visit, _: Prove) -> list[Proof]:
    """Beside those who write: what is proved of a log is what it held when it was looked at."""
    go_on = visit.reception.go_on
    streams = visit.look("prove", lambda hands: hands.memory.streams())
    return [
        visit.look("prove", lambda hands, its=each: hands.memory.prove_stream(its, progress=go_on))  # type: ignore[misc]
        for each in streams
    ]


def _rebuild(visit: Visit, _: Rebuild) -> dict[str, str]:
    """Stream by stream: whoever writes to one waits for it, and others go on."""
    go_on = visit.reception.go_on
    streams = visit.look("rebuild", lambda hands: hands.memory.streams())
    return {
        each.text: visit.look(
            "rebuild",
            lambda hands, its=each: hands.memory.rebuild_stream(its, progress=go_on),  # type: ignore[misc]
        )
        for each in streams
    }


ROUTES: Final[tuple[Route, ...]] = (
    *tagged(
        "keys",
        [
            get(
                "/v1/admin/keys",
                "keys",
                ListKeys,
                list[ShownKey],
                lambda hands, _: [_shown(each) for each in hands.known_keys()],
            ),
            post("/v1/admin/keys", "keys", CreateKey, ShownKey, _create_key),
            ask(
                "/v1/admin/keys/{key_id}/revoke",
                "keys",
                RevokeKey,
                ShownKey,
                lambda hands, asked: _shown(hands.revoke(asked.key_id)),
            ),
        ],
    ),
    *tagged(
        "proof",
        [
            get("/v1/streams", "streams", ListStreams, list[StreamHead], _streams),
            get("/v1/streams/headers", "streams", ReadHeaders, Page[HeaderEntry], _headers),
            slow("/v1/prove", "prove", Prove, list[Proof], _prove),
            slow("/v1/rebuild", "rebuild", Rebuild, dict[str, str], _rebuild),
        ],
    ),
)

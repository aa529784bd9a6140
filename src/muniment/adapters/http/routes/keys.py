"""Routes of API keys: list them, make one, end one."""

from typing import Final

import msgspec

from muniment.adapters.gateway.api_keys import Grant, Key
from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import Route, route, tagged
from muniment.adapters.requests.admin import (
    CreateKeyRequest,
    ListKeysRequest,
    RevokeKeyRequest,
    ShownKey,
)
from muniment.model.scope import Persona, Role
from muniment.model.struct_copy import copied


def _create_key(hands: Hands, asked: CreateKeyRequest) -> ShownKey:
    grant = Grant(
        tenant=hands.grant.tenant,
        role=Role(asked.role),
        agent=asked.agent,
        user=asked.user,
        persona=Persona(asked.persona),
        projects=tuple(asked.projects),
        verbs=tuple(asked.verbs),
        who=asked.who,
    )
    text, made = hands.issue(grant, label=asked.label, days=asked.days)
    return msgspec.structs.replace(_shown(made), key=text)


def _shown(key: Key) -> ShownKey:
    return copied(ShownKey, key)


ROUTES: Final[tuple[Route, ...]] = tagged(
    "keys",
    [
        route(ListKeysRequest, lambda hands, _: [_shown(each) for each in hands.known_keys()]),
        route(CreateKeyRequest, _create_key),
        route(RevokeKeyRequest, lambda hands, asked: _shown(hands.revoke(asked.key_id))),
    ],
)

"""Route of an export: what may be read, as the JSON lines of an exchange file."""

from collections.abc import Iterator
from typing import Final

import msgspec

from muniment.adapters.exchange.exchange_file import ExportedFile
from muniment.adapters.gateway.api_keys import ANY, Grant
from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import route, tagged
from muniment.adapters.requests.evidence.export import ExportRequest
from muniment.engine.exchange.exchange_line import ExchangeLine
from muniment.engine.exchange.selection import ExportSelection
from muniment.engine.streams import admission
from muniment.model.errors import InputError, PermissionDeniedError
from muniment.model.kinds.conversation_item import Space
from muniment.model.scope import Persona, Role


def _export(hands: Hands, asked: ExportRequest) -> Iterator[bytes]:
    wanted = _selection(hands.grant, asked)
    told = ExportedFile(
        hands.memory, wanted, sign=asked.sign, may_read=lambda line: _may_read(hands.grant, line)
    )
    return _lines(told)


def _lines(told: ExportedFile) -> Iterator[bytes]:
    for line in told.lines():
        yield line + b"\n"
    yield msgspec.json.encode({"manifest": told.manifest()}) + b"\n"


def _selection(grant: Grant, asked: ExportRequest) -> ExportSelection:
    """What is asked for, as far as the credential reaches: its own person, its own agent."""
    wanted = ExportSelection(
        agent=asked.agent,
        user=asked.user,
        space=asked.space,
        kinds=tuple(asked.kinds),
        since=admission.moment(asked.since) if asked.since else "",
        until=admission.moment(asked.until) if asked.until else "",
    ).checked()
    if grant.role is Role.ADMIN:
        return wanted
    if not grant.user or grant.user == ANY:
        raise InputError("whose memory is exported: a key of one user, or the header Muniment-User")
    if asked.user not in {"", grant.user} or asked.agent not in {"", grant.agent}:
        raise PermissionDeniedError("this key reads its own user's memory with its own agent")
    if asked.sign:
        raise PermissionDeniedError("an administrator signs")
    if grant.persona is not Persona.ACTOR:
        raise PermissionDeniedError("an Actor's memory is exported")
    own = {"agent": grant.agent, "user": grant.user, "persona": Persona.ACTOR}
    return msgspec.structs.replace(wanted, **own)


def _may_read(grant: Grant, line: ExchangeLine) -> bool:
    """A project that a key does not enter is not exported through it."""
    inside = line.log == Space.PROJECT or line.space is Space.PROJECT
    named = line.of if line.log == Space.PROJECT else line.owner
    return grant.role is Role.ADMIN or not inside or bool({ANY, named} & {*grant.projects})


ROUTES: Final = tagged("memory", [route(ExportRequest, _export)])

"""Route of an export: what may be read, as the JSON lines of an exchange file."""

from collections.abc import Iterator
from typing import Final

import msgspec

from muniment.adapters.exchange.exchange_file import ExportedFile
from muniment.adapters.exchange.export_views import PersonView
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
    grant = hands.grant
    if grant.role is not Role.ADMIN:
        return _lines(ExportedFile(hands.memory, wanted, view=KeyView(grant)))
    return _lines(
        ExportedFile(hands.memory, wanted, sign=asked.sign, who=grant.who, reason=asked.reason)
    )


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
        if not asked.reason:
            raise InputError("an administrator must give a reason to read everybody's memory")
        return wanted
    if not grant.user or grant.user == ANY:
        raise InputError("name the user: a key of one user, or the header Muniment-User")
    if asked.user not in {"", grant.user} or asked.agent not in {"", grant.agent}:
        raise PermissionDeniedError("this key reads its own user's memory with its own agent")
    if asked.sign:
        raise PermissionDeniedError("only an administrator may sign")
    if grant.persona is not Persona.ACTOR:
        raise PermissionDeniedError("an Actor's memory is exported")
    own = {"agent": grant.agent, "user": grant.user, "persona": Persona.ACTOR}
    return msgspec.structs.replace(wanted, **own)


class KeyView(PersonView):
    """What is shown through the key of a person: no project that it does not enter."""

    def __init__(self, grant: Grant) -> None:
        super().__init__()
        self._projects = {*grant.projects}

    def line(self, told: ExchangeLine) -> ExchangeLine | None:
        inside = told.log == Space.PROJECT or told.space is Space.PROJECT
        named = told.of if told.log == Space.PROJECT else told.owner
        if inside and not {ANY, named} & self._projects:
            return None
        return super().line(told)


ROUTES: Final = tagged("memory", [route(ExportRequest, _export)])

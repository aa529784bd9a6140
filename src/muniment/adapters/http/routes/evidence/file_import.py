"""Route of an import: records by an administrator, text by an agent or a user."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters.exchange import file_import
from muniment.adapters.exchange.file_import import ImportOptions
from muniment.adapters.exchange.foreign_record import Found, ImportedText
from muniment.adapters.exchange.import_run import ImportReport
from muniment.adapters.gateway import origins
from muniment.adapters.gateway.api_keys import ANY
from muniment.adapters.gateway.gateway import Hands, Visit
from muniment.adapters.http.route import tagged, uploaded
from muniment.adapters.requests.evidence.file_import import ImportFileRequest
from muniment.engine.api.agent import Agent
from muniment.engine.exchange.exchange_line import Carried, ExchangeLine
from muniment.model.errors import InputError, PermissionDeniedError
from muniment.model.scope import Role

VERB: Final = ImportFileRequest.endpoint.permission
TOGETHER_MAX: Final = 64  # records of one turn
UNPACKED_BYTES_MAX: Final = 4 << 30


class VisitSeat:
    """What a key may import; it is asked for again at each turn, for it may have ended."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._hands = visit.hands(VERB)

    def expect(self, people: set[str], *, records: bool) -> None:
        is_admin = self._visit.grant.role is Role.ADMIN
        if records and not is_admin:
            raise PermissionDeniedError("only an administrator may import records of a memory")
        if is_admin and not records:
            raise InputError("an administrator imports records; text needs an agent's key")
        if not is_admin:
            for person in people:
                self._speaking_for(person)

    def said(self, found: Found) -> Found:
        if not isinstance(found, ImportedText):
            return found
        return msgspec.structs.replace(found, origin=origins.lowered(self._hands, found.origin))

    def turn(self, user: str, work: Callable[[Agent], None]) -> None:
        self._still_may()
        self._speaking_for(user).call(VERB, lambda hands: work(hands.agent))

    def carry(
        self, lines: Iterable[ExchangeLine], *, source: str, rules: bool
    ) -> Iterator[Carried]:
        exchange = self._hands.administered.exchange(self._visit.grant.who)
        told = exchange.carry(lines, source=source, rules=rules)
        while part := self._next(told):
            yield from part

    def _next(self, told: Iterator[Carried]) -> list[Carried]:
        self._still_may()
        return self._visit.call(VERB, lambda _: list(islice(told, TOGETHER_MAX)))

    def _still_may(self) -> None:
        self._visit.reception.admit(self._visit.shown)

    def _speaking_for(self, user: str) -> Visit:
        if not user and self._visit.grant.user == ANY:
            raise InputError("the file names no user: give one as of_user")
        return self._visit.speaking_for(user)


def _import(visit: Visit, asked: ImportFileRequest) -> Callable[[Path], ImportReport]:
    wanted = _options(visit, asked)
    return lambda file: file_import.run(file, wanted, VisitSeat(visit), visit.reception.go_on)


def _options(visit: Visit, asked: ImportFileRequest) -> ImportOptions:
    grant, hands = visit.grant, visit.hands(VERB)
    user, agent = asked.user, asked.agent
    if asked.rules:
        visit.permit("policy")
    if grant.role is not Role.ADMIN:
        _check_words(hands, asked)
        user, agent = user or ("" if grant.user == ANY else grant.user), grant.agent
    return ImportOptions(
        form=asked.form,
        user=user,
        agent=agent,
        origin=asked.origin,
        trust=asked.key,
        rules=asked.rules,
        unpacked_max=UNPACKED_BYTES_MAX,
    )


def _check_words(hands: Hands, asked: ImportFileRequest) -> None:
    """What a key may say for whom, before a byte of the file is read."""
    if asked.agent not in {"", hands.grant.agent}:
        raise PermissionDeniedError("this key writes its own agent's memory")
    hands.visit.speaking_for(asked.user)
    if asked.origin:
        origins.admitted(hands, asked.origin)


ROUTES: Final = tagged("memory", [uploaded(ImportFileRequest, _import)])

"""Routes of passports: make, verify, import."""

from typing import Final

import msgspec

from muniment.adapters.gateway.gateway import Hands, Visit
from muniment.adapters.http.route import route, slow, tagged
from muniment.adapters.requests.evidence.passport import (
    MakePassportRequest,
    PassportInfo,
    TakeInPassportRequest,
    VerifyPassportRequest,
)
from muniment.engine.evidence import passport
from muniment.engine.evidence.passport import VerifiedPassport
from muniment.engine.evidence.passports import PassportReport


def _make(visit: Visit, asked: MakePassportRequest) -> PassportInfo:
    data = visit.call(  # it takes its turn, for it is written down
        "passports",
        lambda hands: hands.administered.passports(hands.grant.who).make(
            asked.user, reason=asked.reason, agent=asked.agent
        ),
    )
    return msgspec.structs.replace(shown(passport.verify(data)), passport=data.decode())


def _verify(_: Hands, asked: VerifyPassportRequest) -> PassportInfo:
    return shown(passport.verify(asked.data.encode(), key=asked.key, person=asked.user))


def _take_in(hands: Hands, asked: TakeInPassportRequest) -> PassportReport:
    return hands.administered.passports(hands.grant.who).take_in(
        asked.data.encode(),
        user=asked.user,
        key=asked.key,
        agent=asked.agent,
        quarantine=asked.quarantine,
    )


def shown(found: VerifiedPassport) -> PassportInfo:
    head = found.head
    return PassportInfo(
        serial=head.serial,
        person=head.person,
        issued=head.issued,
        key=head.key,
        lines=head.lines,
        proved=found.proved,
    )


ROUTES: Final = tagged(
    "administration",
    [
        slow(MakePassportRequest, _make),
        route(VerifyPassportRequest, _verify),
        route(TakeInPassportRequest, _take_in),
    ],
)

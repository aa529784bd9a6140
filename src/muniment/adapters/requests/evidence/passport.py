"""Requests of passports: make, verify, import."""

from typing import Annotated, Final

import msgspec
from msgspec import Meta

from muniment.adapters.requests.fields import Name, Reason
from muniment.adapters.requests.verb_request import VerbRequest, ask, long
from muniment.engine.evidence.passports import PassportReport

PASSPORT_CHARACTERS_MAX: Final = 250_000  # of one request; a terminal takes in larger ones
PassportText = Annotated[str, Meta(min_length=1, max_length=PASSPORT_CHARACTERS_MAX)]
TrustedKey = Annotated[
    str, Meta(max_length=512, description="The public key that must have signed it.")
]
Quarantine = Annotated[bool, Meta(description="Quarantine everything, whoever signed it.")]


class PassportInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The person, the signer, and how many records have a proof."""

    serial: str
    person: str
    issued: str
    key: str
    lines: int
    proved: int
    passport: str = ""  # the passport itself, when it was made


class MakePassportOptions(VerbRequest[PassportInfo], frozen=True, kw_only=True):
    reason: Reason
    agent: Name = msgspec.field(default="", name="of_agent")


class MakePassportRequest(MakePassportOptions, frozen=True):
    """Make a signed bundle of everything known about a person, each record with its proof."""

    endpoint = long("/v1/admin/passports", "passports")

    user: Name = msgspec.field(name="of_user")


class VerifyPassportOptions(VerbRequest[PassportInfo], frozen=True, kw_only=True):
    key: TrustedKey = msgspec.field(default="", name="trusted_key")
    user: Name = msgspec.field(default="", name="of_user")


class VerifyPassportRequest(VerifyPassportOptions, frozen=True):
    """Verify that a passport is what was signed, and every proof in it."""

    endpoint = ask("/v1/admin/passports/verify", "passports")

    data: PassportText = msgspec.field(name="passport")


class TakeInPassportOptions(VerbRequest[PassportReport], frozen=True, kw_only=True):
    user: Name = msgspec.field(name="of_user")
    key: TrustedKey = msgspec.field(default="", name="trusted_key")
    agent: Name = msgspec.field(default="", name="of_agent")
    quarantine: Quarantine = False


class TakeInPassportRequest(TakeInPassportOptions, frozen=True):
    """Import a passport once, under this memory's own policy."""

    endpoint = ask("/v1/admin/passports/take-in", "passports")

    data: PassportText = msgspec.field(name="passport")

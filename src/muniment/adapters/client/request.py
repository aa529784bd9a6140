"""HTTP requests of the client: a request struct becomes a method, a path and what is sent."""

from collections.abc import Iterable
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import msgspec

from muniment.adapters.requests.verb_request import VerbRequest, answers
from muniment.model.errors import InputError

Answer = TypeVar("Answer")
Json = dict[str, Any]


class Plan(msgspec.Struct, Generic[Answer], frozen=True):
    """One request: where, with what, and the type of its answer."""

    method: str
    path: str
    answers: type[Answer]
    said: Json
    writes: bool = False
    long: bool = False  # it reads whole logs: its answer is waited for longer, and asked for once


def planned(request: VerbRequest[Answer]) -> Plan[Answer]:
    """What is sent for a request; fields that have their default value are left out."""
    endpoint = request.endpoint
    said: Json = msgspec.to_builtins(request, enc_hook=_listed)
    inside = {name: quote(str(said.pop(name)), safe=":@-._~") for name in endpoint.parameters}
    return Plan(
        endpoint.method,
        endpoint.path.format(**inside),
        answers(type(request)),
        said,
        writes=endpoint.writes,
        long=endpoint.long,
    )


def _listed(many: object) -> object:
    """What can be gone through is a list; whatever else it is, JSON has no word for it."""
    if isinstance(many, Iterable):
        return list(many)
    raise InputError(f"a {type(many).__name__} cannot be sent")

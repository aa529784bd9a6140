"""A plan: one request to the HTTP door, and the type of its answer."""

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

import msgspec

Answer = TypeVar("Answer")
Json = dict[str, object]


class Plan(msgspec.Struct, Generic[Answer], frozen=True):
    """One request: where, with what, and the type of its answer."""

    method: str
    path: str
    answers: type[Answer]
    said: Json
    writes: bool = False
    long: bool = False  # it reads whole logs: its answer is waited for longer, and asked for once


def post(path: str, answers: type[Answer], **said: object) -> Plan[Answer]:
    """Something that writes: tried again under the same key."""
    return Plan("POST", path, answers, _given(said), writes=True)


def ask(path: str, answers: type[Answer], **said: object) -> Plan[Answer]:
    return Plan("POST", path, answers, _given(said))


def long(path: str, answers: type[Answer], **said: object) -> Plan[Answer]:
    return Plan("POST", path, answers, _given(said), long=True)


def get(path: str, answers: type[Answer], **said: object) -> Plan[Answer]:
    return Plan("GET", path, answers, _given(said))


def listed(many: Iterable[object]) -> object:
    """Several, as a list; a text is no list of its letters, and is for the door to refuse."""
    return many if isinstance(many, str) else list(many)


def _given(said: Mapping[str, object]) -> Json:
    return {name: value for name, value in said.items() if value is not None}

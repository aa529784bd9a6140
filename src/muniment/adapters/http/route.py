"""HTTP routes: one row for each request struct, and the function that answers it."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from muniment.adapters.gateway.gateway import Hands, Visit
from muniment.adapters.requests.verb_request import PARAMETER, VerbRequest, answers, summary

READS: Final = frozenset({"GET", "DELETE"})

Asking = TypeVar("Asking", bound=VerbRequest[Any])


class Route(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One request that is answered over HTTP."""

    method: str
    path: str
    verb: str
    takes: type[VerbRequest[Any]]
    answers: Any  # a type
    handle: Callable[[Any, Any], Any]  # hands (a visit where it is slow), and the request
    keyed: bool = False  # an Idempotency-Key makes a retry safe
    each: Callable[[Any, Any], Any] | None = None  # the same for several who wait: words and keys
    alike: tuple[str, ...] = ()  # what they must have said alike to be done together
    query: tuple[str, ...] = ()  # fields that stand in the address although there is a body
    streams: bool = False  # server-sent events: the answer again and again
    lines: bool = False  # JSON lines: as many as there are, one after the other
    file: bool = False  # the body is a file; what is handled answers with what to do with it
    slow: bool = False  # it takes its turn at the memory piece by piece
    tag: str = ""
    deprecated: str = ""  # since which day; it goes with the next major version

    @property
    def summary(self) -> str:
        return summary(self.takes)

    @property
    def name(self) -> str:
        """The name of the operation: that of its request."""
        return self.takes.__name__.removesuffix("Request")

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return tuple(PARAMETER.findall(self.path))

    @cached_property
    def has_body(self) -> bool:
        fields = {field.encode_name for field in msgspec.structs.fields(self.takes)}
        fields -= set(self.parameters)
        return self.method not in READS and not self.file and bool(fields)


def route(takes: type[Asking], handle: Callable[[Hands, Asking], object]) -> Route:
    """The row of a request: where it goes, what it takes and answers is said by its struct."""
    endpoint = takes.endpoint
    return Route(
        method=endpoint.method,
        path=endpoint.path,
        verb=endpoint.permission,
        takes=takes,
        answers=answers(takes),
        handle=handle,
        keyed=endpoint.writes,
        streams=endpoint.streams,
        lines=endpoint.lines,
    )


def slow(takes: type[Asking], handle: Callable[[Visit, Asking], object]) -> Route:
    """A row whose work takes its turn at the memory piece by piece."""
    row = route(takes, lambda hands, asked: None)
    return msgspec.structs.replace(row, handle=handle, slow=True)


def uploaded(
    takes: type[Asking], handle: Callable[[Visit, Asking], Callable[[Path], object]]
) -> Route:
    """A row that takes a file: who may not send it is refused before a byte of it is read."""
    row = route(takes, lambda hands, asked: None)
    return msgspec.structs.replace(row, handle=handle, slow=True, file=True)


def joint(
    row: Route, each: Callable[[Hands, Sequence[tuple[Asking, str]]], object], *alike: str
) -> Route:
    """A write that callers who wait at once share one append for."""
    return msgspec.structs.replace(row, each=each, alike=alike)


def tagged(tag: str, rows: Iterable[Route]) -> tuple[Route, ...]:
    return tuple(msgspec.structs.replace(row, tag=tag) for row in rows)

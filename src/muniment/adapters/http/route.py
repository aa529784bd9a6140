"""What a route is: one row of the table from which the door and its description are both made."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Annotated, Any, Final, Generic, TypeVar

import msgspec

from muniment.adapters.gateway.gateway import Hands, Visit
from muniment.engine.streams.argument_checks import Then
from muniment.model.canonical_json import INTEGER_MAX

PARAMETER: Final = re.compile(r"\{(\w+)\}")
PAGE_MAX: Final = 200
READS: Final = frozenset({"GET", "DELETE"})

Item = TypeVar("Item")
Asking = TypeVar("Asking", bound="RouteRequest")

Text = Annotated[str, msgspec.Meta(max_length=100_000)]
Name = Annotated[str, msgspec.Meta(max_length=128)]
Id = Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
Seq = Annotated[int, msgspec.Meta(ge=0, le=INTEGER_MAX)]
Count = Annotated[int, msgspec.Meta(ge=0, le=10_000)]
Limit = Annotated[int, msgspec.Meta(ge=1, le=PAGE_MAX)]
Log = Annotated[str, msgspec.Meta(max_length=512)]  # its name; empty: none in particular
Cursor = Annotated[str, msgspec.Meta(max_length=32, pattern=r"^[0-9]*(?!\n)$")]  # $: or before it


def place(cursor: str) -> int:
    """Where a cursor stands; one that is past every log stands at the end of each."""
    return min(int(cursor or 0), INTEGER_MAX)


class RouteRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a caller says to a route: from the path, and from the query or the body."""


class AskedOfThen(RouteRequest, frozen=True, kw_only=True):
    """A read of memory: as of an earlier entry, of what was so on a day, or of both."""

    at: Seq | None = None
    valid_at: Name = ""

    @property
    def then(self) -> Then:
        """The same, as every read inside takes it."""
        return {"at": self.at, "valid_at": self.valid_at}


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """It is done, and the entry says where."""

    seq: int


class Page(msgspec.Struct, Generic[Item], frozen=True, kw_only=True):
    """A part of a list; `next` fetches what follows, and is empty at the end."""

    items: list[Item]
    next: str = ""


class Route(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One thing that can be asked over HTTP."""

    method: str
    path: str
    verb: str
    takes: type[RouteRequest]
    answers: Any  # a type
    handle: Callable[[Any, Any], object]  # hands (a visit where it is slow), and what was asked
    keyed: bool = False  # an Idempotency-Key makes a retry safe
    each: Callable[[Any, Any], Any] | None = None  # the same for several who wait: words and keys
    alike: tuple[str, ...] = ()  # what they must have said alike to be done together
    query: tuple[str, ...] = ()  # fields that stand in the address although there is a body
    streams: bool = False  # server-sent events: what it answers, again and again
    slow: bool = False  # it takes its turn at the memory piece by piece
    tag: str = ""

    @property
    def summary(self) -> str:
        """What a route does is said where it is said what it takes."""
        return (self.takes.__doc__ or "").split("\n")[0]

    @property
    def name(self) -> str:
        return self.takes.__name__

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        return tuple(PARAMETER.findall(self.path))

    @cached_property
    def has_body(self) -> bool:
        fields = {field.name for field in msgspec.structs.fields(self.takes)}
        return self.method not in READS and bool(fields - set(self.parameters))


Does = Callable[[Hands, Asking], object]


def get(path: str, verb: str, takes: type[Asking], answers: object, handle: Does[Asking]) -> Route:
    return Route(method="GET", path=path, verb=verb, takes=takes, answers=answers, handle=handle)


def post(path: str, verb: str, takes: type[Asking], answers: object, handle: Does[Asking]) -> Route:
    """Something that writes: safe to repeat under a key."""
    row = ask(path, verb, takes, answers, handle)
    return msgspec.structs.replace(row, keyed=True)


def ask(path: str, verb: str, takes: type[Asking], answers: object, handle: Does[Asking]) -> Route:
    """A read whose question is too long for an address, or a write that has no retry."""
    return Route(method="POST", path=path, verb=verb, takes=takes, answers=answers, handle=handle)


def joint(
    row: Route, each: Callable[[Hands, Sequence[tuple[Asking, str]]], object], *alike: str
) -> Route:
    """A write that those who wait at once share one append for."""
    return msgspec.structs.replace(row, each=each, alike=alike)


def slow(
    path: str,
    verb: str,
    takes: type[Asking],
    answers: object,
    handle: Callable[[Visit, Asking], object],
) -> Route:
    return Route(
        method="POST", path=path, verb=verb, takes=takes, answers=answers, handle=handle, slow=True
    )


def tagged(tag: str, rows: Iterable[Route]) -> tuple[Route, ...]:
    return tuple(msgspec.structs.replace(row, tag=tag) for row in rows)

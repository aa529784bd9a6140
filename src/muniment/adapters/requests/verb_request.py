"""Verb request: the struct from which a route, a client method, a tool and a command derive.

    class ForgetRequest(VerbRequest[Done], frozen=True):
        endpoint = post("/v1/forget", "forget")
        item_id: Id

Types, limits, defaults and help are those of the fields; the first line of the docstring is the
sentence that OpenAPI, MCP and `--help` show.
"""

from functools import cache
from typing import Any, ClassVar, Final, Generic, TypeVar, get_args

import msgspec

from muniment.adapters.requests.fields import (
    At,
    Day,
    Expires,
    HappenedAt,
    Metadata,
    Origins,
    Session,
    SourceName,
    Tags,
)
from muniment.engine.streams.argument_checks import Then
from muniment.model.lazy_pattern import lazy_pattern

PARAMETER: Final = lazy_pattern(r"\{(\w+)\}")
Answer = TypeVar("Answer")


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where a request goes over HTTP, and which permission it needs at every door."""

    method: str
    path: str
    permission: str
    writes: bool = False  # an Idempotency-Key makes a retry safe
    long: bool = False  # it reads whole logs: its answer is waited for longer, and asked for once
    streams: bool = False  # server-sent events: the answer again and again
    lines: bool = False  # JSON lines: as many as there are, one after the other
    file: bool = False  # the body is a file as it is; the fields stand in the address

    @property
    def parameters(self) -> tuple[str, ...]:
        """The fields that stand in the path."""
        return tuple(PARAMETER.findall(self.path))


def get(path: str, permission: str) -> Endpoint:
    """A read whose fields stand in the address."""
    return Endpoint(method="GET", path=path, permission=permission)


def ask(path: str, permission: str) -> Endpoint:
    """A read whose question is too long for an address, or a write that has no retry."""
    return Endpoint(method="POST", path=path, permission=permission)


def post(path: str, permission: str) -> Endpoint:
    """A write: safe to repeat under a key."""
    return Endpoint(method="POST", path=path, permission=permission, writes=True)


def long(path: str, permission: str) -> Endpoint:
    """Work on whole logs."""
    return Endpoint(method="POST", path=path, permission=permission, long=True)


def upload(path: str, permission: str) -> Endpoint:
    """A file that is taken in: safe to repeat, for each thing in it is kept once."""
    return Endpoint(method="POST", path=path, permission=permission, long=True, file=True)


class VerbRequest(
    msgspec.Struct, Generic[Answer], frozen=True, forbid_unknown_fields=True, omit_defaults=True
):
    """The request of one verb, and the type of its answer."""

    endpoint: ClassVar[Endpoint]


class ReadRequest(VerbRequest[Answer], frozen=True, kw_only=True):
    """A read of memory: as of an earlier entry, of what was true on a day, or of both."""

    at: At = None
    valid_at: Day = ""

    @property
    def then(self) -> Then:
        """The same, as every read of the engine takes it."""
        return {"at": self.at, "valid_at": self.valid_at}


class WordsOptions(VerbRequest[Answer], frozen=True, kw_only=True):
    """Whose words they are, where they belong, and by what they are found again."""

    origin: Origins = ""
    session: Session = ""
    source: SourceName = ""
    tags: Tags = ()
    metadata: Metadata = None
    happened_at: HappenedAt = ""
    expires: Expires = ""


@cache
def answers(kind: type[VerbRequest[Any]]) -> Any:  # noqa: ANN401 - a type
    """The type of a request's answer: what its generic base was given."""
    for each in kind.__mro__:
        for its in each.__dict__.get("__orig_bases__", ()):
            if given := [it for it in get_args(its) if not isinstance(it, TypeVar)]:
                return given[0]
    raise TypeError(f"{kind.__name__} does not say what it answers")


def summary(kind: type[VerbRequest[Any]]) -> str:
    """One sentence: what the verb does."""
    return (kind.__doc__ or "").split("\n")[0]

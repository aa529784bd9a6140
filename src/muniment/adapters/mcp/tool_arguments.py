"""Tool arguments: the fields of a request struct, as the signature that the MCP SDK reads."""

import inspect
import types
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec
from pydantic import Field

from muniment.adapters.requests.verb_request import VerbRequest

LIMITS = ("ge", "le", "min_length", "max_length", "description")
ENTITY_NAME_MAX = 256  # as for `name` of the routes
LINES_MAX, LINES = 200, 50

Key = Annotated[str, msgspec.Meta(max_length=512, description="Makes a retry safe.")]
Receipt = Annotated[bool, msgspec.Meta(description="Add the receipt.")]
EntityName = Annotated[
    str,
    msgspec.Meta(
        max_length=ENTITY_NAME_MAX,
        description="One, by any of its names; `user`: whose memory it is.",
    ),
]
PathEnd = Annotated[
    str,
    msgspec.Meta(max_length=ENTITY_NAME_MAX, description="How `name` is connected with this one."),
]
Lines = Annotated[int, msgspec.Meta(ge=1, le=LINES_MAX, description="At most this many lines.")]
Sources = Annotated[bool, msgspec.Meta(description="Add the sentence behind each, with its id.")]
DEFAULTS: dict[object, object] = {Receipt: False, Sources: False, Lines: LINES}


def signature(
    kind: type[VerbRequest[Any]], only: Iterable[str], own: Mapping[str, object]
) -> inspect.Signature:
    """These fields of a request, in this order, then what only a tool has; that may be left out."""
    known = {each.name: each for each in msgspec.structs.fields(kind)}
    taken = [_parameter(name, known[name].type, known[name].default) for name in only]
    more = [_parameter(name, its, DEFAULTS.get(its, "")) for name, its in own.items()]
    return inspect.Signature([*taken, *more])


def _parameter(name: str, kind: object, default: object) -> inspect.Parameter:
    given = inspect.Parameter.empty if default is msgspec.NODEFAULT else default
    named = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, named, default=given, annotation=_argument(kind))


def _argument(kind: Any) -> Any:  # noqa: ANN401 - a type of either library
    """A type with the limits of msgspec, as pydantic says them."""
    if get_origin(kind) in {Union, types.UnionType}:
        return Union[tuple(_argument(each) for each in get_args(kind))]  # noqa: UP007
    if get_origin(kind) is not Annotated:
        return kind
    inner, *notes = get_args(kind)
    said: dict[str, Any] = {}
    plain = _argument(inner)
    for note in notes:
        said |= {name: its for name in LIMITS if (its := getattr(note, name)) is not None}
        if values := (note.extra_json_schema or {}).get("enum"):
            plain = Literal[tuple(values)]
    return Annotated[plain, Field(**said)]

"""Options of a command that are fields of a request struct, with its types, limits and help."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import click
import msgspec
from msgspec import inspect

from muniment.adapters.cli.shared_options import COMMAND_LINE
from muniment.adapters.requests.verb_request import VerbRequest
from muniment.model.canonical_json import INTEGER_MAX
from muniment.model.errors import UNREADABLE

# What stands for a value in `--help`, where its type alone says too little.
SHOWN: Final = {
    "happened_at": "TIME",
    "expires": "TIME",
    "tags": "WORD",
    "at": "SEQ",
    "since": "DAY",
    "until": "DAY",
    "ends": "DAY",
    "valid_at": "DAY",
    "reason": "TEXT",
    "text": "TEXT",
}
Work = Callable[..., object]


def options(kind: type[VerbRequest[Any]], *names: str) -> Callable[[Work], Work]:
    """Options for these fields of a request, in this order."""
    known = {each.name: each for each in msgspec.structs.fields(kind)}

    def added(work: Work) -> Work:
        for name in reversed(names):
            work = _option(name, known[name])(work)
        return work

    return added


def _option(name: str, field: msgspec.structs.FieldInfo) -> Callable[[Work], Work]:
    its = _described(inspect.type_info(field.type))
    flag, told = f"--{name.replace('_', '-')}", {"help": its.help, "default": field.default}
    values = [each for each in its.values if each]
    if len(values) == 1:  # a choice of one word is a flag of that name
        return click.option(f"--{values[0]}", name, flag_value=values[0], **told)
    if values:
        among, unsaid = click.Choice(its.values), field.default in ("", None)
        shown = f"[{'|'.join(values)}]"  # to say none is to leave it away
        return click.option(flag, type=among, metavar=shown, show_default=not unsaid, **told)
    match its.plain:
        case inspect.BoolType():
            named = f"{flag}/--no-{flag[2:]}" if field.default is True else flag
            return click.option(named, is_flag=True, **told)
        case inspect.IntType(ge=least, le=most):
            shown = SHOWN.get(name, "N")
            if most == INTEGER_MAX:  # which nobody reaches, and `--help` need not name
                rest = click.IntRange(least)
                return click.option(flag, type=rest, metavar=shown, callback=_exact, **told)
            return click.option(flag, type=click.IntRange(least, most), metavar=shown, **told)
        case inspect.DictType():
            return click.option(flag, name, type=JsonObject(), metavar="JSON", **told)
        case inspect.CollectionType():  # `--tag` once for each
            return click.option(
                flag.removesuffix("s"), name, multiple=True, metavar=SHOWN.get(name, "NAME"), **told
            )
        case _:
            return click.option(flag, metavar=SHOWN.get(name, "NAME"), **told)


def given(*without: str) -> list[str]:
    """The options of this command as they were typed, for a command that goes on where it ended."""
    context = click.get_current_context()
    return [
        word
        for each in context.command.params
        if isinstance(each, click.Option) and each.expose_value and each.name not in without
        if context.get_parameter_source(each.name or "") is COMMAND_LINE
        for word in _typed(each, context.params[each.name or ""])
    ]


def _typed(option: click.Option, value: object) -> list[str]:
    flag = option.opts[-1]
    if option.is_flag:
        return [flag if value else option.secondary_opts[-1]]
    said = value if isinstance(value, list | tuple) else [value]
    return [word for each in said for word in (flag, _as_word(each))]


def _as_word(value: object) -> str:
    return msgspec.json.encode(value).decode() if isinstance(value, Mapping) else str(value)


def _exact(context: click.Context, option: click.Parameter, value: int | None) -> int | None:
    if value is not None and value > INTEGER_MAX:
        raise click.BadParameter(f"{value} is more than {INTEGER_MAX}", context, option)
    return value


class JsonObject(click.ParamType[Mapping[str, object]]):
    """A JSON object as an argument."""

    name = "JSON"

    def convert(
        self,
        value: Any,  # noqa: ANN401
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Mapping[str, object]:
        try:
            told = msgspec.json.decode(value) if isinstance(value, str) else value
        except UNREADABLE as error:
            self.fail(f"this is not JSON: {error}", param, ctx)
        if not isinstance(told, Mapping):
            self.fail("expected a JSON object", param, ctx)
        return told


class Described(msgspec.Struct, frozen=True):
    """The plain type of a field, its help, and the values it may have."""

    plain: inspect.Type
    help: str = ""
    values: list[str] = msgspec.field(default_factory=list)


def _described(kind: inspect.Type) -> Described:
    if isinstance(kind, inspect.Metadata):
        inner, extra = _described(kind.type), kind.extra_json_schema or {}
        said = str(extra.get("description", "")) or inner.help
        return Described(inner.plain, said, list(extra.get("enum", inner.values)))
    if isinstance(kind, inspect.UnionType):
        return _described(next(e for e in kind.types if not isinstance(e, inspect.NoneType)))
    return Described(kind)

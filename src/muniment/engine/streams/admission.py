"""Admission: validation of a caller's arguments, once, before anything else."""

from functools import cache
from typing import Final

import msgspec

from muniment.model import canonical_json, ids
from muniment.model.commands import AnyCommand
from muniment.model.commands.command import Command
from muniment.model.errors import InputError
from muniment.model.kinds.episode import Origin, Value
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.policy import Policy

TOO_LONG: Final = lazy_pattern(
    r"Expected `str` of length <= (?P<most>\d+) - at `\$\.(?P<field>\w+)`"
)
BYTES_MAX: Final = 4  # of one character


def admit(command: AnyCommand) -> AnyCommand:
    """Check every field against its type and admit every value; bad input changes nothing."""
    kind = type(command)
    if not isinstance(command, Command):
        raise InputError(f"{kind.__name__} is not a command")
    known: dict[str, object] = {"type": kind.__struct_config__.tag}
    try:
        for name, default, of in _fields(kind):
            given = getattr(command, name)
            if given is not default:  # what nobody gave is our own and needs no look
                _check_length(name, given, of)
                known[name] = canonical_json.admit(
                    given if of is Value else msgspec.to_builtins(given)
                )
        if policy := getattr(command, "policy", None):
            known["policy"] = msgspec.to_builtins(policy)
        admitted: AnyCommand = msgspec.convert(known, kind)
    except (msgspec.ValidationError, TypeError, RecursionError, UnicodeEncodeError) as error:
        raise InputError(f"{kind.__struct_config__.tag}: {_told(error)}") from None
    return admitted


def _check_length(name: str, given: object, of: object) -> None:
    """A text that no entry could hold is refused by the limit of its field, which is the smaller
    one: whoever cut it down to an entry's would be refused again.
    """
    if not isinstance(given, str) or len(given) <= canonical_json.SIZE_BYTES_MAX // BYTES_MAX:
        return
    try:
        msgspec.convert(given, of)
    except msgspec.ValidationError as error:
        raise msgspec.ValidationError(f"{error} - at `$.{name}`") from None


def _told(error: Exception) -> str:
    """What does not fit; of a text that is too long how long it may be."""
    found = TOO_LONG.fullmatch(str(error))
    if not found:
        return str(error)
    return f"{found['field']} may have at most {int(found['most']):,} characters: divide it"


def origin(given: object) -> Origin:
    """Where a text says it came from; only the words there are."""
    if given not in list(Origin):
        raise InputError(f"the origin must be one of {', '.join(Origin)}")
    return Origin(str(given))


def moment(given: str) -> str:
    """A time that a caller tells, as the log spells it; empty stays empty."""
    try:
        known = not given or ids.time_text(ids.time_ms(given)) == given
    except (ValueError, IndexError):
        known = False
    if not known:
        raise InputError("a time is written as 2026-03-05T14:30:00.000Z")
    return given


@cache
def _fields(kind: type[Command]) -> tuple[tuple[str, object, object], ...]:
    """The fields of a command, their defaults and types."""
    return tuple(
        (field.name, field.default, field.type)
        for field in msgspec.structs.fields(kind)
        if field.type is not Policy
    )

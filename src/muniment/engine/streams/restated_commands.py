"""Restated commands: fields that an event already holds are not stored in its command.

A receipt is asked to be kept, and the event that keeps it says all of it again. The log holds the
command without those fields; whoever decides once more takes them from the event behind it.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final

import msgspec

from muniment.model.commands import RecordRecall
from muniment.model.commands.conversation import RecordItemRecall
from muniment.model.commands.reads import RecordContext
from muniment.model.events import AnyEvent, Recalled, Received, Shredded
from muniment.model.events.conversation import ItemsRecalled
from muniment.model.events.reads import ContextAssembled

RESTATED: Final[dict[type[msgspec.Struct], type[msgspec.Struct]]] = {
    RecordRecall: Recalled,
    RecordContext: ContextAssembled,
    RecordItemRecall: ItemsRecalled,
}


def brief(received: Received, decided: Sequence[AnyEvent]) -> Received:
    """As the log keeps it; what was refused is kept as it was asked."""
    command = received.command
    if not decided or not _restates(received, decided[0]):
        return received
    names = _shared(type(command))
    said = decided[0]
    assert all(getattr(command, each) == getattr(said, each) for each in names)
    return _with(received, dict(names))


def whole(received: Received, following: AnyEvent | Shredded | None) -> Received:
    """As it was asked, with what the event behind it says."""
    if following is None or not _restates(received, following):
        return received
    names = _shared(type(received.command))
    return _with(received, {each: getattr(following, each) for each in names})


def _restates(received: Received, said: AnyEvent | Shredded) -> bool:
    return type(said) is RESTATED.get(type(received.command))


def _with(received: Received, values: dict[str, object]) -> Received:
    command = msgspec.structs.replace(received.command, **values)
    return msgspec.structs.replace(received, command=command)


@cache
def _shared(kind: type[msgspec.Struct]) -> dict[str, object]:
    """The fields that both have, with what stands there while they are not said."""
    said = {each.name for each in msgspec.structs.fields(RESTATED[kind])}
    return {
        each.name: {} if each.default is msgspec.NODEFAULT else each.default
        for each in msgspec.structs.fields(kind)
        if each.name in said and not each.required
    }

"""Commands about documents: put one, add several to a namespace, drop some."""

from collections.abc import Sequence
from typing import Annotated

import msgspec

from muniment.model import canonical_json
from muniment.model.commands.command import Command, Name
from muniment.model.errors import InputError
from muniment.model.kinds.episode import Value

ANY_VERSION = -1
ADDED_BYTES_MAX = 96 * 1024  # of one command: what was asked must fit into an entry
ADDED_VALUES_MAX = 200
Version = Annotated[int, msgspec.Meta(ge=ANY_VERSION)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=10**10)]


class Filing(Command, frozen=True, kw_only=True):
    """Fields of every command about documents: the namespace, and where to ask for a yes."""

    namespace: tuple[Name, ...]
    docket: Name = ""  # the council's stream
    ask: bool = False  # wait for a yes even where policy wants none; never the other way round


class PutDocument(Filing, tag="put_document", frozen=True, kw_only=True):
    """Let a key of a namespace have this value from here on."""

    key: Name
    value: Value
    expect: Version = ANY_VERSION  # the version it must have now; 0 where there must be none
    ttl_seconds: Seconds = 0  # how long it is read; 0 for as long as it lives
    corrects: bool = False  # what is there was wrong; otherwise a newer version follows it


class AddDocuments(Filing, tag="add_documents", frozen=True, kw_only=True):
    """Put values into a namespace one after the other, under keys that are counted."""

    values: Value  # a list


class DropDocuments(Filing, tag="drop_documents", frozen=True, kw_only=True):
    """Take documents out of every reading from here on; the past keeps them."""

    keys: tuple[Name, ...] = ()  # none: every one that lies in this very namespace
    expect: Version = ANY_VERSION  # of each of them
    expired: bool = False  # their time has run out, by the clock of whoever asks


class FileDocuments(Command, tag="file_documents", frozen=True, kw_only=True):
    """The council is asked for a filing; what it approves is exactly this."""

    home: Name  # the stream the documents belong to
    namespace: tuple[Name, ...]
    keys: tuple[Name, ...]
    values: Value = None  # a list, one for each key; None takes them out
    versions: tuple[int, ...] = ()
    ttl_seconds: Seconds = 0
    requested_by: Name = ""


class TakeDocuments(Command, tag="take_documents", frozen=True, kw_only=True):
    """What the council has approved reaches the stream it belongs to."""

    request_id: Name
    namespace: tuple[Name, ...]
    keys: tuple[Name, ...]
    values: Value = None
    versions: tuple[int, ...] = ()
    ttl_seconds: Seconds = 0


DocumentCommand = PutDocument | AddDocuments | DropDocuments | FileDocuments | TakeDocuments


def value_parts(values: Sequence[object]) -> list[list[object]]:
    """What fits into one entry each, in order."""
    if isinstance(values, str | bytes) or not isinstance(values, Sequence):
        raise InputError("expected a list of values")
    parts: list[list[object]] = [[]]
    size = 0
    for value in values:
        length = len(canonical_json.encode(canonical_json.admit(value)))
        if parts[-1] and (size + length > ADDED_BYTES_MAX or len(parts[-1]) >= ADDED_VALUES_MAX):
            parts.append([])
            size = 0
        parts[-1].append(value)
        size += length
    if not parts[0]:
        raise InputError("there is nothing to add")
    return parts

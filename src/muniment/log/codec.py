"""Event codec: events to bytes and back, and the border between structure and sealed content."""

from functools import cache
from typing import Final, get_args

import msgspec

from muniment.model import canonical_json
from muniment.model.errors import UNREADABLE, IntegrityError, NewerError
from muniment.model.events import AnyEvent, Shredded
from muniment.model.events.event import Event


def _is_sealed(field: msgspec.structs.FieldInfo) -> bool:
    metas = (meta for meta in get_args(field.type) if isinstance(meta, msgspec.Meta))
    return any((meta.extra or {}).get("sealed") for meta in metas)


def _wire(kind: type[Event]) -> str:
    tag = kind.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


KINDS: Final[dict[str, type[Event]]] = {_wire(kind): kind for kind in get_args(AnyEvent)}
assert len(KINDS) == len(get_args(AnyEvent)), "two events share a wire name"


@cache
def sealed_fields(kind: type[Event]) -> frozenset[str]:
    return frozenset(
        field.encode_name for field in msgspec.structs.fields(kind) if _is_sealed(field)
    )


def wire_name(event: AnyEvent) -> str:
    return _wire(type(event))


def split(event: AnyEvent) -> tuple[bytes, bytes]:
    """The public body and the sealed content, each in canonical bytes."""
    built = msgspec.to_builtins(event)
    hidden = sealed_fields(type(event))
    del built["type"]
    sealed = {name: built.pop(name) for name in list(built) if name in hidden}
    return canonical_json.encode(built), canonical_json.encode(sealed) if sealed else b""


def join(wire: str, body: bytes | msgspec.Raw, sealed: bytes | None) -> AnyEvent | Shredded:
    """The event again; `None` for its sealed content means that it was shredded.

    An event or a field of it that is not known here is refused: a program that took a newer event
    for less than it says would decide on half of what it read.
    """
    kind = KINDS.get(wire)
    if kind is None:
        raise NewerError(f"a newer program has written this log: it holds {wire!r}")
    # Both are objects: what stands between their braces is read as one, in one go.
    fields = (b'"type":"%b"' % wire.encode(), bytes(body)[1:-1], (sealed or b"")[1:-1])
    try:
        if sealed is None:
            return Shredded(wire=wire, public=msgspec.json.decode(body))
        return _decoder(kind).decode(b"{%b}" % b",".join(filter(None, fields)))
    except msgspec.ValidationError as error:
        raise NewerError(f"a newer program has written this log, in {wire!r}: {error}") from None
    except UNREADABLE:
        raise IntegrityError(f"the event {wire!r} cannot be read") from None


@cache
def _decoder(kind: type[Event]) -> msgspec.json.Decoder[AnyEvent]:
    return msgspec.json.Decoder(kind)

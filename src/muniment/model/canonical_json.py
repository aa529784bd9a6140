"""Canonical JSON: one spelling for every value, and the digests taken over it.

The spelling is RFC 8785 on a subset: objects, arrays, text, booleans, null and whole numbers
within plus or minus (2^53 - 1). What is hashed is stored as these bytes and never spelled again.
A caller's own JSON may hold fractions: `admit` turns each into a tagged text at the door and
`release` turns it back, so no float is ever hashed and none is lost.
"""

import hashlib
import json
import math
from collections.abc import Iterable
from typing import Final

import msgspec
import rfc8785

from muniment.model.errors import InputError
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.unicode14 import normalised

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]

INTEGER_MAX: Final = 2**53 - 1  # beyond it other languages round: RFC 8785 §3.2.2.3
DEPTH_MAX: Final = 32  # deeper than any honest document, shallower than any parser's stack
SIZE_BYTES_MAX: Final = 256 * 1024  # one entry; larger things belong outside and are referred to
FRACTION: Final = "$fraction"  # the tag of an admitted float; escaped when a caller uses it
ESCAPED: Final = "$$"

_BEYOND_BASIC_PLANE = lazy_pattern(rb"[\xf0-\xff]")  # such a character is spelled in four bytes
_HALF_OF_A_PAIR = lazy_pattern("[\ud800-\udfff]")
_encoder = msgspec.json.Encoder(order="sorted")


def encode(value: object) -> bytes:
    """The canonical bytes of an admitted value or of a frozen struct."""
    spelled = _encoder.encode(value)
    # Only keys beyond the basic plane sort differently in UTF-16, and they are rare: look, then
    # take the slow road for those alone.
    if not spelled.isascii() and _BEYOND_BASIC_PLANE.search(spelled):
        plain = msgspec.json.decode(spelled)
        if _has_astral_key(plain):
            return rfc8785.dumps(plain)
    return spelled


def parse(data: bytes | str) -> Json:
    """Read JSON from outside: strict, bounded, no duplicate keys; fractions become tagged text."""
    if len(data) > SIZE_BYTES_MAX:
        raise InputError(f"the document is larger than {SIZE_BYTES_MAX} bytes")
    try:
        text = data.decode("utf-8") if isinstance(data, bytes) else data
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError:
        raise InputError(f"the document is nested deeper than {DEPTH_MAX}") from None
    except (UnicodeDecodeError, ValueError) as error:
        raise InputError(f"this is not JSON: {error}") from None
    return admit(value)


def admit(value: object) -> Json:
    """The one door for a caller's values: NFC text, whole numbers, tagged fractions, bounded."""
    admitted = _admit(value, depth=0)
    # Text is bounded by itself, and a number is small: only what holds others can grow.
    if isinstance(admitted, list | dict) and len(_encoder.encode(admitted)) > SIZE_BYTES_MAX:
        raise InputError(f"the value is larger than {SIZE_BYTES_MAX} bytes")
    return admitted


def admit_text(text: object) -> str:
    if not isinstance(text, str):
        raise InputError(f"text was expected, not {type(text).__name__}")
    if len(text) > SIZE_BYTES_MAX:
        raise InputError(f"the text is longer than {SIZE_BYTES_MAX} characters")
    if not text.isascii():
        text = normalised("NFC", text)
        if _HALF_OF_A_PAIR.search(text):
            raise InputError(
                "the text is not valid Unicode: it holds half of a surrogate pair "
                "(from a terminal: bytes that are not UTF-8)"
            )
        if len(text) > SIZE_BYTES_MAX // 4 and len(text.encode()) > SIZE_BYTES_MAX:
            raise InputError(f"the text is longer than {SIZE_BYTES_MAX} bytes")
    return text


def release(value: object) -> object:
    """What the caller once gave: tagged fractions are numbers again."""
    if isinstance(value, dict):
        if value.keys() == {FRACTION}:
            return float(str(value[FRACTION]))
        return {_unescape(key): release(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [release(inner) for inner in value]
    return value


def readable(value: object) -> str:
    """An admitted value as JSON for a reader: sorted, and its fractions are numbers."""
    plain = release(value)
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def text_of(value: object) -> str:
    """An admitted value as it is told: a text as it is, anything else as a reader's JSON."""
    return value if isinstance(value, str) else readable(value)


def digest(label: str, *parts: bytes) -> bytes:
    """SHA-256 with a domain label and length prefixes: no two inputs share a spelling."""
    name = label.encode("ascii")
    state = hashlib.sha256(len(name).to_bytes(2, "big") + name)
    for part in parts:
        state.update(len(part).to_bytes(8, "big"))
        state.update(part)
    return state.digest()


def _admit(value: object, depth: int) -> Json:
    if depth > DEPTH_MAX:
        raise InputError(f"the value is nested deeper than {DEPTH_MAX}")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return admit_text(value)
    if isinstance(value, int | float):
        return _admit_number(value)
    if isinstance(value, dict):
        return _admit_object(value, depth)
    if isinstance(value, list | tuple):
        return [_admit(inner, depth + 1) for inner in value]
    raise InputError(f"{type(value).__name__} has no JSON form")


def _admit_number(value: int | float) -> Json:
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InputError("a number must be finite: NaN and infinity have no JSON form")
        return {FRACTION: repr(value)}
    if abs(value) > INTEGER_MAX:
        raise InputError("a whole number must lie within plus or minus (2^53 - 1)")
    return int(value)


def _admit_object(value: dict[object, object], depth: int) -> Json:
    admitted: dict[str, Json] = {}
    for key, inner in value.items():
        if not isinstance(key, str):
            raise InputError(f"a key must be text, not {type(key).__name__}")
        name = _escape(admit_text(key))
        if name in admitted:
            raise InputError("two keys are the same text after normalisation")
        admitted[name] = _admit(inner, depth + 1)
    return admitted


def _escape(key: str) -> str:
    return ESCAPED + key if key.startswith("$") else key


def _unescape(key: str) -> str:
    return key.removeprefix(ESCAPED)


def _unique(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key[:40]!r} occurs twice")
        found[key] = value
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _has_astral_key(value: object) -> bool:
    if isinstance(value, dict):
        return any(
            (key != "" and max(key) > "\uffff") or _has_astral_key(inner)
            for key, inner in value.items()
        )
    return isinstance(value, list) and any(_has_astral_key(inner) for inner in value)

"""Memo input: validation of what a caller passes to `memorize`."""

import math
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeVar

from muniment.engine.streams import handle_arguments
from muniment.model import canonical_json
from muniment.model.commands.memos import Memorize
from muniment.model.errors import InputError
from muniment.model.kinds.memo import WHOLE_PPM, Memo, MemoSource, MemoType
from muniment.model.lazy_pattern import lazy_pattern

Word = TypeVar("Word", MemoType, MemoSource)

NAMES: Final = ("task_id", "episode_id", "parent_id", "retention", "source_name")
FIELDS: Final = frozenset(
    {"type", "text", "content", "source", "importance", "confidence", "tags", "chunk_index"}
    | {"key", "validity", "ttl", "embedding", "happened_at", "expires", *NAMES}
)
TYPES: Final = {str(each): each for each in MemoType}
SOURCES: Final = {str(each): each for each in MemoSource}
EXAMPLE: Final = '{"type": "fact", "text": "I live in Porto"}'
INT8: Final = range(-128, 128)

_KEY = lazy_pattern(r"[a-z][a-z0-9_]{0,63}:\S(?:.{0,254}\S)?")
_MOMENT = lazy_pattern(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z", re.ASCII)


def read(
    item: object, metadata: Mapping[str, object] | None, *, store: str, subject: str
) -> Memorize:
    """The command that an item means; what is unknown or out of range is an error."""
    if isinstance(item, str) and "type" not in (metadata or {}):
        raise InputError(f"an item is a dict with `type` and `text`, such as {EXAMPLE}")
    given, rest = _parts(item, metadata)
    text, structured = _content(given)
    told = {field: its(given[name]) for name, (field, its) in READERS.items() if name in given}
    since, until = _validity(given.get("validity"))
    return Memorize(
        kind=_word(given.get("type"), TYPES, "type"),
        text=text,
        store=store,
        metadata=_beside(rest, structured),
        since=since or handle_arguments.happened_at(given.get("happened_at")),
        until=until,
        subject=subject,
        **told,  # type: ignore[arg-type]
    )


def _beside(rest: dict[str, object], structured: object) -> object:
    """What is kept with an item; structured data that was spelled as its text is not counted."""
    told = handle_arguments.metadata(rest)
    if structured is None:
        return told
    return (told if isinstance(told, dict) else {}) | {"content": structured}


def fraction(value: object, what: str) -> int | None:
    """A number from 0 to 1 in whole millionths; absent stays absent."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{what} must be a number from 0 to 1")
    if not math.isfinite(value) or not 0 <= value <= 1:
        raise InputError(f"{what} must be a number from 0 to 1")
    return round(value * WHOLE_PPM)


def whole(value: object, what: str) -> int:
    if (
        isinstance(value, bool)
        or not isinstance(value, int)
        or not 0 <= value <= canonical_json.INTEGER_MAX
    ):
        raise InputError(f"{what} must be a whole number that is not negative")
    return value


def _parts(
    item: object, metadata: Mapping[str, object] | None
) -> tuple[dict[str, object], dict[str, object]]:
    """The item's own fields, and whatever else its caller wants kept with it."""
    rest = dict(metadata or {})
    if isinstance(item, str):
        known = {name: rest.pop(name) for name in list(rest) if name in FIELDS}
        return known | {"text": item}, rest
    if isinstance(item, Memo):
        item = {name: getattr(item, name) for name in ("type", "text", "source", "key", *NAMES)} | {
            "tags": list(item.tags),
            "importance": item.importance_ppm / WHOLE_PPM,
        }
    if not isinstance(item, Mapping):
        raise InputError("an item is a text, or an object with a type and a text")
    if not FIELDS.issuperset(item):
        unknown = sorted(str(name) for name in item if name not in FIELDS)
        raise InputError(f"an item has no field {', '.join(unknown)[:200]}")
    return dict(item), rest


def _content(given: Mapping[str, object]) -> tuple[str, object]:
    """A text, or structured data that is spelled as one and kept beside it."""
    text, content = given.get("text"), given.get("content")
    if (text is None) == (content is None):
        raise InputError("an item has either a text or a content")
    if text is not None:
        return canonical_json.admit_text(text), None
    if isinstance(content, str):
        return canonical_json.admit_text(content), None
    return canonical_json.readable(canonical_json.admit(content)), content


def _word(value: object, words: Mapping[str, Word], what: str) -> Word:
    """One of the words there are; another is an error, never something like it."""
    found = words.get(value) if isinstance(value, str) else None
    if found is None:
        raise InputError(f"the {what} must be one of {', '.join(words)}")
    return found


def _key(value: object) -> str:
    if value is None or value == "":
        return ""
    text = canonical_json.admit_text(value)
    if not _KEY.fullmatch(text):
        raise InputError("a key is an entity's type, a colon and its name, as in project:atlas")
    return text


def _name(value: object, what: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError(f"{what} must be a text")
    return canonical_json.admit_text(value)


def _validity(value: object) -> tuple[str, str]:
    if value is None:
        return "", ""
    if not isinstance(value, Mapping) or not set(value) <= {"since", "until"}:
        raise InputError("a validity has a since, an until, or both")
    since, until = (_moment(value.get(name, "")) for name in ("since", "until"))
    if since and until and since >= until:
        raise InputError("a validity must end after it begins")
    return since, until


def _moment(value: object) -> str:
    if value in ("", None):
        return ""
    if not isinstance(value, str) or not _MOMENT.fullmatch(value):
        raise InputError("a time is written as 2026-01-31T08:00:00.000Z")
    return value


def _vector(value: object) -> bytes:
    if value is None:
        return b""
    if isinstance(value, bytes):
        return value
    if not isinstance(value, list | tuple):
        raise InputError("an embedding is a list of whole numbers from -128 to 127")
    if not all(type(each) is int and each in INT8 for each in value):
        raise InputError("an embedding is a list of whole numbers from -128 to 127")
    return bytes(each % 256 for each in value)


# How each field of an item is read where it is given, and what it is called in the command.
READERS: Final[Mapping[str, tuple[str, Callable[[object], object]]]] = {
    "source": ("source", lambda value: _word(value, SOURCES, "source")),
    "importance": ("importance_ppm", partial(fraction, what="importance")),
    "confidence": ("confidence_ppm", partial(fraction, what="confidence")),
    "tags": ("tags", handle_arguments.tags),
    "expires": ("expires", handle_arguments.expires),
    "chunk_index": ("chunk_index", partial(whole, what="chunk_index")),
    "key": ("key", _key),
    "ttl": ("ttl", lambda value: None if value is None else whole(value, "ttl")),
    "embedding": ("embedding", _vector),
    **{name: (name, partial(_name, what=name)) for name in NAMES},
}

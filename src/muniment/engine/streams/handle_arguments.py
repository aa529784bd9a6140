"""Handle arguments: source, tags, metadata and times of a record as a caller gives them."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypedDict

from muniment.model import canonical_json, moments
from muniment.model.errors import InputError
from muniment.model.kinds.handles import METADATA_BYTES_MAX, TAG_CHARACTERS_MAX, TAGS_MAX


class HandleOptions(TypedDict, total=False):
    """By what a record is found again, beside its words."""

    source: str  # the name of a source: a page, a sender, a tool
    tags: Sequence[str]
    metadata: Mapping[str, object] | None
    happened_at: object  # a date or a time, as text or as the standard library has them
    expires: object  # the same, or how long: seconds, text like P30D, or a timedelta


class HasHandles(Protocol):
    """A request, or a sentence of several, that says them field by field."""

    @property
    def source(self) -> str: ...
    @property
    def tags(self) -> Sequence[str]: ...
    @property
    def metadata(self) -> Mapping[str, object] | None: ...
    @property
    def happened_at(self) -> str: ...
    @property
    def expires(self) -> str | int: ...


def options(told: HasHandles) -> HandleOptions:
    """By what something is found again, as every verb that keeps words takes it."""
    return {
        "source": told.source,
        "tags": told.tags,
        "metadata": told.metadata,
        "happened_at": told.happened_at,
        "expires": told.expires,
    }


class AdmittedHandles(TypedDict):
    """The same as a command holds it."""

    source: str
    tags: object
    metadata: object
    happened_at: str
    expires: str


def admitted(given: HandleOptions) -> AdmittedHandles:
    """What a caller gave, checked; a name that no handle has is an error of the program."""
    if unknown := sorted(set(given) - HandleOptions.__annotations__.keys()):
        raise TypeError(f"unexpected keyword argument {unknown[0]!r}")
    return AdmittedHandles(
        source=canonical_json.admit_text(given.get("source", "")),
        tags=tags(given.get("tags")),
        metadata=metadata(given.get("metadata")),
        happened_at=happened_at(given.get("happened_at")),
        expires=expires(given.get("expires")),
    )


def tags(value: object) -> list[str] | None:
    """Each tag once, in the order they came."""
    if value is None:
        return None
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) > TAGS_MAX:
        raise InputError(f"tags are a list of at most {TAGS_MAX} texts")
    found = list(dict.fromkeys(canonical_json.admit_text(tag) for tag in value))
    if any(not tag.strip() or len(tag) > TAG_CHARACTERS_MAX for tag in found):
        raise InputError(f"a tag has from 1 to {TAG_CHARACTERS_MAX} characters")
    return found or None


def metadata(value: object) -> object:
    """A JSON object of bounded size, as the command that holds it will admit it."""
    if value is None or value == {}:
        return None
    if not isinstance(value, Mapping):
        raise InputError("metadata is a JSON object")
    told = dict(value)
    if len(canonical_json.encode(canonical_json.admit(told))) > METADATA_BYTES_MAX:
        raise InputError(f"metadata has at most {METADATA_BYTES_MAX} bytes")
    return told


def happened_at(value: object) -> str:
    text = _spelled(value, "happened_at")
    return moments.moment(text) if text else ""


def expires(value: object) -> str:
    """The moment or the day, or `+` and the seconds that are counted from when it is told."""
    seconds = _seconds(value)
    if seconds is None:
        text = _spelled(value, "expires")
        if not text.startswith("P"):
            return moments.moment(text) if text else ""
        seconds = moments.duration_seconds(text)
    if not 0 < seconds <= moments.SECONDS_MAX:
        raise InputError("the expiry must be at least a second ahead")
    return f"{moments.LATER}{seconds}"


def _seconds(value: object) -> int | None:
    """How long, where that is said in seconds or as a timedelta."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    told = getattr(value, "total_seconds", None)
    return int(told()) if callable(told) else None


def _spelled(value: object, what: str) -> str:
    """A text, or what spells itself as ISO 8601: dates and times of the standard library."""
    if value is None:
        return ""
    told = getattr(value, "isoformat", None)
    spelled = told() if callable(told) else value
    if not isinstance(spelled, str):
        raise InputError(f"{what}: a date or a time was expected, not {type(value).__name__}")
    return canonical_json.admit_text(spelled)

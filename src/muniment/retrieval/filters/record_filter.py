"""Record filter: equality, membership and ranges, with and, or and not, over a record's handles.

    {"tags": "travel", "metadata.stars": {"gte": 3}, "not": {"session": "s1"}}

Conditions that stand side by side all hold. A field that has several values has a condition if one
of them has it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal, get_args

import msgspec

from muniment.model import canonical_json, moments
from muniment.model.errors import InputError
from muniment.model.kinds import handles
from muniment.model.kinds.handles import Handles

Operator = Literal["eq", "ne", "in", "gt", "gte", "lt", "lte", "exists"]
OPERATORS: Final = get_args(Operator)
WORDS: Final = ("kind", "origin", "session", "source", "speaker", "tags")
NAMES: Final = frozenset({"session", "source"})  # of a caller's choosing, kept as they are given
# `time` is when it happened where that was told, and else when it was said.
TIMES: Final = ("time", "said_at", "happened_at", "expires")
METADATA: Final = "metadata."
AND, OR, NOT = "and", "or", "not"
DEPTH_MAX: Final = 8
CONDITIONS_MAX: Final = 64
FOREVER: Final = 2**62  # milliseconds
NO_RANGES: Final = frozenset({"kind", "origin", "session", "source", "speaker", "tags"})

Value = object
Span = tuple[int, int]  # of milliseconds, both included


class Condition(msgspec.Struct, frozen=True):
    """One field, and what is asked of it; the values of a time are its spans."""

    field: str
    op: Operator
    value: Value
    spans: tuple[Span, ...] = ()

    def holds(self, values: Sequence[Value]) -> bool:
        """Whether a field that has these values has the condition."""
        match self.op:
            case "exists":
                return bool(values) == self.value
            case "eq":
                return any(_same(each, self.value) for each in values)
            case "ne":
                return not any(_same(each, self.value) for each in values)
            case "in":
                assert isinstance(self.value, list)
                return any(_same(each, it) for each in values for it in self.value)
            case _:
                return any(_compared(self.op, each, self.value) for each in values)

    def holds_at(self, moment_ms: int | None) -> bool:
        """The same for a time, which may not be known."""
        if self.op == "exists":
            return (moment_ms is not None) == self.value
        within = moment_ms is not None and any(lo <= moment_ms <= hi for lo, hi in self.spans)
        return not within if self.op == "ne" else within


class Every(msgspec.Struct, frozen=True):
    parts: tuple["Where", ...]


class Either(msgspec.Struct, frozen=True):
    parts: tuple["Where", ...]


class Neither(msgspec.Struct, frozen=True):
    part: "Where"


Where = Condition | Every | Either | Neither


class FilteredRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What a filter can ask of a record that lies in no index."""

    kind: str
    said_at: str = ""
    origin: str = ""
    session: str = ""
    speaker: str = ""
    handles: Handles = handles.NONE

    def words(self, field: str) -> Sequence[Value]:
        if is_handle(field):
            return of_handles(self.handles, field)
        return _given(getattr(self, field))

    def moment_ms(self, field: str) -> int | None:
        said = moments.span_ms(self.said_at)[0] if self.said_at else None
        if field == "said_at":
            return said
        told = self.handles.expires if field == "expires" else self.handles.happened_at
        if told:
            return moments.span_ms(told)[0]
        return said if field == "time" else None


def spelled(raw: object) -> str:
    """A caller's filter as a receipt keeps it: checked, and in one spelling; an empty one is none.

    Filters arrive as objects, or as the JSON text of one.
    """
    if raw is None or raw in ("", {}):
        return ""
    told = canonical_json.parse(raw) if isinstance(raw, str) else _admitted(raw)
    text = canonical_json.readable(told)
    of_text(text)
    return text


def screened(text: str, screen: Callable[[str], tuple[str, bool]]) -> str:
    """A filter whose words are screened like those it finds.

    A name is never redacted, here as in what is kept: it would name something else.
    """
    names: list[object] = []
    clean, may_be_kept = screen(
        canonical_json.readable(_numbered(canonical_json.parse(text), names))
    )
    if not may_be_kept or not all(screen(each)[1] for each in _texts(names)):
        raise InputError("where: it contains something that may not be stored")
    return spelled(canonical_json.readable(_named(canonical_json.parse(clean), names)))


def _numbered(told: object, names: list[object]) -> object:
    """The same with a number for each name, which is listed."""
    if isinstance(told, dict):
        return {
            key: _number(each, names) if key in NAMES else _numbered(each, names)
            for key, each in told.items()
        }
    return [_numbered(each, names) for each in told] if isinstance(told, list) else told


def _number(name: object, names: list[object]) -> int:
    names.append(name)
    return len(names) - 1


def _named(told: object, names: Sequence[object]) -> object:
    if isinstance(told, dict):
        return {
            key: names[each] if key in NAMES else _named(each, names) for key, each in told.items()
        }
    return [_named(each, names) for each in told] if isinstance(told, list) else told


def _texts(told: object) -> Iterator[str]:
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict | list):
        for each in told.values() if isinstance(told, dict) else told:
            yield from _texts(each)


@lru_cache(maxsize=64)
def of_text(text: str) -> Where | None:
    """The filter that a spelling means."""
    if not text:
        return None
    found = _parsed(canonical_json.parse(text), 0)
    if _count(found) > CONDITIONS_MAX:
        raise InputError(f"where: at most {CONDITIONS_MAX} conditions")
    return found


def _admitted(raw: object) -> object:
    return canonical_json.admit(dict(raw) if isinstance(raw, Mapping) else raw)


def matches(where: Where | None, record: FilteredRecord) -> bool:
    """Whether a record is what a filter lets in."""
    match where:
        case None:
            return True
        case Every(parts=parts):
            return all(matches(each, record) for each in parts)
        case Either(parts=parts):
            return any(matches(each, record) for each in parts)
        case Neither(part=part):
            return not matches(part, record)
        case Condition(field=field):
            if field in TIMES:
                return where.holds_at(record.moment_ms(field))
            return where.holds(record.words(field))


def is_handle(field: str) -> bool:
    """Whether a field is one that only the log holds."""
    return field in {"source", "tags"} or field.startswith(METADATA)


def of_handles(told: Handles, field: str) -> Sequence[Value]:
    """The values that a field of the handles has; of the metadata, what lies at a path."""
    if field == "tags":
        return told.tags
    if field == "source":
        return _given(told.source)
    found: object = told.metadata
    for step in field.removeprefix(METADATA).split("."):
        found = found.get(step) if isinstance(found, dict) else None
    if isinstance(found, list):
        return [canonical_json.release(each) for each in found]
    return _given(canonical_json.release(found))


def _given(value: object) -> Sequence[Value]:
    return () if value is None or value == "" else (value,)


def _parsed(raw: object, depth: int) -> Where:
    if not isinstance(raw, dict) or not raw:
        raise InputError('where: expected an object of conditions, like {"tags": "travel"}')
    if depth > DEPTH_MAX:
        raise InputError(f"where: nested deeper than {DEPTH_MAX}")
    parts: list[Where] = []
    for key, value in raw.items():
        parts += _part(key, value, depth)
    return parts[0] if len(parts) == 1 else Every(tuple(parts))


def _part(key: str, value: object, depth: int) -> list[Where]:
    if key == NOT:
        return [Neither(_parsed(value, depth + 1))]
    if key in (AND, OR):
        if not isinstance(value, list) or not value:
            raise InputError(f"where: `{key}` takes a list of filters")
        parts = tuple(_parsed(each, depth + 1) for each in value)
        return [Every(parts) if key == AND else Either(parts)]
    if key not in WORDS and key not in TIMES and key.removeprefix(METADATA) in {key, ""}:
        known = ", ".join((*WORDS, *TIMES, "metadata.<key>", AND, OR, NOT))
        raise InputError(f"where: there is no field {key[:64]!r}; there are {known}")
    asked = value if isinstance(value, dict) and canonical_json.FRACTION not in value else None
    if asked is None:
        return [_condition(key, "eq", value)]
    if not asked:
        raise InputError(f"where: {key[:64]} needs one of {', '.join(OPERATORS)}")
    return [_condition(key, op, its) for op, its in asked.items()]


def _condition(field: str, op: str, value: object) -> Condition:
    if op not in OPERATORS:
        raise InputError(f"where: {op[:40]!r} is not one of {', '.join(OPERATORS)}")
    if op == "exists" and not isinstance(value, bool):
        raise InputError("where: `exists` is true or false")
    if (op == "in") != isinstance(value, list):
        raise InputError("where: `in` takes a list, and nothing else does")
    plain = canonical_json.release(value)
    if isinstance(plain, dict) or (isinstance(plain, list) and any(map(_is_nested, plain))):
        raise InputError(f"where: {field[:64]} is compared with texts, numbers or booleans")
    ranged = op in {"gt", "gte", "lt", "lte"}
    if ranged and (field in NO_RANGES or isinstance(plain, bool) or plain is None):
        raise InputError(f"where: {field[:64]} has no order, so `{op}` cannot be used")
    operator = msgspec.convert(op, Operator)
    if field in TIMES and op != "exists":
        return Condition(field, operator, plain, _spans(field, operator, plain))
    return Condition(field, operator, plain)


def _is_nested(value: object) -> bool:
    return isinstance(value, list | dict)


def _spans(field: str, op: Operator, value: object) -> tuple[Span, ...]:
    wanted = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str) for each in wanted):
        raise InputError(f"where: {field} is compared with dates and times")
    found = [moments.span_ms(moments.moment(str(each))) for each in wanted]
    lo, hi = found[0] if found else (0, 0)
    match op:
        case "gt":
            return ((hi + 1, FOREVER),)
        case "gte":
            return ((lo, FOREVER),)
        case "lt":
            return ((-FOREVER, lo - 1),)
        case "lte":
            return ((-FOREVER, hi),)
        case _:
            return tuple(found)


def _count(where: Where) -> int:
    match where:
        case Every(parts=parts) | Either(parts=parts):
            return sum(map(_count, parts))
        case Neither(part=part):
            return _count(part)
        case _:
            return 1


def _same(told: object, wanted: object) -> bool:
    """As JSON has it: a yes is no number."""
    return told == wanted and isinstance(told, bool) == isinstance(wanted, bool)


def _compared(op: str, told: object, wanted: object) -> bool:
    if isinstance(told, bool) or isinstance(told, str) != isinstance(wanted, str):
        return False
    if not isinstance(told, str | int | float):
        return False
    order = (told > wanted) - (told < wanted)  # type: ignore[operator]
    return {"gt": order > 0, "gte": order >= 0, "lt": order < 0, "lte": order <= 0}[op]

"""What a filter may say, how deep and how long, and the sentence that refuses what it may not."""

from collections.abc import Mapping
from types import MappingProxyType

import pytest

from muniment.model.canonical_json import Json
from muniment.model.errors import InputError
from muniment.model.kinds.handles import Handles
from muniment.retrieval.filters import record_filter
from muniment.retrieval.filters.record_filter import DEPTH_MAX, FilteredRecord

OPERATORS = "eq, ne, in, gt, gte, lt, lte, exists"
FIELDS = (
    "kind, origin, session, source, speaker, tags, "
    "time, said_at, happened_at, expires, metadata.<key>, and, or, not"
)
LONG = "k" * 80
REFUSED: tuple[tuple[object, str], ...] = (
    ([], 'expected an object of conditions, like {"tags": "travel"}'),
    (5, 'expected an object of conditions, like {"tags": "travel"}'),
    ([["tags", "travel"]], 'expected an object of conditions, like {"tags": "travel"}'),
    ("[]", 'expected an object of conditions, like {"tags": "travel"}'),
    ({"not": {}}, 'expected an object of conditions, like {"tags": "travel"}'),
    ({"not": ["a"]}, 'expected an object of conditions, like {"tags": "travel"}'),
    ({"and": []}, "`and` takes a list of filters"),
    ({"or": {"tags": "a"}}, "`or` takes a list of filters"),
    ({LONG: 1}, f"there is no field {'k' * 64!r}; there are {FIELDS}"),
    ({"metadata.": 1}, f"there is no field 'metadata.'; there are {FIELDS}"),
    ({"tags": {}}, f"tags needs one of {OPERATORS}"),
    ({f"metadata.{LONG}": {}}, f"metadata.{'k' * 55} needs one of {OPERATORS}"),
    ({"tags": {"like": "b"}}, f"'like' is not one of {OPERATORS}"),
    ({"tags": {LONG: "b"}}, f"{'k' * 40!r} is not one of {OPERATORS}"),
    ({"tags": {"exists": "yes"}}, "`exists` is true or false"),
    ({"tags": {"exists": 1}}, "`exists` is true or false"),
    ({"tags": {"in": "a"}}, "`in` takes a list, and nothing else does"),
    ({"tags": ["a", "b"]}, "`in` takes a list, and nothing else does"),
    ({"metadata.a": {"gt": {"b": 1}}}, "metadata.a is compared with texts, numbers or booleans"),
    ({"metadata.a": {"in": [1, [2]]}}, "metadata.a is compared with texts, numbers or booleans"),
    ({"metadata.a": {"in": [{}, 1]}}, "metadata.a is compared with texts, numbers or booleans"),
    (
        {f"metadata.{LONG}": {"eq": {"b": 1}}},
        f"metadata.{'k' * 55} is compared with texts, numbers or booleans",
    ),
    ({"tags": {"gt": "b"}}, "tags has no order, so `gt` cannot be used"),
    ({"kind": {"gte": "b"}}, "kind has no order, so `gte` cannot be used"),
    ({"metadata.a": {"lt": True}}, "metadata.a has no order, so `lt` cannot be used"),
    ({"metadata.a": {"lte": None}}, "metadata.a has no order, so `lte` cannot be used"),
    (
        {f"metadata.{LONG}": {"lt": True}},
        f"metadata.{'k' * 55} has no order, so `lt` cannot be used",
    ),
    ({"time": {"gte": 5}}, "time is compared with dates and times"),
    ({"expires": {"in": ["2026-01-01", 5]}}, "expires is compared with dates and times"),
)


@pytest.mark.parametrize(("where", "why"), REFUSED, ids=[str(each)[:60] for each, _ in REFUSED])
def test_a_filter_that_means_nothing_is_told_what_would_mean_something(
    where: object, why: str
) -> None:
    with pytest.raises(InputError) as refused:
        record_filter.spelled(where)

    assert refused.value.detail == f"where: {why}"


def nested(links: list[str]) -> dict[str, object]:
    asked: dict[str, object] = {"tags": "travel"}
    for link in links:
        asked = {link: asked if link == "not" else [asked]}
    return asked


@pytest.mark.parametrize("link", ["not", "and", "or"])
def test_a_filter_is_as_deep_as_it_may_be_and_no_deeper(link: str) -> None:
    travel = FilteredRecord(kind="fact", handles=Handles(tags=("travel",)))
    deepest = record_filter.spelled(nested([link] * DEPTH_MAX))

    assert record_filter.matches(record_filter.of_text(deepest), travel)
    with pytest.raises(InputError) as refused:
        record_filter.spelled(nested([link] * (DEPTH_MAX + 1)))
    assert refused.value.detail == "where: nested deeper than 8"


def test_conditions_inside_a_denial_are_counted() -> None:
    many = [{"tags": f"t{n}"} for n in range(record_filter.CONDITIONS_MAX + 1)]

    record_filter.spelled({"not": {"or": many[1:]}})
    with pytest.raises(InputError) as refused:
        record_filter.spelled({"not": {"or": many}})

    assert refused.value.detail == "where: at most 64 conditions"


def lets_in(where: object, metadata: Mapping[str, Json], *tags: str) -> bool:
    told = FilteredRecord(kind="fact", handles=Handles(tags=tags, metadata=dict(metadata)))
    return record_filter.matches(record_filter.of_text(record_filter.spelled(where)), told)


STARS: dict[str, Json] = {"stars": 3, "hotel": {"name": "Adlon", "beds": [1, 2]}}
# A fraction is kept as text beside its tag, as every value of a caller's JSON is.
HALVES: dict[str, Json] = {"half": {"$fraction": "0.5"}, "halves": [{"$fraction": "1.5"}, 2]}


@pytest.mark.parametrize(
    ("where", "metadata", "told"),
    [
        ({"metadata.stars": 3, "metadata.hotel.name": "Ritz"}, STARS, False),
        ({"metadata.stars": 4, "metadata.hotel.name": "Adlon"}, STARS, False),
        ({"metadata.stars": 3, "metadata.hotel.name": "Adlon"}, STARS, True),
        ({"metadata.stars": {"gte": 3, "lt": 3}}, STARS, False),
        ({"metadata.stars": {"gt": 2, "lt": 4}}, STARS, True),
        ({"metadata.hotel.beds": 2}, STARS, True),
        ({"metadata.hotel.beds": {"gt": 2}}, STARS, False),
        ({"metadata.hotel.beds.first": {"exists": False}}, STARS, True),
        ({"metadata.stars.more": {"exists": True}}, STARS, False),
        ({"metadata.nothing": {"ne": 1}}, STARS, True),
        ({"metadata.nothing": {"exists": True}}, STARS, False),
        ({"metadata.half": 0.5}, HALVES, True),
        ({"metadata.half": {"gt": 0.25}}, HALVES, True),
        ({"metadata.half": {"in": [0.25, 0.5]}}, HALVES, True),
        ({"metadata.halves": 1.5}, HALVES, True),
        ({"metadata.halves": {"lt": 1.5}}, HALVES, False),
        ({"metadata.yes": 1}, {"yes": True}, False),
        ({"metadata.yes": True}, {"yes": 1}, False),
        ({"metadata.yes": {"ne": True}}, {"yes": 1}, True),
        ({"metadata.yes": {"in": [1, True]}}, {"yes": True}, True),
        ({"metadata.yes": {"gte": 0}}, {"yes": True}, False),
        ({"metadata.stars": {"gt": "2"}}, STARS, False),
        ({"metadata.name": {"gte": "b", "lte": "b"}}, {"name": "b"}, True),
        ({"metadata.name": {"gt": "b"}}, {"name": "b"}, False),
        ({"metadata.name": {"lt": "b"}}, {"name": "b"}, False),
        ({"metadata.name": {"gt": 1}}, {"name": "b"}, False),
        ({"metadata.hotel": {"gt": 1}}, STARS, False),
        ({"metadata.stars": {"lte": 2}}, STARS, False),
        ({"metadata.stars": {"in": []}}, STARS, False),
        ({"time": {"in": []}}, STARS, False),
        ({"metadata.stars": {"eq": None}}, STARS, False),
    ],
)
def test_metadata_is_compared_as_json_has_it(
    where: object, metadata: dict[str, Json], *, told: bool
) -> None:
    assert lets_in(where, metadata) is told


def test_a_filter_is_read_from_any_mapping_and_from_its_json() -> None:
    frozen = MappingProxyType({"tags": "travel"})
    nothing: tuple[object, ...] = (None, "", {})

    assert record_filter.spelled(frozen) == '{"tags":"travel"}'
    assert record_filter.spelled(' {"tags" : "travel"} ') == '{"tags":"travel"}'
    assert [record_filter.spelled(each) for each in nothing] == ["", "", ""]


def test_no_filter_lets_everything_in() -> None:
    assert record_filter.of_text("") is None
    assert record_filter.matches(None, FilteredRecord(kind="fact"))


def test_the_moment_of_a_day_is_its_first() -> None:
    day = FilteredRecord(
        kind="fact", said_at="2026-03-01", handles=Handles(happened_at="2026-02-01")
    )

    said, happened = day.moment_ms("said_at"), day.moment_ms("happened_at")

    assert (said, happened) == (1_772_323_200_000, 1_769_904_000_000)
    assert day.moment_ms("time") == happened
    assert day.moment_ms("expires") is None

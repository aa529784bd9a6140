"""The structural matcher: exact keys, exact values, presence of a key; never likeness."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.world import memory

from muniment import Job
from muniment.model.errors import InputError
from muniment.retrieval.filters import exact_match

ITEM = {
    "type": "fact",
    "value": {"colour": "cerulean", "depth": {"m": 3}, "none": None, "yes": True, "one": 1},
    "references": 0,
}

EXACT = [
    ({}, True),
    ({"type": "fact"}, True),
    ({"type": "fact", "references": 0}, True),
    ({"type": "fact", "references": 1}, False),
    ({"value.colour": "cerulean"}, True),
    ({"value.depth.m": 3}, True),
    ({"value.depth": {"m": 3}}, True),
    ({"value.none": None}, True),
    ({"value.absent": None}, False),
]

NEVER_LIKENESS = [
    {"value.colour": "Cerulean"},
    {"value.colour": "cerulea"},
    {"value.colour": "cerulean "},
    {"value.colour": "*"},
    {"value.colour": ["cerulean"]},
    {"value.colou": "cerulean"},
    {"Value.colour": "cerulean"},
    {"value.depth": {}},
    {"value.depth": {"m": 3, "cm": 300}},
    {"value.depth.m": "3"},
    {"value.depth.m": 3.5},
    {"value.yes": 1},
    {"value.one": True},
    {"value": {"colour": "cerulean"}},
]

PRESENCE = [
    ({"value.colour": {"$exists": True}}, True),
    ({"value.none": {"$exists": True}}, True),
    ({"value.absent": {"$exists": True}}, False),
    ({"value.absent": {"$exists": False}}, True),
    ({"value.colour.deeper": {"$exists": False}}, True),
    ({"absent.deeper": {"$exists": True}}, False),
    ({"value.colour": {"$exists": False}}, False),
]


def holds(predicate: dict[str, object]) -> bool:
    return exact_match.matches(ITEM, exact_match.check(predicate))


@pytest.mark.covers("A-085")
@pytest.mark.parametrize(("predicate", "expected"), EXACT)
def test_keys_and_values_are_compared_exactly(
    predicate: dict[str, object], *, expected: bool
) -> None:
    assert holds(predicate) is expected


@pytest.mark.covers("A-085", "A-087")
@pytest.mark.parametrize("predicate", NEVER_LIKENESS)
def test_what_is_only_like_it_does_not_match(predicate: dict[str, object]) -> None:
    assert not holds(predicate)


@pytest.mark.covers("A-085")
@pytest.mark.parametrize(("predicate", "expected"), PRESENCE)
def test_the_presence_of_a_key_can_be_asked_for(
    predicate: dict[str, object], *, expected: bool
) -> None:
    assert holds(predicate) is expected


def test_true_is_not_one_however_deep_it_lies() -> None:
    item = {"value": {"list": [{"flag": True}]}}

    assert exact_match.matches(item, exact_match.check({"value": {"list": [{"flag": True}]}}))
    assert not exact_match.matches(item, exact_match.check({"value": {"list": [{"flag": 1}]}}))


@pytest.mark.parametrize(
    "predicate", ["value", 5, ["value"], {1: 2}, {"value": object()}, {"a": {"$exists": "no"}}]
)
def test_what_is_not_a_predicate_is_refused(predicate: object) -> None:
    with pytest.raises(InputError):
        exact_match.check(predicate)


json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.sampled_from([0.5, -1.25])
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.covers("A-085")
@given(json)
def test_every_value_matches_itself(value: object) -> None:
    wanted = exact_match.check({"value": [value]})

    assert exact_match.matches({"value": [value]}, wanted)


# ── Through the job ─────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def job() -> Job:
    made = memory().agent("ada").job("seed-1")
    for kind, value in (
        ("fact", {"colour": "cerulean", "share": 0.5}),
        ("hint", {"colour": "Cerulean"}),
        ("fact", "cerulean"),
        ("context", "cafe\u0301"),
    ):
        made.wm_insert({"type": kind, "value": value})
    return made


@pytest.mark.covers("A-085")
def test_working_memory_is_found_by_structure(job: Job) -> None:
    def found(predicate: dict[str, object]) -> list[str]:
        return [entry.wm_id.rpartition(":")[2] for entry in job.wm_find(predicate)]

    assert found({"type": "fact"}) == ["3", "1"]
    assert found({"value": "cerulean"}) == ["3"]
    assert found({"value.colour": "cerulean"}) == ["1"]
    assert found({"value.share": 0.5}) == ["1"]
    assert found({"value.colour": {"$exists": True}}) == ["2", "1"]
    assert found({"wm_id": "wm:seed-1:2", "type": "fact"}) == []
    assert found({"created_at_tick": 0, "ttl_ticks": 3}) == ["4", "3", "2", "1"]


@pytest.mark.covers("A-087")
@pytest.mark.parametrize("near", ["ceruleam", "CERULEAN", "cerulean!", "blue", "cerul"])
def test_working_memory_knows_no_likeness(job: Job, near: str) -> None:
    assert job.wm_find({"value": near}) == []
    assert job.wm_find({"value.colour": near}) == []


def test_two_spellings_of_one_letter_are_one_letter(job: Job) -> None:
    assert len(job.wm_find({"value": "cafe\u0301"})) == 1
    assert len(job.wm_find({"value": "caf\u00e9"})) == 1


def test_nothing_asked_is_everything_found_and_nonsense_is_refused(job: Job) -> None:
    assert len(job.wm_find()) == len(job.wm_find({})) == 4
    with pytest.raises(InputError):
        job.wm_find([])  # type: ignore[arg-type]
    with pytest.raises(InputError):
        job.cwm_find("value")  # type: ignore[arg-type]


def test_what_is_found_cannot_be_changed(job: Job) -> None:
    (entry,) = job.wm_find({"value.colour": "cerulean"})

    with pytest.raises(AttributeError):
        entry.ttl_ticks = 99  # type: ignore[misc]
    entry.value["colour"] = "red"  # type: ignore[index]

    assert len(job.wm_find({"value.colour": "cerulean"})) == 1

"""A filter asks for who said a thing, in which talk, of what kind and when, and gets that alone."""

from collections.abc import Mapping

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.model import ids
from muniment.model.errors import InputError
from muniment.model.kinds.handles import Handles
from muniment.retrieval.filters import record_filter
from muniment.retrieval.filters.record_filter import FilteredRecord

MARCH = ids.time_ms("2026-03-01T10:00:00.000Z")
BERT = "Bert painted the boat"
CLEO = "Cleo tarred the boat"
TOOL = "The boat was weighed"
MONDAY = "The boat leaks"
ENDS = "The boat is let"


@pytest.fixture(scope="module")
def ada() -> Agent:
    clock = world.StillClock(MARCH)
    ada = world.memory(clock=clock).agent("ada", user="tuff")
    ada.remember(BERT, speaker="Bert", session="pier")
    ada.remember(CLEO, speaker="Cleo", session="quay", happened_at="2025-07-01")
    ada.remember(TOOL, origin="tool", source="scales")
    ada.conversation(session="monday").record(user=MONDAY)
    ada.remember(ENDS, expires="2030-01-01T12:00:00.000Z")
    return ada


ALL = {BERT, CLEO, TOOL, MONDAY, ENDS}
ASKED: tuple[tuple[Mapping[str, object], set[str]], ...] = (
    ({"origin": "tool"}, {TOOL}),
    ({"origin": {"ne": "tool"}}, ALL - {TOOL}),
    ({"origin": {"in": ["tool", "external"]}}, {TOOL}),
    ({"origin": {"exists": True}}, ALL),
    ({"speaker": "Bert"}, {BERT}),
    ({"speaker": {"in": ["Bert", "Cleo"]}}, {BERT, CLEO}),
    ({"speaker": {"ne": "Bert"}}, ALL - {BERT}),
    ({"speaker": {"exists": True}}, {BERT, CLEO}),
    ({"speaker": {"exists": False}}, ALL - {BERT, CLEO}),
    ({"session": "quay"}, {CLEO}),
    ({"session": "monday"}, {MONDAY}),
    ({"session": {"exists": False}}, {TOOL, ENDS}),
    ({"kind": "episodic"}, ALL - {MONDAY}),
    ({"kind": {"ne": "episodic"}}, {MONDAY}),
    ({"expires": {"exists": True}}, {ENDS}),
    ({"expires": {"gte": "2030-01-01"}}, {ENDS}),
    ({"expires": {"lt": "2030-01-01"}}, set()),
    ({"expires": {"ne": "2030-01-01"}}, ALL - {ENDS}),
    ({"happened_at": {"exists": True}}, {CLEO}),
    ({"happened_at": {"exists": False}}, ALL - {CLEO}),
    ({"happened_at": {"lte": "2025-07-01"}}, {CLEO}),
    ({"happened_at": {"lt": "2025-07-01"}}, set()),
    ({"happened_at": {"lt": "2025-07-01T12:00Z"}}, {CLEO}),
    ({"happened_at": {"in": ["2025-07-01", "2024-01-01"]}}, {CLEO}),
    ({"expires": {"lte": "2030-01-01T12:00:00.000Z"}}, {ENDS}),
    ({"said_at": {"gte": "2026-03-01", "lte": "2026-03-01"}}, ALL),
    ({"said_at": {"lt": "2026-03-01"}}, set()),
    ({"time": "2025-07-01"}, {CLEO}),
    ({"time": {"gte": "2026-01-01"}}, ALL - {CLEO}),
    ({"source": "scales"}, {TOOL}),
    ({"source": {"exists": False}}, ALL - {TOOL}),
    ({"or": [{"speaker": "Bert"}, {"origin": "tool"}]}, {BERT, TOOL}),
    ({"and": [{"speaker": {"exists": True}}, {"not": {"session": "pier"}}]}, {CLEO}),
    ({"not": {"or": [{"speaker": "Bert"}, {"session": "quay"}]}}, ALL - {BERT, CLEO}),
)


@pytest.mark.parametrize(("where", "left"), ASKED, ids=[str(each) for each, _ in ASKED])
def test_a_filter_lets_in_what_it_asks_for_and_nothing_else(
    ada: Agent, where: Mapping[str, object], left: set[str]
) -> None:
    found = ada.recall("What of the boat?", where=where, limit=20, quarantined=True)
    listed = ada.records(where=where, limit=20)

    assert {hit.text for hit in found.hits} == left
    assert {each.text for each in listed.records} == left


SAID = "2026-03-01T10:00:00.000Z"
RECORDS = {
    BERT: FilteredRecord(
        kind="episodic", said_at=SAID, origin="user", speaker="Bert", session="pier"
    ),
    CLEO: FilteredRecord(
        kind="episodic",
        said_at=SAID,
        origin="user",
        speaker="Cleo",
        session="quay",
        handles=Handles(happened_at="2025-07-01"),
    ),
    TOOL: FilteredRecord(
        kind="episodic", said_at=SAID, origin="tool", handles=Handles(source="scales")
    ),
    MONDAY: FilteredRecord(kind="conversation", said_at=SAID, origin="user", session="monday"),
    ENDS: FilteredRecord(
        kind="episodic",
        said_at=SAID,
        origin="user",
        handles=Handles(expires="2030-01-01T12:00:00.000Z"),
    ),
}


@pytest.mark.parametrize(("where", "left"), ASKED, ids=[str(each) for each, _ in ASKED])
def test_what_lies_in_no_index_is_let_in_by_the_same_filters(
    where: Mapping[str, object], left: set[str]
) -> None:
    asked = record_filter.of_text(record_filter.spelled(where))

    assert {text for text, its in RECORDS.items() if record_filter.matches(asked, its)} == left


def test_a_record_whose_time_nobody_knows_lies_in_no_span() -> None:
    filters: list[dict[str, object]] = [
        {"said_at": {"exists": False}},
        {"said_at": {"ne": "2026-03-01"}},
        {"time": {"exists": True}},
        {"time": "2026-03-01"},
    ]
    asked = [record_filter.of_text(record_filter.spelled(each)) for each in filters]

    told = [record_filter.matches(each, FilteredRecord(kind="fact")) for each in asked]

    assert told == [True, True, False, False]


@pytest.mark.parametrize("link", ["and", "or"])
def test_conditions_are_counted_wherever_they_stand(link: str) -> None:
    many = [{"tags": f"t{n}"} for n in range(record_filter.CONDITIONS_MAX)]
    record_filter.spelled({link: many})

    with pytest.raises(InputError, match="at most 64 conditions"):
        record_filter.spelled({link: [*many, {"not": {"speaker": "Bert"}}]})


@pytest.mark.parametrize(
    ("op", "inside"),
    [
        ("gt", {"2025-07-02T00:00:00.000Z"}),
        (
            "gte",
            {"2025-07-01T00:00:00.000Z", "2025-07-01T23:59:59.999Z", "2025-07-02T00:00:00.000Z"},
        ),
        ("lt", {"2025-06-30T23:59:59.999Z"}),
        (
            "lte",
            {"2025-06-30T23:59:59.999Z", "2025-07-01T00:00:00.000Z", "2025-07-01T23:59:59.999Z"},
        ),
        ("eq", {"2025-07-01T00:00:00.000Z", "2025-07-01T23:59:59.999Z"}),
        ("ne", {"2025-06-30T23:59:59.999Z", "2025-07-02T00:00:00.000Z"}),
    ],
)
def test_a_day_begins_and_ends_to_the_millisecond(op: str, inside: set[str]) -> None:
    asked = record_filter.of_text(record_filter.spelled({"said_at": {op: "2025-07-01"}}))
    edges = (
        "2025-06-30T23:59:59.999Z",
        "2025-07-01T00:00:00.000Z",
        "2025-07-01T23:59:59.999Z",
        "2025-07-02T00:00:00.000Z",
    )

    let_in = {
        each
        for each in edges
        if record_filter.matches(asked, FilteredRecord(kind="fact", said_at=each))
    }

    assert let_in == inside

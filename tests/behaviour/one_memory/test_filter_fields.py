"""A filter asks for who said a thing, in which talk, of what kind and when, and gets that alone."""

from collections.abc import Mapping

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.model import ids

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

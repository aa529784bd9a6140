"""Laws of relations over time: one employer at any moment, and now is a day like any other."""

import itertools
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock
from muniment.engine.api.agent import Agent
from muniment.retrieval.entities.entity_relation import SINGLE, EntityRelation

PEOPLE = ("Marta", "Karl")
FIRMS = ("Nordwind", "Bosch", "Siemens")
PHRASES = (
    "{who} works at {firm}",
    "{who} works for {firm} now",
    "{who} works at {firm} since 2019",
    "{who} joined {firm} last month",
    "{who} left {firm}",
    "{who} no longer works at {firm}",
    "{who} worked at {firm} in 2018",
    "{who} used to work at {firm}",
    "{who} retired",
    "{firm} went bankrupt",
    "From next month on {who} works at {firm}",
    "My wife is {who}",
    "My partner is {who}",
    "I broke up with {who}",
    "We broke up",
    "I live in {firm}",
    "I left {firm}",
)
told_once = st.tuples(
    st.sampled_from(PHRASES), st.sampled_from(PEOPLE), st.sampled_from(FIRMS), st.integers(0, 40)
)
lives = st.lists(told_once, min_size=1, max_size=7)


def lived(life: Sequence[tuple[str, str, str, int]]) -> tuple[Agent, str]:
    """Each sentence some days after the one before it; and the day of the last one."""
    clock = ToldClock()
    memory = open_memory(":memory:", Settings(clock=clock, seed=b"spans"))
    ada, day = memory.agent("ada", user="tuff"), 0
    for phrase, who, firm, later in life:
        day += later
        month, rest = divmod(day, 28)
        clock.set(f"2026-{month + 1:02}-{rest + 1:02}T09:00:00.000Z")
        ada.remember(phrase.format(who=who, firm=firm))
    return ada, clock.now()[:10]


def every(ada: Agent, valid_at: str = "") -> tuple[set[EntityRelation], set[EntityRelation]]:
    found = ada.entities(valid_at=valid_at)
    return (
        {each for entity in found for each in entity.relations},
        {each for entity in found for each in entity.ended},
    )


@given(lives)
def test_nobody_has_two_employers_two_homes_or_two_partners_at_any_moment(
    life: list[tuple[str, str, str, int]],
) -> None:
    ada, _ = lived(life)
    held, ended = every(ada)
    slots: dict[tuple[str, str], list[EntityRelation]] = {}
    for each in held | ended:
        if each.relation in SINGLE:
            slots.setdefault((each.subject, SINGLE[each.relation]), []).append(each)

    for spans in slots.values():
        lasting = [each for each in spans if each.since != each.until]
        for one, other in itertools.pairwise(sorted(lasting, key=lambda each: each.since)):
            assert one.until, (one, other)
            assert one.until <= other.since, (one, other)
    for each in ended:
        assert each.since <= each.until
        assert each.ended_by


@given(lives)
def test_what_is_so_now_is_what_is_so_today(
    life: list[tuple[str, str, str, int]],
) -> None:
    ada, today = lived(life)

    assert every(ada) == every(ada, today)


@given(lives, st.integers(0, 6))
def test_an_earlier_entry_is_read_as_if_nothing_had_followed(
    life: list[tuple[str, str, str, int]], kept: int
) -> None:
    first = life[: kept + 1]
    whole, _ = lived(life)
    short, today = lived(first)
    at = short.seq

    then = whole.entities(at=at)

    assert [each.name for each in then] == [each.name for each in short.entities()]
    assert {
        (each.subject, each.relation, each.object, each.since, each.until)
        for entity in then
        for each in entity.relations
    } == {
        (each.subject, each.relation, each.object, each.since, each.until)
        for entity in short.entities(valid_at=today)
        for each in entity.relations
    }

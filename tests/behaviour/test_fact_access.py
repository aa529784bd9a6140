"""Access to governed facts, at the one place where they are read: by reader, entry and day."""

import pytest
from tests.world import SteppingClock, events, hub, memory

from muniment.engine.api.memory import Memory
from muniment.engine.session import fact_access
from muniment.engine.session.fact_access import NOTHING_SETTLED
from muniment.model import ids
from muniment.model.commands import Remember
from muniment.model.events import FactSettled
from muniment.model.kinds.episode import Fact, Origin, Value
from muniment.model.policy import Policy
from muniment.model.policy.fact_readers import FactReader
from muniment.model.scope import council_stream

DRINK = "user/profile/user_tuff/drink"
CITY = "user/profile/user_tuff/city"
MIA = "user/profile/user_mia/drink"
COUNCIL = council_stream("main")
TUFF = FactReader("ada", "user_tuff")


def fact(key: str, value: Value = "tea", seq: int = 0) -> Fact:
    return Fact(key=key, value=value, source="user", last_updated="", seq=seq)


def places(of: Memory) -> list[int]:
    """The entries of the council's log that settled a fact."""
    told = enumerate(events(of, "council"), start=1)
    return [seq for seq, event in told if isinstance(event, FactSettled)]


def known(facts: list[Fact]) -> dict[str, object]:
    return {each.key: each.value for each in facts}


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


@pytest.fixture
def lived(clock: SteppingClock) -> Memory:
    of = memory(clock=clock)
    tuff = of.agent("ada", user="tuff")
    tuff.sem_put(DRINK, "tea")
    clock.later(30)
    tuff.sem_put(DRINK, "coffee")
    tuff.sem_put(CITY, "Porto")
    of.agent("ada", user="mia").sem_put(MIA, "milk")
    return of


def test_a_reader_sees_the_facts_of_an_entry_whichever_was_asked_for_before(lived: Memory) -> None:
    first, _, _, last = places(lived)
    access = hub(lived).facts

    for at, seen in [
        (last, {DRINK: "coffee", CITY: "Porto"}),
        (first, {DRINK: "tea"}),
        (last, {DRINK: "coffee", CITY: "Porto"}),
    ]:
        assert known(access.seen_by(TUFF, COUNCIL, at).facts) == seen


def test_who_audits_sees_everybodys_facts_of_an_entry_by_key(lived: Memory) -> None:
    first, _, _, last = places(lived)
    access = hub(lived).facts

    assert [each.value for each in access.audited(COUNCIL, last)] == ["milk", "Porto", "coffee"]
    assert known(access.audited(COUNCIL, first)) == {DRINK: "tea"}
    assert known(access.audited(COUNCIL, last - 1)) == {DRINK: "coffee", CITY: "Porto"}


def test_who_audits_sees_the_facts_of_a_day_as_far_as_was_known_at_an_entry(
    lived: Memory, clock: SteppingClock
) -> None:
    first, _, _, last = places(lived)
    access = hub(lived).facts
    today = ids.day_number(clock.now())

    assert known(access.audited(COUNCIL, last, today - 20)) == {DRINK: "tea"}
    assert known(access.audited(COUNCIL, last, today)) == {
        DRINK: "coffee",
        CITY: "Porto",
        MIA: "milk",
    }
    assert known(access.audited(COUNCIL, first, today)) == {DRINK: "tea"}
    assert access.audited(COUNCIL, last, today - 31) == []


def test_a_reader_sees_their_own_facts_of_a_day_as_far_as_was_known_at_an_entry(
    lived: Memory, clock: SteppingClock
) -> None:
    first, _, _, last = places(lived)
    access = hub(lived).facts
    today = ids.day_number(clock.now())

    now = known(access.seen_on(TUFF, COUNCIL, last, today))
    assert now == {DRINK: "coffee", CITY: "Porto"}
    assert known(access.seen_on(TUFF, COUNCIL, last, today - 20)) == {DRINK: "tea"}
    assert known(access.seen_on(TUFF, COUNCIL, first, today)) == {DRINK: "tea"}


def test_before_the_first_entry_nobody_sees_anything(lived: Memory) -> None:
    access = hub(lived).facts
    today = ids.day_number(SteppingClock().now()) + 30

    assert access.seen_by(TUFF, COUNCIL, 0) is NOTHING_SETTLED
    assert access.seen_on(TUFF, COUNCIL, 0, today) == []
    assert access.audited(COUNCIL, 0) == []
    assert access.audited(COUNCIL, 0, today) == []


def test_what_was_read_once_is_handed_out_again_until_something_changes(lived: Memory) -> None:
    access, last = hub(lived).facts, places(lived)[-1]
    before = access.seen_by(TUFF, COUNCIL, last)

    assert access.seen_by(TUFF, COUNCIL, last) is before

    lived.agent("ada", user="tuff").sem_put(CITY, "Lisbon")
    after = access.seen_by(TUFF, COUNCIL, places(lived)[-1])
    assert known(after.facts) == {DRINK: "coffee", CITY: "Lisbon"}
    assert after.stamp != before.stamp


def test_what_is_kept_can_be_dropped_and_is_read_again(lived: Memory) -> None:
    access, last = hub(lived).facts, places(lived)[-1]
    before, all_ = access.seen_by(TUFF, COUNCIL, last), access.audited(COUNCIL, last)

    access.clear()

    after = access.seen_by(TUFF, COUNCIL, last)
    assert after == before
    assert after is not before
    assert access.audited(COUNCIL, last) == all_


# ── What a person's own words say otherwise ─────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "origin", "otherwise"),
    [
        ("My drink is coffee", Origin.USER, (DRINK,)),
        ("My drink is Tea", Origin.USER, ()),
        ("It rains", Origin.USER, ()),
        ("My drink is coffee", Origin.TOOL, ()),
    ],
)
def test_words_of_a_person_contradict_the_facts_that_have_another_value(
    text: str, origin: Origin, otherwise: tuple[str, ...]
) -> None:
    said = Remember(text=text, origin=origin, subject="user_tuff")
    facts = [fact(CITY, "Lisbon"), fact(DRINK, "tea"), fact("user/profile/user_tuff/pet", "Rex")]

    found = fact_access.contradicted(said, lambda: facts, Policy)

    assert found == otherwise


def test_an_attribute_is_compared_in_its_one_spelling() -> None:
    said = Remember(text="My favourite colour is red", origin=Origin.USER, subject="user_tuff")
    facts = [fact("user/profile/user_tuff/favorite_color", "blue")]

    assert fact_access.contradicted(said, lambda: facts, Policy) == (facts[0].key,)


# ── What was granted to one persona alone ───────────────────────────────────────────────────────


def test_what_was_granted_is_added_by_key_and_replaces_nothing() -> None:
    facts = [fact("world/b/b/b", 1), fact("world/d/d/d", 2)]
    granted = [fact("world/c/c/c", 3), fact("world/b/b/b", 4), fact("world/a/a/a", 5)]

    together = fact_access.with_granted(facts, granted)

    assert [(each.key[6], each.value) for each in together] == [
        ("a", 5), ("b", 1), ("c", 3), ("d", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("granted", [[], [fact("world/b/b/b", 4)]])
def test_without_anything_new_the_facts_stay_the_very_same(granted: list[Fact]) -> None:
    facts = [fact("world/b/b/b", 1)]

    assert fact_access.with_granted(facts, granted) is facts

"""Skills from repeated work: what a skill says, and how its confidence moves with use and rest."""

import msgspec
import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.model.kinds.skill import Example, Skill
from muniment.model.policy import Policy
from muniment.model.policy.maintenance import Compaction
from muniment.rules import skills

CITIES = ("Lisbon", "Porto", "Faro", "Braga", "Sintra")


def book(agent: Agent, city: str, *, tool: str = "search", fails: bool = False) -> None:
    with agent.do(f"Please book a ferry to {city}") as doing:
        doing.tool_result(doing.tool_call(tool, {"to": city, "seats": 2}), [city])
        doing.tool_result(doing.tool_call("book", {"ferry": city}), {"seat": 4, "at": "08:35"})
        if fails:
            doing.observe_event("error", "the ferry is full")
        else:
            doing.answer(f"You are going to {city}.")


def only(found: list[Skill]) -> Skill:
    (skill,) = found
    return skill


def without(**changes: object) -> Policy:
    return Policy(compaction=msgspec.structs.replace(Compaction(), **changes))


@pytest.mark.covers("D-041", "D-078")
def test_three_consistent_repeats_are_a_skill_and_it_says_everything_about_itself() -> None:
    ada = world.memory().agent("ada", user="tuff")
    for city in CITIES[:2]:
        book(ada, city)
    assert ada.skills() == []

    book(ada, CITIES[2])
    skill = only(ada.skills())

    assert skill.name == "search, then book"
    assert skill.description == "Call search with seats = 2 and to, then book with ferry."
    assert skill.preconditions == ("a", "book", "ferry", "please", "to")
    assert skill.steps == ("search", "book")
    assert skill.postconditions == ("are", "going", "to", "you")
    assert skill.parameters == ("ferry", "to")
    assert skill.returns == "object(at, seat)"
    assert skill.examples[0] == Example(
        asked="Please book a ferry to Lisbon", answered="You are going to Lisbon."
    )
    assert len(skill.examples) == len(skill.evidence) == skill.frequency == 3
    assert (skill.confidence_ppm, skill.uses) == (1_000_000, 0)
    assert skill.last_used == skill.last_seen


def test_a_context_offers_a_skill_for_what_it_does_and_not_for_how_questions_begin() -> None:
    ada = world.memory().agent("ada", user="tuff")
    for city in CITIES[:3]:
        book(ada, city)

    offered = ada.context("Book me a seat", budget=800).text
    other = ada.context("To whom do I owe a letter?", budget=800).text

    assert "When asked with the words book, ferry, please: call search" in offered
    assert "## skills" not in other


@pytest.mark.parametrize(
    ("outcomes", "confidence_ppm", "uses"),
    [
        ("ww", 0, 0),  # twice is chance
        ("www", 1_000_000, 0),  # three perfect repeats are certain, not 0.6
        ("wfww", 750_000, 0),  # of four loops three worked
        ("wwww", 1_000_000, 1),  # half of what it was, half of how the first use went
        ("wwwf", 500_000, 1),
        ("wwwfw", 550_000, 2),  # then a little up
        ("wwwfwf", 450_000, 3),  # and twice as much down
        ("www" + "w" * 30, 1_000_000, 30),
        ("www" + "f" * 30, 0, 30),
    ],
)
def test_confidence_follows_use(outcomes: str, confidence_ppm: int, uses: int) -> None:
    told = skills.confidence_ppm([each == "w" for each in outcomes])

    assert told == (confidence_ppm, uses)


def test_a_use_that_fails_is_told_by_the_skill_and_its_frequency_stays() -> None:
    ada = world.memory().agent("ada", user="tuff")
    for city in CITIES[:3]:
        book(ada, city)
    book(ada, "Braga", fails=True)

    skill = only(ada.skills())

    assert (skill.frequency, skill.uses, skill.confidence_ppm) == (3, 1, 500_000)
    assert skill.last_used != skill.last_seen
    assert (skill.failures, skill.failed_with) == (1, ("the ferry is full",))


def test_a_skill_in_words_says_when_how_what_for_and_when_it_failed() -> None:
    ada = world.memory().agent("ada", user="tuff")
    for city in CITIES[:3]:
        book(ada, city)
    book(ada, "Braga", fails=True)

    told = ada.context("Book me a ferry", budget=800).text

    for said in (
        "When asked with the words book, ferry, please: call search with seats = 2 and to,",
        "then book with ferry. Gives object(at, seat).",
        "Done 3 times without an error, last on ",
        "Failed once, lately with: the ferry is full.",
    ):
        assert said in told, said


def test_what_was_done_hundreds_of_times_is_no_answer_to_where_somebody_works() -> None:
    ada = world.memory().agent("ada", user="tuff")
    ada.remember("I work at the harbour office.", origin="user")
    for n in range(9):
        with ada.do(f"Look up the tide of day {n}") as doing:
            doing.tool_result(doing.tool_call("web_search", {"q": f"tide {n}"}), "high at noon")
            doing.answer(f"On day {n} it is high at noon.")
    assert only(ada.skills()).frequency == 9
    ada.compact()

    hits = [hit.text for hit in ada.recall("Where do I work?").hits]

    assert "harbour office" in hits[0]
    assert not any("web_search" in each for each in hits)
    assert "web_search" not in ada.context("Where do I work?", budget=800).text


def test_thirty_idle_days_keep_95_of_100_parts() -> None:
    clock = world.SteppingClock()
    of = world.memory(clock=clock)
    ada = of.agent("ada", user="tuff")
    for city in CITIES[:3]:
        book(ada, city)
    eyes = (ada, of.actor_view("ada"), of.subconscious_view("ada"))

    def sure() -> set[int]:
        """Whoever looks is told the same."""
        return {only(each.skills()).confidence_ppm for each in eyes}

    assert sure() == {1_000_000}
    clock.later(29)
    assert sure() == {1_000_000}
    clock.later(2)
    assert sure() == {950_000}
    clock.later(30)
    assert sure() == {902_500}
    clock.later(-3_000)  # set back: as sure as on the day it was last done
    assert sure() == {1_000_000}
    clock.later(103_000)
    assert sure() == {0}


@pytest.mark.covers("D-082")
def test_the_policy_can_switch_extraction_off() -> None:
    off = world.memory(without(enable_skill_extraction=False))
    ada = off.agent("ada", user="tuff")
    for city in CITIES:
        book(ada, city)

    assert ada.skills() == []
    assert "skills" not in off.subconscious("ada").dream().done.get("actor", {})
    assert Policy().compaction.enable_skill_extraction is True


def test_how_many_repeats_it_takes_and_how_many_skills_are_kept_is_policy() -> None:
    eager = world.memory(without(skill_repeats_min=2, skills_max=1)).agent("ada", user="tuff")
    for city in CITIES[:2]:
        book(eager, city, tool="look")
        book(eager, city, tool="find")
    book(eager, CITIES[2], tool="find")

    assert only(eager.skills()).steps == ("find", "book")  # as sure, but more frequent

"""Summaries of loops and skills, by hand: of whom, as of when, and without what was forgotten."""

from typing import Any

import msgspec
import pytest
from tests import world
from tests.behaviour.seed_002.test_loop_reader_by_hand import ADA, DAYS, Place

from muniment.engine.session.loop_reader import Library
from muniment.model.kinds.loop import idetic_id, mirror_id
from muniment.model.policy import Policy
from muniment.model.policy.identity import Heuristics, Identity, Memories
from muniment.model.policy.maintenance import Compaction
from muniment.model.scope import Persona
from muniment.retrieval.scoring.fuzzy import Likeness
from muniment.rules import skills

# ── Loop summaries ──────────────────────────────────────────────────────────────────────────────


def test_the_last_loops_that_ended_are_told_the_newest_first() -> None:
    place = Place()
    loops = []
    for each in "abc":
        loops.append(place.done(each))
        place.later()
    still_open = place.agent().do("d")
    mine = place.library("tuff")

    assert [each.loop_id for each in mine.summaries(9)] == loops[::-1]
    assert [each.loop_id for each in mine.summaries(2)] == [loops[2], loops[1]]
    assert mine.summaries(0) == []
    assert [each.loop_id for each in mine.summaries(1, until=DAYS[1])] == [loops[1]]
    assert mine.summaries(9, until="2026-01-01") == []
    assert [each.loop_id for each in mine.summaries(9, until=DAYS[2])] == loops[::-1]
    still_open.commit()
    assert [each.loop_id for each in mine.summaries(1)] == [still_open.loop_id]


def test_as_of_an_entry_the_loops_are_those_that_had_ended_there() -> None:
    place = Place()
    first = place.done("a")
    then = place.of.head(ADA)
    place.done("b")
    mine = place.library("tuff")

    assert [each.loop_id for each in mine.summaries(9, then)] == [first]
    assert mine.summaries(9, then - 2) == []
    assert place.library("mia").summaries(9) == []


def test_a_summary_is_the_one_that_is_kept_and_one_that_is_owed_is_made_while_reading() -> None:
    kept, owed = Place(), Place()
    kept.switch.telling = "kept: "
    owed.quiet()
    for each in (kept, owed):
        each.done("the kite")

    (one,), (other,) = (each.library("tuff").summaries(9) for each in (kept, owed))

    assert one.summary == "user_input: kept: the kite\nactor_output: kept: done: the kite"
    assert other.summary == "user_input: the kite\nactor_output: done: the kite"
    assert msgspec.structs.replace(one, summary=other.summary) == other


def test_a_summary_is_told_anew_where_something_of_it_is_gone_by_then() -> None:
    place = Place()
    place.switch.telling = "kept: "
    place.done("the kite", "is red")
    mine, heads = place.library("tuff"), [place.of.head(ADA)]
    for each in mine.events():
        place.agent().forget(mirror_id(each.id))
        heads.append(place.of.head(ADA))

    told = [[each.summary for each in mine.summaries(9, at)] for at in heads]

    assert told == [
        ["user_input: kept: the kite\nactor_output: kept: is red"],
        ["actor_output: is red"],
        [],
    ]


def test_a_summary_without_a_collection_is_made_while_reading() -> None:
    place = Place()
    mine = place.library("tuff")
    with place.agent().job() as job:
        job.observe_event("system_event", "x")
    store = place.hub.parts.store
    other = world.memory(store=store, keyring=place.hub.parts.world.keyring, clock=place.clock)
    assert Library(world.hub(other), ADA, "user_tuff").summaries(9) == mine.summaries(9)


def test_what_was_forgotten_of_a_loop_is_not_in_its_summary() -> None:
    place = Place()
    loop = place.done("the kite", "is red")
    then = place.of.head(ADA)
    mine = place.library("tuff")
    first, last = mine.events()
    before = mine.summaries(9)

    place.agent().forget(mirror_id(last.id))

    (found,) = mine.summaries(9)
    assert (found.loop_id, found.summary) == (loop, "user_input: the kite")
    assert [idetic_id(each) for each in found.mirror_ids] == [first.id]
    assert mine.summaries(9, then) == before
    place.agent().forget(mirror_id(first.id))
    assert mine.summaries(9) == []


def test_summaries_are_searched_by_the_rules_of_whoever_reads() -> None:
    actor = Heuristics(stm_window_size=1, threshold=0, top_k=5)
    place = Place(Policy(identity=Identity(memory=Memories(actor=actor))))
    loops = []
    for each in ("the kite is red", "the lamp is red", "the vase is blue"):
        loops.append(place.done(each))
        place.later()
    mine = place.library("tuff")

    def found(**asked: Any) -> list[str]:  # noqa: ANN401
        known = mine.fuzzy_query("the kite is red", asked.pop("changes", {}), **asked)
        return [each.summary.loop_id for each in known]

    assert mine.heuristics(Persona.ACTOR, {}) == actor
    assert mine.heuristics(Persona.ACTOR, {"top_k": 3}).top_k == 3
    assert mine.heuristics(Persona.SUBCONSCIOUS, {}).stm_window_size == 50
    assert found(reader=Persona.ACTOR) == [loops[2]]
    assert found(reader=Persona.ACTOR, until=DAYS[0]) == [loops[0]]
    wide = {"stm_window_size": 9, "threshold": 60, "recency_weight_ppm": 0}
    assert found(reader=Persona.ACTOR, changes=wide)[0] == loops[0]
    assert set(found(reader=Persona.SUBCONSCIOUS, changes={"threshold": 0})) == set(loops)
    assert found(reader=Persona.SUBCONSCIOUS, changes={"threshold": 0}, at=place.of.head(ADA) - 1)
    assert found(reader=Persona.SUBCONSCIOUS, at=3) == []


def test_without_a_clock_the_newest_loop_is_now() -> None:
    place = Place()
    for each in ("the kite is red", "the lamp is red"):
        place.done(each)
        place.later()
    mine = place.library("tuff")
    (newest, _) = mine.summaries(2)

    def scores(**asked: Any) -> list[Likeness]:  # noqa: ANN401
        rules = {"threshold": 0, "recency_half_life_seconds": 3600}
        return mine.fuzzy_query("the kite is red", rules, reader=Persona.ACTOR, **asked)

    assert scores() == scores(as_of=newest.ts_end)
    assert scores() != scores(as_of="2026-12-01T00:00:00.000Z")
    assert place.library("mia").fuzzy_query("x", {}, reader=Persona.ACTOR) == []


# ── Skills ──────────────────────────────────────────────────────────────────────────────────────


def skilled(policy: Policy | None = None) -> tuple[Place, list[str]]:
    place, loops = Place(policy), []
    for city in ("Lisbon", "Porto", "Faro"):
        loops.append(place.skilled(city))
        place.later()
    return place, loops


def test_what_was_done_three_times_is_a_skill_of_each_person() -> None:
    place, loops = skilled()
    for city in ("Lisbon", "Porto"):
        place.skilled(city, user="mia")

    (skill,) = place.library("tuff").skills()

    assert (skill.steps, skill.evidence) == (("search",), tuple(loops))
    assert place.library("mia").skills() == []
    practised = place.library().practised()
    assert {who: len(told) for who, told in practised.items()} == {"user_tuff": 1, "user_mia": 0}
    assert place.library().skills() == [skill] == list(practised["user_tuff"])
    place.skilled("Faro", user="mia")
    assert len(place.library().skills()) == 2


def test_a_skill_is_that_of_then_and_of_a_day_and_of_loops_that_ended() -> None:
    place, loops = skilled()
    then = place.of.head(ADA)
    mine = place.library("tuff")
    running = place.agent().do("book a ferry")
    running.tool_result(running.tool_call("search", {"to": "Braga"}), "at nine")
    running.answer("to Braga")

    assert mine.skills()[0].frequency == 3
    running.commit()
    assert mine.skills()[0].evidence == (*loops, running.loop_id)
    assert mine.skills(then)[0].evidence == tuple(loops)
    assert mine.skills(then - 1) == []
    assert mine.skills(until=DAYS[1]) == []
    assert mine.skills(until=DAYS[2])[0].evidence == tuple(loops)
    assert mine.skills(then, until=DAYS[1]) == []


def test_what_was_forgotten_counts_for_no_skill() -> None:
    place, _ = skilled()
    mine = place.library("tuff")
    then = place.of.head(ADA)
    assert len(mine.skills()) == 1
    call = next(each for each in mine.events() if each.kind == "tool_call")

    place.agent().forget(mirror_id(call.id))

    assert mine.skills() == []
    assert len(mine.skills(then)) == 1


def test_a_loop_ends_with_the_last_of_its_events() -> None:
    place, _ = skilled()
    slow = place.agent().do("book a ferry")
    slow.tool_result(slow.tool_call("search", {"to": "Braga"}), "Braga at eight")
    place.later()
    slow.answer("to Braga")
    slow.commit()
    mine = place.library("tuff")

    assert [mine.skills(until=each)[0].frequency for each in ("2026-09-23", "2026-09-24")] == [3, 3]
    assert mine.skills(until="2026-09-25")[0].frequency == 4


def test_one_event_is_no_skill() -> None:
    place = Place()
    with place.agent().do("fold the kite"):
        pass

    assert place.library("tuff").skills() == []


def test_a_skill_is_known_by_its_collection_and_its_person() -> None:
    place, _ = skilled()
    for city in ("Lisbon", "Porto", "Faro"):
        place.skilled(city, user="mia")
    mine = place.library("tuff")
    loops = [[its for its in mine.events() if its.loop_id == each] for each in _order(mine)]

    (expected,) = skills.extract("ada__actor__ltm", "user_tuff", loops)

    assert mine.skills() == [expected]
    assert len({each.skill_id for each in place.library().skills()}) == 2


def _order(mine: Library) -> list[str]:
    return list(dict.fromkeys(each.loop_id for each in mine.events()))


def test_skills_that_are_known_are_not_worked_out_again() -> None:
    place, _ = skilled()
    mine = place.library("tuff")

    first = mine.practised()

    assert mine.practised() is first
    assert mine.practised(until=DAYS[3]) is not first
    assert mine.practised() == first


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        ({}, 1),
        ({"enable_skill_extraction": False}, 0),
        ({"skill_repeats_min": 4}, 0),
        ({"skill_repeats_min": 2}, 1),
    ],
)
def test_what_a_skill_is_the_policy_says(rules: dict[str, Any], count: int) -> None:
    place, _ = skilled(Policy(compaction=Compaction(**rules)))

    assert len(place.library("tuff").skills()) == count


def test_a_person_has_so_many_skills_as_the_policy_says() -> None:
    place, _ = skilled(Policy(compaction=Compaction(skills_max=1)))
    for city in ("Braga", "Porto", "Faro"):
        with place.agent().do("hire a car") as loop:
            loop.tool_result(loop.tool_call("hire", {"in": city}), "hired")
            loop.answer(f"in {city}")

    assert len(place.library("tuff").skills()) == 1

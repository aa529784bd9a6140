"""Skills: what was done the same way three times, for one person, and how surely it works."""

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.commands.loops import ExtractSkill
from muniment.model.events import WriteDenied
from muniment.model.events.loops import SkillExtracted
from muniment.model.kinds.skill import Constant, Skill
from muniment.model.scope import Persona, agent_stream, collection_stream

PLACE = collection_stream(agent_stream("main", "ada"))
CITIES = ("Lisbon", "Porto", "Faro", "Braga", "Évora")


def book(agent: Agent, city: str, **more: object) -> str:
    """One loop of two tools; returns its id."""
    with agent.do(f"Please book a ferry to {city}") as doing:
        found = doing.tool_call("search", {"to": city, "seats": 2, **more})
        doing.tool_result(found, f"{city} at eight")
        doing.tool_result(doing.tool_call("book", {"ferry": city}), "booked")
        doing.answer(f"You are going to {city}.")
    return doing.loop_id


def fail(agent: Agent, city: str) -> None:
    """The same tools, and it went wrong."""
    with agent.do(f"Please book a ferry to {city}") as doing:
        doing.tool_call("search", {"to": city, "seats": 2})
        doing.tool_call("book", {"ferry": city})
        doing.observe_event("error", "the ferry is full")


def recorded(memory: Memory) -> list[SkillExtracted]:
    return [e.event for e in memory.log(PLACE) if isinstance(e.event, SkillExtracted)]


def holds(memory: Memory) -> bool:
    return memory.rebuild() == {proof.stream: proof.projections for proof in memory.prove()}


def erase(memory: Memory, user: str) -> None:
    eraser = memory.eraser()
    request = eraser.request(user, reason="asked")
    memory.council().approve(request)
    eraser.carry_out(request)


def only(found: list[Skill]) -> Skill:
    (skill,) = found
    return skill


def test_twice_is_chance_and_three_times_is_a_skill() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    loops = [book(ada, city) for city in CITIES[:2]]
    assert ada.skills() == []
    assert "skills" not in memory.subconscious("ada").dream().done.get("actor", {})

    loops.append(book(ada, CITIES[2]))
    skill = only(ada.skills())

    assert skill.name == "search, then book"
    assert skill.steps == ("search", "book")
    assert skill.preconditions == ("a", "book", "ferry", "please", "to")
    assert skill.parameters == ("ferry", "to")
    assert skill.constants == (Constant(name="seats", value="2"),)
    assert (skill.frequency, skill.confidence_ppm) == (3, 1_000_000)
    assert skill.evidence == tuple(loops)
    events = memory.actor_view("ada").get_range()
    assert skill.last_seen == [each.ts for each in events if each.loop_id == loops[-1]][-1]


def test_a_loop_that_is_still_open_is_no_repeat_yet() -> None:
    ada = world.memory().agent("ada")
    before = [book(ada, city) for city in CITIES[:2]]
    doing = ada.do("Please book a ferry to Faro")
    doing.tool_call("search", {"to": "Faro", "seats": 2})
    doing.tool_call("book", {"ferry": "Faro"})
    assert ada.skills() == []

    doing.commit()
    assert only(ada.skills()).evidence == (*before, doing.loop_id)


def test_a_repeat_that_fails_lowers_confidence_and_is_not_counted() -> None:
    ada = world.memory().agent("ada", user="tuff")
    for city in CITIES[:2]:
        book(ada, city)
    fail(ada, "Faro")
    assert ada.skills() == []  # two of three worked

    book(ada, "Braga")
    assert (only(ada.skills()).frequency, only(ada.skills()).confidence_ppm) == (3, 750_000)


def test_another_order_or_another_argument_is_another_procedure() -> None:
    ada = world.memory().agent("ada", user="tuff")
    for city in CITIES[:2]:
        book(ada, city)
    book(ada, "Faro", car=True)
    with ada.do("Please book a ferry to Braga") as doing:
        doing.tool_call("book", {"ferry": "Braga"})
        doing.tool_call("search", {"to": "Braga", "seats": 2})
    for _ in range(3):  # and a call without a name is no step of anything
        with ada.job() as job:
            job.observe_event("tool_call", "something")
    assert ada.skills() == []

    book(ada, "Évora")
    assert only(ada.skills()).confidence_ppm == 1_000_000


def test_a_fourth_repeat_is_a_new_version_of_the_same_skill() -> None:
    memory = world.memory()
    ada, below = memory.agent("ada", user="tuff"), memory.subconscious("ada")
    for city in CITIES[:3]:
        book(ada, city)
    assert below.dream().done["actor"]["skills"] == 1
    first, there = only(ada.skills()), ada.seq

    book(ada, CITIES[3], seats=3)
    assert below.dream().done["actor"]["skills"] == 1
    then = only(ada.skills())

    assert then.skill_id == first.skill_id
    assert (then.frequency, then.parameters) == (4, ("ferry", "seats", "to"))
    assert [each.frequency for each in recorded(memory)] == [3, 4]
    hub = world.hub(memory)
    (alive,) = hub.writer(PLACE).shelves().newest("skills")
    assert isinstance(alive.event, SkillExtracted)
    assert alive.event.frequency == 4
    assert ada.skills(at=there) == [first]  # the past is as it was
    assert holds(memory)


def test_a_dream_writes_a_skill_down_once_and_the_actor_cannot_tell() -> None:
    memory = world.memory()
    ada, below = memory.agent("ada", user="tuff"), memory.subconscious("ada")
    for city in CITIES[:3]:
        book(ada, city)
    before = memory.actor_view("ada").skills(), memory.agent("ada", user="tuff").skills(), ada.seq
    assert before[0] == before[1]

    told = below.dream()
    assert (told.done["actor"]["skills"], told.owed["actor"]["skills"]) == (1, 1)
    after = memory.actor_view("ada").skills(), memory.agent("ada", user="tuff").skills(), ada.seq
    assert before == after
    (written,) = recorded(memory)
    assert {name: getattr(written, name) for name in Skill.__struct_fields__} == {
        name: getattr(before[0][0], name) for name in Skill.__struct_fields__
    }

    assert "skills" not in below.dream().done.get("actor", {})
    assert len(recorded(memory)) == 1
    assert holds(memory)


def test_two_that_dream_at_once_write_a_version_once() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    for city in CITIES[:3]:
        book(ada, city)
    command = ExtractSkill(skill=only(ada.skills()), subject="user_tuff")
    for _ in range(2):  # both have seen that it is owed
        world.hub(memory).derivation.tell(agent_stream("main", "ada"), [command])

    assert len(recorded(memory)) == 1
    denied = [e.event for e in memory.log(PLACE) if isinstance(e.event, WriteDenied)]
    assert [each.reason for each in denied] == ["skill_exists"]
    assert "skills" not in memory.subconscious("ada").dream().done.get("actor", {})
    assert holds(memory)


def test_one_persons_loops_are_neither_told_to_another_nor_counted_with_theirs() -> None:
    memory = world.memory()
    tuff, mia = memory.agent("ada", user="tuff"), memory.agent("ada", user="mia")
    for city in CITIES[:2]:
        book(tuff, city)
        book(mia, city)
    assert memory.actor_view("ada").skills() == []  # four alike, two of each

    book(tuff, "Faro")
    memory.subconscious("ada").dream()
    assert mia.skills() == []
    assert only(tuff.skills()).frequency == 3

    book(mia, "Braga")
    memory.subconscious("ada").dream()
    assert only(mia.skills()).skill_id != only(tuff.skills()).skill_id
    assert not set(only(mia.skills()).evidence) & set(only(tuff.skills()).evidence)
    assert len(memory.subconscious_view("ada").skills()) == 2
    assert len(list(world.hub(memory).writer(PLACE).shelves().newest("skills"))) == 2


def test_the_actor_has_its_own_skills_and_the_subconscious_sees_both() -> None:
    memory = world.memory()
    ada, below = memory.agent("ada"), memory.subconscious("ada")
    for city in CITIES[:3]:
        book(ada, city)
        with below.job() as job:
            job.observe_event("subconscious_prompt", f"tidy {city}")
            job.observe_event("tool_call", "sweep", {"tool_name": "sweep", "tool_args": city})
    assert below.dream().done["subconscious"]["skills"] == 1

    assert [each.steps for each in ada.skills()] == [("search", "book")]
    assert [each.steps for each in memory.actor_view("ada").skills()] == [("search", "book")]
    assert [each.steps for each in below.view.skills()] == [("search", "book"), ("sweep",)]
    own = only(below.view.skills(Persona.SUBCONSCIOUS))
    assert (own.preconditions, own.parameters) == (("tidy",), ("value",))


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("window", '"window"'),
        (True, "true"),
        ("write to mail@example.com", ""),  # something was taken out of it
        (["a", "list"], ""),
        ("x" * 500, ""),
    ],
)
def test_the_value_of_a_constant_is_kept_only_where_it_is_plain(value: object, kept: str) -> None:
    ada = world.memory().agent("ada", user="tuff")
    for city in CITIES[:3]:
        book(ada, city, extra=value)

    assert only(ada.skills()).constants[0] == Constant(name="extra", value=kept)


def test_what_was_taken_out_of_an_input_is_no_precondition() -> None:
    ada = world.memory().agent("ada", user="tuff")
    for _ in range(3):
        with ada.do("write to mail@example.com") as doing:
            doing.tool_call("send")

    assert only(ada.skills()).preconditions == ("to", "write")


def test_the_log_tells_counters_in_the_open_and_everything_else_sealed() -> None:
    memory = world.memory()
    for city in CITIES[:3]:
        book(memory.agent("ada", user="tuff"), city)
    memory.subconscious("ada").dream()
    (line,) = [e for e in memory.log(PLACE) if isinstance(e.event, SkillExtracted)]
    store = world.hub(memory).parts.store
    (entry,) = store.read(
        world.hub(memory).writer(PLACE).stream.ref, after=line.seq - 1, upto=line.seq
    )

    assert b'"frequency":3' in entry.header
    for hidden in (b"search", b"ferry", b"skill:"):
        assert hidden not in entry.header


def test_erasing_a_person_takes_their_skills_along() -> None:
    memory = world.memory()
    for user in ("tuff", "mia"):
        for city in CITIES[:3]:
            book(memory.agent("ada", user=user), city)
    below = memory.subconscious("ada")
    assert below.dream().done["actor"]["skills"] == 2
    assert len(below.view.skills()) == 2

    erase(memory, "tuff")

    kept = only(memory.agent("ada", user="mia").skills())
    assert below.view.skills() == memory.actor_view("ada").skills() == [kept]
    assert [each.skill_id for each in recorded(memory)] == [kept.skill_id]
    assert "skills" not in below.dream().done.get("actor", {})
    assert memory.agent("ada", user="tuff").skills() == []
    assert holds(memory)

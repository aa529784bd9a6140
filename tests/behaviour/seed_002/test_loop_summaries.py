"""Loop summaries: one for each loop, a rolling window of them, searched by likeness."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz import fuzz
from tests import world
from tests.world import SteppingClock

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model import fixed_point, ids
from muniment.model.commands.loops import SummariseLoop
from muniment.model.errors import InputError
from muniment.model.events import Recalled, WriteDenied
from muniment.model.events.loops import LoopSummarised
from muniment.model.kinds.loop import EventKind, LoopSummary, Mark, Visibility, mirror_id
from muniment.model.policy.identity import Heuristics, SubconsciousHeuristics
from muniment.model.scope import Persona, agent_stream, collection_stream
from muniment.retrieval.scoring import fuzzy

LOOSE = Heuristics(threshold=0)
ADA = agent_stream("main", "ada")
PLACE = collection_stream(ADA)


@pytest.fixture
def memory() -> Memory:
    return world.memory(clock=SteppingClock())


@pytest.fixture
def ada(memory: Memory) -> Agent:
    return memory.agent("ada")


def say(ada: Agent, task: str, answer: str = "done") -> str:
    with ada.do(task) as doing:
        doing.answer(answer)
    return doing.loop_id


def summarised(memory: Memory) -> list[LoopSummarised]:
    return [e.event for e in memory.log(PLACE) if isinstance(e.event, LoopSummarised)]


@pytest.mark.covers("C-008", "C-027", "C-038")
def test_a_loop_has_exactly_one_summary_once_it_has_ended(memory: Memory, ada: Agent) -> None:
    doing = ada.do("book a table")
    assert summarised(memory) == []
    doing.answer("booked")
    doing.commit()
    say(ada, "water the plants")

    found = summarised(memory)
    assert [each.loop_id for each in found] == [doing.loop_id, found[1].loop_id]
    assert found[0].summary == "user_input: book a table\nactor_output: booked"
    assert found[0].ts_start < found[0].ts_end
    assert found[0].complete


@pytest.mark.covers("C-028", "C-038")
def test_a_summary_points_to_the_mirror_of_everything_in_its_loop(
    memory: Memory, ada: Agent
) -> None:
    with ada.do("find it") as doing:
        doing.tool_result(doing.tool_call("search"), "found")
        doing.answer("here")
    say(ada, "another")
    view = memory.actor_view("ada")
    events = [event for event in view.get_range() if event.loop_id == doing.loop_id]
    (_, first) = view.loops()

    assert first.mirror_ids == tuple(mirror_id(event.id) for event in events)
    known = {hit.entry.id for hit in ada.rag_query("find search found here", {"top_k": 50})}
    assert set(first.mirror_ids) <= known


@pytest.mark.covers("C-027")
def test_finalising_again_changes_nothing(memory: Memory, ada: Agent) -> None:
    loop_id = say(ada, "book a table")
    derivation, head = world.hub(memory).derivation, memory.head(PLACE)

    assert derivation.summarise(ADA, [loop_id]) == 0
    assert memory.head(PLACE) == head
    # And a second summary that is told all the same is refused.
    derivation.tell(
        ADA,
        [
            SummariseLoop(
                loop_id=loop_id,
                source_seq=1,
                ts_start="",
                ts_end="",
                summary="another",
                mirror_ids=(),
                marks=(),
                complete=True,
            )
        ],
    )
    assert len(summarised(memory)) == 1
    refused = memory.log(PLACE)[-1].event
    assert isinstance(refused, WriteDenied)
    assert refused.reason == "summary_exists"


def test_a_loop_that_is_still_open_is_no_memory_yet(memory: Memory, ada: Agent) -> None:
    view = memory.actor_view("ada")
    with ada.do("book a table") as doing:
        assert view.loops() == []
        assert view.fuzzy_query("book a table") == []
        doing.answer("done")

    assert [each.loop_id for each in view.loops()] == [doing.loop_id]


def test_a_job_without_events_has_no_summary(memory: Memory, ada: Agent) -> None:
    with ada.job():
        pass
    ada.remember("I moved to Lisbon")

    assert PLACE not in memory.streams()
    assert memory.actor_view("ada").loops() == []


@pytest.mark.covers("C-008", "C-035")
def test_the_window_rolls_over_the_last_loops_as_the_identity_says(ada: Agent) -> None:
    for n in range(25):
        say(ada, f"task number {n}")

    found = {each.summary.summary for each in ada.fuzzy_query("task number", {"top_k": 100})}
    assert len(found) == 20  # the Actor's default window
    assert not any("number 4\n" in each for each in found)
    narrow = ada.fuzzy_query("task number", {"stm_window_size": 3, "top_k": 100})
    assert [each.summary.summary.split("\n")[0] for each in narrow] == [
        "user_input: task number 24",
        "user_input: task number 23",
        "user_input: task number 22",
    ]
    assert len(ada.fuzzy_query("task number")) == 8


@pytest.mark.covers("C-035", "C-042")
def test_a_fuzzy_question_finds_a_loop_by_likeness_of_normalised_words(ada: Agent) -> None:
    say(ada, "Book a TABLE, for two!", "Booked.")
    say(ada, "water the plants", "They are wet.")

    (found,) = ada.fuzzy_query("for two: table? book")
    assert found.summary.summary.startswith("user_input: Book a TABLE, for two!")
    assert found.similarity_ppm == 1_000_000
    assert ada.fuzzy_query("quantum chromodynamics") == []
    with pytest.raises(InputError, match=r"heuristics.*threshold"):
        ada.fuzzy_query("x", {"threshold": 101})
    with pytest.raises(InputError, match="heuristics"):
        ada.fuzzy_query("x", {"persona": "subconscious"})


texts = st.text(alphabet="ab cd,EF", max_size=24)


@pytest.mark.covers("C-042", "C-043", "C-046")
@given(texts, texts)
def test_similarity_is_the_token_set_ratio_in_millionths(one: str, other: str) -> None:
    wanted = fuzz.token_set_ratio(fuzzy.normalised(one), fuzzy.normalised(other))
    found = fuzzy.token_set_ratio_ppm(one, other)

    assert 0 <= found <= 1_000_000
    assert abs(found - wanted * 10_000) <= 1


@pytest.mark.covers("C-044", "C-047")
@given(st.integers(0, 10**8), st.integers(1, 10**7))
def test_recency_halves_with_each_half_life(age: int, half_life: int) -> None:
    wanted = math.exp(-math.log(2) * age / half_life)
    assert abs(fixed_point.halved_ppm(age, half_life) - wanted * 1_000_000) <= 1


def test_recency_is_exact_at_whole_half_lives() -> None:
    assert [fixed_point.halved_ppm(n * 86_400, 86_400) for n in range(4)] == [
        1_000_000,
        500_000,
        250_000,
        125_000,
    ]


def summary(*marks: tuple[EventKind, Visibility], ts_end: str = "") -> LoopSummary:
    return LoopSummary(
        id="stm:1",
        loop_id="loop:1",
        agent_id="ada",
        persona=Persona.ACTOR,
        ts_start=ts_end,
        ts_end=ts_end,
        summary="book a table",
        mirror_ids=(),
        marks=tuple(Mark(kind=kind, visibility=visibility) for kind, visibility in marks),
        complete=True,
    )


@pytest.mark.covers("C-045", "C-048")
def test_the_boost_is_the_largest_product_of_kind_and_visibility_in_the_loop() -> None:
    rules = Heuristics()
    inner = (EventKind.TOOL_CALL, Visibility.INTERNAL)
    outer = (EventKind.ACTOR_OUTPUT, Visibility.EXTERNAL)
    failed = (EventKind.ERROR, Visibility.INTERNAL)

    assert fuzzy.boost_ppm(summary(inner).marks, rules) == 240_000
    assert fuzzy.boost_ppm(summary(inner, outer).marks, rules) == 900_000
    assert fuzzy.boost_ppm(summary(failed).marks, rules) == 480_000
    unnamed = (EventKind.TOOL_CALL, Visibility.EXTERNAL)
    assert fuzzy.boost_ppm(summary(unnamed).marks, SubconsciousHeuristics()) == 1_000_000


def loop(asked: str, told: str, ts_end: str = "") -> LoopSummary:
    marks = (
        (EventKind.USER_INPUT, Visibility.EXTERNAL),
        (EventKind.TOOL_RESULT, Visibility.INTERNAL),
    )
    made = summary(*marks, ts_end=ts_end)
    return msgspec.structs.replace(
        made, id=f"stm:{asked}", summary=f"user_input: {asked}\ntool_result: {told}"
    )


@pytest.mark.covers("C-045", "C-048")
def test_a_loop_is_boosted_by_the_part_of_it_that_answers() -> None:
    """What somebody asked for counts more than what a tool said in passing, as identity weighs."""
    asked, passing = loop("book a table", "done"), loop("look at the mail", "book a table")
    order = [
        each.summary.id for each in fuzzy.search("book table", [passing, asked], LOOSE, as_of="")
    ]
    assert order == [asked.id, passing.id]

    found = {
        each.summary.id: each
        for each in fuzzy.search("book table", [asked, passing], LOOSE, as_of="")
    }
    assert found[asked.id].boost_ppm == 1_000_000
    assert found[passing.id].boost_ppm == 280_000  # 0.7 of a tool's result, 0.4 of what is inside

    inward = msgspec.structs.replace(
        LOOSE,
        kind_boosts_ppm={EventKind.TOOL_RESULT: 3_000_000},
        visibility_boosts_ppm={Visibility.INTERNAL: 1_000_000},
    )
    turned = fuzzy.search("book table", [asked, passing], inward, as_of="")
    assert [each.summary.id for each in turned] == [passing.id, asked.id]


@pytest.mark.covers("C-044", "C-045", "C-047", "C-049")
def test_the_score_is_the_formula_in_whole_millionths() -> None:
    then = ids.time_text(1_790_000_000_000)
    now = ids.time_text(1_790_000_000_000 + 43_200_000)
    rules = Heuristics(similarity_weight_ppm=2_000_000, recency_weight_ppm=500_000)
    told = summary((EventKind.ERROR, Visibility.EXTERNAL), ts_end=then)
    found = fuzzy.score("book a tabel", told, rules, as_of=now)

    similarity = fuzz.token_set_ratio("book a tabel", "book a table") / 100
    recency = math.exp(-math.log(2) * 43_200 / 86_400)
    wanted = (2.0 * similarity + 0.5 * recency) * 1.2
    assert found.recency_ppm == 707_107
    assert abs(found.score_ppm - wanted * 1_000_000) <= 3
    assert isinstance(found.score_ppm, int)


@pytest.mark.covers("C-044", "C-045")
def test_the_numbers_of_a_search_come_from_the_identity(memory: Memory) -> None:
    identity = memory.identities().of("ada")
    actor = identity.memory.actor
    tuned = msgspec.structs.replace(
        actor,
        recency_half_life_seconds=3,
        kind_boosts_ppm={EventKind.USER_INPUT: 2_000_000},
        visibility_boosts_ppm={Visibility.EXTERNAL: 1_500_000},
    )
    memory.identities().adopt(
        "ada", type(identity)(memory=type(identity.memory)(actor=tuned)), reason="test"
    )
    ada = memory.agent("ada")
    say(ada, "book a table")
    (found,) = ada.fuzzy_query("book a table")

    assert found.boost_ppm == 3_000_000
    ada.flush()
    (receipt,) = [each.event for each in memory.log(ADA) if isinstance(each.event, Recalled)]
    now = receipt.call.removeprefix("fuzzy_query@")
    age = ids.time_ms(now) - ids.time_ms(found.summary.ts_end)
    assert age > 0
    assert found.recency_ppm == fixed_point.halved_ppm(age, 3_000)
    weighed = found.similarity_ppm + found.recency_ppm
    assert abs(found.score_ppm - 3 * weighed) <= 3


@pytest.mark.covers("C-035")
def test_the_subconscious_searches_with_its_own_heuristics(memory: Memory, ada: Agent) -> None:
    for n in range(30):
        say(ada, f"task number {n}")
    below = memory.subconscious("ada")

    assert len(below.view.loops("actor")) == 30  # its window is 50
    assert len(below.view.fuzzy_query("task number", {"persona": "actor"})) == 12

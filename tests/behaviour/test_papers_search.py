"""Searching drawers: a question finds the papers that answer it, in other words too."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.world import StillClock, memory

import muniment
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.models.static_embedder import TableEmbedder
from muniment.engine.api.documents import Documents
from muniment.engine.api.memory import Memory
from muniment.engine.projections.loop_mirror import Tools
from muniment.model.errors import InputError
from muniment.model.policy import Policy, RecallPolicy

NOTES = ("notes",)
KEYS = ("a", "b", "c")
WORDS = ("anchor", "basil", "cello")


def drawers(**given: object) -> Documents:
    return memory(tools=Tools(embedder=TableEmbedder()), **given).agent("ada", user="tuff").papers()  # type: ignore[arg-type]


def found(papers: Documents, query: str, drawer: tuple[str, ...] = (), **how: object) -> list[str]:
    return [each.key for _, each in papers.search(drawer, query, **how)]  # type: ignore[arg-type]


def test_a_question_in_other_words_finds_what_answers_it() -> None:
    papers = drawers()
    papers.put(NOTES, "dog", {"text": "I adopted a puppy called Toby"})
    papers.put(NOTES, "train", {"text": "The train to Porto leaves at nine"})

    assert found(papers, "Which dogs do I have?") == ["dog"]
    assert found(papers, "trains") == ["train"]
    assert found(papers, "zebra") == []


def test_a_value_of_any_shape_is_found_by_what_it_says() -> None:
    papers = drawers()
    for key, value in {"text": "green tea", "list": ["a cup", {"of": "tea"}], "none": 7}.items():
        papers.put(NOTES, key, value)

    assert sorted(found(papers, "tea")) == ["list", "text"]
    assert found(papers, "tea", where={"of": "tea"}) == []


def test_only_the_drawer_that_is_asked_answers_and_those_inside_it() -> None:
    papers = drawers()
    for drawer in (NOTES, (*NOTES, "old"), ("notes2",), ("no/tes",)):
        papers.put(drawer, "/".join(drawer), {"text": "my tea is green"})

    assert sorted(found(papers, "tea", NOTES)) == ["notes", "notes/old"]
    assert found(papers, "tea", ("no/tes",)) == ["no/tes"]
    assert len(found(papers, "tea")) == 4


def test_what_was_replaced_or_taken_out_is_found_in_the_past_alone() -> None:
    ada = memory(tools=Tools(embedder=TableEmbedder())).agent("ada", user="tuff")
    papers = ada.papers()
    papers.put(NOTES, "pet", {"text": "the pet is a puppy"})
    papers.put(NOTES, "gone", {"text": "a puppy in the garden"})
    then = ada.seq
    papers.put(NOTES, "pet", {"text": "the bicycle is red"})
    papers.drop(NOTES, "gone")

    assert found(papers, "puppy") == []
    assert found(papers, "bicycle") == ["pet"]
    assert sorted(found(papers, "puppy", at=then)) == ["gone", "pet"]

    papers.put(NOTES, "gone", {"text": "another puppy"})

    assert [each.version for _, each in papers.search((), "puppy")] == [2]


def test_a_paper_past_its_time_is_not_found() -> None:
    clock = StillClock()
    papers = drawers(clock=clock)
    papers.put(NOTES, "a", {"text": "tea for an hour"}, ttl_seconds=3600)
    assert found(papers, "tea") == ["a"]

    clock.later(minutes=90)

    assert found(papers, "tea") == []


def test_as_many_come_as_are_wanted_and_only_those_that_hold_what_is_asked_for() -> None:
    papers = drawers()
    for number in range(30):
        labels = {"run": number % 2, "metadata": {"kind": "tea", "n": number}}
        papers.put(NOTES, f"{number:02}", {"text": "a cup of green tea", **labels})

    every = found(papers, "green tea")
    assert len(every) == 30
    assert found(papers, "green tea", limit=7) == every[:7]
    odd = found(papers, "green tea", where={"run": 1, "metadata": {"kind": "tea"}}, limit=4)
    assert odd == [key for key in every if int(key) % 2][:4]
    assert found(papers, "green tea", where={"colour": None}) == []


@pytest.mark.parametrize("how", [{"limit": -1}, {"limit": True}, {"where": ["run"]}])
def test_a_search_that_makes_no_sense_is_told_so(how: dict[str, object]) -> None:
    with pytest.raises(InputError):
        found(drawers(), "tea", (), **how)


def test_nobody_finds_or_feels_what_others_have_put_down() -> None:
    def scores(others: int) -> list[int]:
        of = memory(tools=Tools(embedder=TableEmbedder()))
        for number in range(others):
            of.agent("ada", user="mona").papers().put(NOTES, str(number), {"text": "tea tea tea"})
        mine = of.agent("ada", user="tuff").papers()
        mine.put(NOTES, "a", {"text": "green tea in the morning"})
        mine.put(NOTES, "b", {"text": "a train in the morning"})
        assert len(of.agent("ada", user="mona").papers().search((), "tea")) == others
        return [score for score, _ in mine.search((), "tea in the morning")]

    assert scores(0) == scores(40)


def test_an_agent_without_a_user_finds_what_it_has_put_down_itself() -> None:
    of = memory(tools=Tools(embedder=TableEmbedder()))
    of.agent("ada", user="tuff").papers().put(NOTES, "theirs", {"text": "tuff likes tea"})
    own = of.agent("ada").papers()
    own.put(NOTES, "own", {"text": "tea is out"})

    assert found(own, "tea") == ["own"]


def test_what_was_added_together_speaks_for_what_stands_beside_it() -> None:
    papers = drawers()
    papers.add(("chat",), [{"memory": "Where did you go on holiday?"}, {"memory": "Peru!"}])
    papers.add(("chat",), [{"memory": "It rained all day."}])
    papers.put(("chat",), "by key", {"memory": "Peru!"})

    assert found(papers, "Where was the holiday?")[0] == "000000000002"
    assert "by key" not in found(papers, "Where was the holiday?")


def test_who_speaks_is_read_from_the_value_or_from_how_its_words_begin() -> None:
    told = [("Ann", "I bought a violin."), ("Bob", "I bought a violin case.")]
    named = [{"memory": words, "speaker": who} for who, words in told]
    begun = [{"memory": f"{who}: {words}"} for who, words in told]
    for values in (named, begun):
        papers = drawers()
        papers.add(("chat",), values)

        assert found(papers, "What did Bob buy?")[0] == "000000000002"
        assert found(papers, "What did Ann buy?")[0] == "000000000001"


def test_names_and_times_of_things_are_no_words() -> None:
    papers = drawers()
    value = {"text": "green tea", "id": "lisbon", "run_id": "porto", "role": "faro", "made_at": "x"}
    papers.put(NOTES, "a", value)

    assert [found(papers, each) for each in ("lisbon", "porto", "faro")] == [[], [], []]
    assert found(papers, "tea") == ["a"]


def test_the_profile_that_counts_shared_words_counts_them_here_too() -> None:
    papers = drawers(policy=Policy(recall=RecallPolicy(profile="stage1")))
    papers.put(NOTES, "dog", {"text": "I adopted a puppy"})

    assert found(papers, "Which dogs?") == []
    assert found(papers, "a puppy?") == ["dog"]


def test_a_memory_that_was_opened_again_answers_as_before(tmp_path: Path) -> None:
    """From segments beside the log, from the log alone, and without either on disk."""

    def opened(place: str | Path) -> Memory:
        return open_memory(place, Settings(clock=StillClock(), seed=b"same everywhere"))

    def told(of: Memory) -> list[tuple[int, str]]:
        papers = of.agent("ada", user="tuff").papers()
        return [(score, each.key) for score, each in papers.search(NOTES, "which tea is green?")]

    def fill(of: Memory) -> None:
        papers = of.agent("ada", user="tuff").papers()
        for number in range(80):
            text = f"cup {number} of {'green' if number % 3 else 'black'} tea"
            papers.put(NOTES, f"{number % 50}", {"text": text})
            if number % 20 == 19:
                papers.search(NOTES, "tea")

    with opened(":memory:") as plain:
        fill(plain)
        expected = told(plain)
    with opened(tmp_path) as memory:
        fill(memory)
        assert told(memory) == expected
    with opened(tmp_path) as memory:
        assert told(memory) == expected
        memory.rebuild()
        assert told(memory) == expected
    assert len(expected) == 50


def test_an_erased_persons_papers_are_found_by_nobody(tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        of_tuff = memory.agent("ada", user="tuff").papers()
        for number in range(40):
            of_tuff.put(NOTES, str(number), {"text": f"the heliotrope number {number}"})
        assert len(of_tuff.search(NOTES, "heliotrope")) == 40
        assert memory.agent("ada").papers().search((), "heliotrope") == []

        request = memory.eraser("root").request("tuff", reason="they asked")
        memory.council("bea").approve(request)
        memory.eraser("root").carry_out(request)

        assert memory.agent("ada", user="tuff").papers().search((), "heliotrope") == []
        assert memory.agent("ada").papers().search((), "heliotrope") == []
    assert not any(b"heliotrope" in each.read_bytes() for each in tmp_path.rglob("*.db"))


Step = tuple[str, str, str]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(("put", "drop")), st.sampled_from(KEYS), st.sampled_from(WORDS)),
        max_size=12,
    )
)
def test_whatever_happened_a_word_finds_all_that_lies_there_and_nothing_else(
    steps: list[Step],
) -> None:
    ada = memory(tools=Tools(embedder=TableEmbedder())).agent("ada", user="tuff")
    papers, lying, then = ada.papers(), dict[str, str](), list[tuple[int, dict[str, str]]]()
    for verb, key, word in steps:
        if verb == "put":
            papers.put(NOTES, key, {"text": f"there is a {word}"})
            lying[key] = word
        elif key in lying:
            papers.drop(NOTES, key)
            del lying[key]
        then.append((ada.seq, dict(lying)))

    for at, lay in then:
        for word in WORDS:
            keys = found(papers, word, NOTES, at=at)
            assert {key for key, text in lay.items() if text == word} <= set(keys) <= set(lay)
            assert len(keys) == len(set(keys))

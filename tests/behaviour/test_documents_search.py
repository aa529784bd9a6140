"""Searching namespaces: a question finds the documents that answer it, in other words too."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.world import StillClock, memory

import muniment
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.embedders.static_embedder import TableEmbedder
from muniment.engine.api.documents import Documents
from muniment.engine.api.memory import Memory
from muniment.engine.streams.parts import Tools
from muniment.model.errors import InputError
from muniment.model.policy import Policy, RecallPolicy

NOTES = ("notes",)
KEYS = ("a", "b", "c")
WORDS = ("anchor", "basil", "cello")


def namespaces(**given: object) -> Documents:
    opened = memory(tools=Tools(embedder=TableEmbedder()), **given)  # type: ignore[arg-type]
    return opened.agent("ada", user="tuff").documents()


def found(
    documents: Documents, query: str, namespace: tuple[str, ...] = (), **how: object
) -> list[str]:
    return [each.key for _, each in documents.search(namespace, query, **how)]  # type: ignore[arg-type]


def test_a_question_in_other_words_finds_what_answers_it() -> None:
    documents = namespaces()
    documents.put(NOTES, "dog", {"text": "I adopted a puppy called Toby"})
    documents.put(NOTES, "train", {"text": "The train to Porto leaves at nine"})

    assert found(documents, "Which dogs do I have?") == ["dog"]
    assert found(documents, "trains") == ["train"]
    assert found(documents, "zebra") == []


def test_a_value_of_any_shape_is_found_by_what_it_says() -> None:
    documents = namespaces()
    for key, value in {"text": "green tea", "list": ["a cup", {"of": "tea"}], "none": 7}.items():
        documents.put(NOTES, key, value)

    assert sorted(found(documents, "tea")) == ["list", "text"]
    assert found(documents, "tea", where={"of": "tea"}) == []


def test_only_the_namespace_that_is_asked_answers_and_those_inside_it() -> None:
    documents = namespaces()
    for namespace in (NOTES, (*NOTES, "old"), ("notes2",), ("no/tes",)):
        documents.put(namespace, "/".join(namespace), {"text": "my tea is green"})

    assert sorted(found(documents, "tea", NOTES)) == ["notes", "notes/old"]
    assert found(documents, "tea", ("no/tes",)) == ["no/tes"]
    assert len(found(documents, "tea")) == 4


def test_what_was_replaced_or_taken_out_is_found_in_the_past_alone() -> None:
    ada = memory(tools=Tools(embedder=TableEmbedder())).agent("ada", user="tuff")
    documents = ada.documents()
    documents.put(NOTES, "pet", {"text": "the pet is a puppy"})
    documents.put(NOTES, "gone", {"text": "a puppy in the garden"})
    then = ada.seq
    documents.put(NOTES, "pet", {"text": "the bicycle is red"})
    documents.drop(NOTES, "gone")

    assert found(documents, "puppy") == []
    assert found(documents, "bicycle") == ["pet"]
    assert sorted(found(documents, "puppy", at=then)) == ["gone", "pet"]

    documents.put(NOTES, "gone", {"text": "another puppy"})

    assert [each.version for _, each in documents.search((), "puppy")] == [2]


def test_a_document_past_its_time_is_not_found() -> None:
    clock = StillClock()
    documents = namespaces(clock=clock)
    documents.put(NOTES, "a", {"text": "tea for an hour"}, ttl_seconds=3600)
    assert found(documents, "tea") == ["a"]

    clock.later(minutes=90)

    assert found(documents, "tea") == []


def test_as_many_come_as_are_wanted_and_only_those_that_hold_what_is_asked_for() -> None:
    documents = namespaces()
    for number in range(30):
        labels = {"run": number % 2, "metadata": {"kind": "tea", "n": number}}
        documents.put(NOTES, f"{number:02}", {"text": "a cup of green tea", **labels})

    every = found(documents, "green tea")
    assert len(every) == 30
    assert found(documents, "green tea", limit=7) == every[:7]
    odd = found(documents, "green tea", where={"run": 1, "metadata": {"kind": "tea"}}, limit=4)
    assert odd == [key for key in every if int(key) % 2][:4]
    assert found(documents, "green tea", where={"colour": None}) == []


@pytest.mark.parametrize("how", [{"limit": -1}, {"limit": True}, {"where": ["run"]}])
def test_a_search_that_makes_no_sense_is_told_so(how: dict[str, object]) -> None:
    with pytest.raises(InputError):
        found(namespaces(), "tea", (), **how)


def test_nobody_finds_or_feels_what_others_have_put_down() -> None:
    def scores(others: int) -> list[int]:
        of = memory(tools=Tools(embedder=TableEmbedder()))
        for number in range(others):
            of.agent("ada", user="mona").documents().put(
                NOTES, str(number), {"text": "tea tea tea"}
            )
        mine = of.agent("ada", user="tuff").documents()
        mine.put(NOTES, "a", {"text": "green tea in the morning"})
        mine.put(NOTES, "b", {"text": "a train in the morning"})
        assert len(of.agent("ada", user="mona").documents().search((), "tea")) == others
        return [score for score, _ in mine.search((), "tea in the morning")]

    assert scores(0) == scores(40)


def test_an_agent_without_a_user_finds_what_it_has_put_down_itself() -> None:
    of = memory(tools=Tools(embedder=TableEmbedder()))
    of.agent("ada", user="tuff").documents().put(NOTES, "theirs", {"text": "tuff likes tea"})
    own = of.agent("ada").documents()
    own.put(NOTES, "own", {"text": "tea is out"})

    assert found(own, "tea") == ["own"]


def test_what_was_added_together_speaks_for_what_stands_beside_it() -> None:
    documents = namespaces()
    documents.add(("chat",), [{"memory": "Where did you go on holiday?"}, {"memory": "Peru!"}])
    documents.add(("chat",), [{"memory": "It rained all day."}])
    documents.put(("chat",), "by key", {"memory": "Peru!"})

    assert found(documents, "Where was the holiday?")[0] == "000000000002"
    assert "by key" not in found(documents, "Where was the holiday?")


def test_who_speaks_is_read_from_the_value_or_from_how_its_words_begin() -> None:
    told = [("Ann", "I bought a violin."), ("Bob", "I bought a violin case.")]
    named = [{"memory": words, "speaker": who} for who, words in told]
    begun = [{"memory": f"{who}: {words}"} for who, words in told]
    for values in (named, begun):
        documents = namespaces()
        documents.add(("chat",), values)

        assert found(documents, "What did Bob buy?")[0] == "000000000002"
        assert found(documents, "What did Ann buy?")[0] == "000000000001"


def test_names_and_times_of_things_are_no_words() -> None:
    documents = namespaces()
    value = {"text": "green tea", "id": "lisbon", "run_id": "porto", "role": "faro", "made_at": "x"}
    documents.put(NOTES, "a", value)

    assert [found(documents, each) for each in ("lisbon", "porto", "faro")] == [[], [], []]
    assert found(documents, "tea") == ["a"]


def test_the_profile_that_counts_shared_words_counts_them_here_too() -> None:
    documents = namespaces(policy=Policy(recall=RecallPolicy(profile="stage1")))
    documents.put(NOTES, "dog", {"text": "I adopted a puppy"})

    assert found(documents, "Which dogs?") == []
    assert found(documents, "a puppy?") == ["dog"]


def test_a_memory_that_was_opened_again_answers_as_before(tmp_path: Path) -> None:
    """From segments beside the log, from the log alone, and without either on disk."""

    def opened(place: str | Path) -> Memory:
        return open_memory(place, Settings(clock=StillClock(), seed=b"same everywhere"))

    def told(of: Memory) -> list[tuple[int, str]]:
        documents = of.agent("ada", user="tuff").documents()
        return [(score, each.key) for score, each in documents.search(NOTES, "which tea is green?")]

    def fill(of: Memory) -> None:
        documents = of.agent("ada", user="tuff").documents()
        for number in range(80):
            text = f"cup {number} of {'green' if number % 3 else 'black'} tea"
            documents.put(NOTES, f"{number % 50}", {"text": text})
            if number % 20 == 19:
                documents.search(NOTES, "tea")

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


def test_an_erased_persons_documents_are_found_by_nobody(tmp_path: Path) -> None:
    with muniment.open(tmp_path) as memory:
        of_tuff = memory.agent("ada", user="tuff").documents()
        for number in range(40):
            of_tuff.put(NOTES, str(number), {"text": f"the heliotrope number {number}"})
        assert len(of_tuff.search(NOTES, "heliotrope")) == 40
        assert memory.agent("ada").documents().search((), "heliotrope") == []

        request = memory.eraser("root").request("tuff", reason="they asked")
        memory.council("bea").approve(request)
        memory.eraser("root").carry_out(request)

        assert memory.agent("ada", user="tuff").documents().search((), "heliotrope") == []
        assert memory.agent("ada").documents().search((), "heliotrope") == []
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
    documents, lying, then = ada.documents(), dict[str, str](), list[tuple[int, dict[str, str]]]()
    for verb, key, word in steps:
        if verb == "put":
            documents.put(NOTES, key, {"text": f"there is a {word}"})
            lying[key] = word
        elif key in lying:
            documents.drop(NOTES, key)
            del lying[key]
        then.append((ada.seq, dict(lying)))

    for at, lay in then:
        for word in WORDS:
            keys = found(documents, word, NOTES, at=at)
            assert {key for key, text in lay.items() if text == word} <= set(keys) <= set(lay)
            assert len(keys) == len(set(keys))

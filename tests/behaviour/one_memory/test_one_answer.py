"""One question, one current answer: the newest word of a person stands, whatever kind it is."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.policy import Policy
from muniment.retrieval.ranking import current_answer
from muniment.retrieval.ranking.current_answer import ClaimSource

ASKED = "What is my name?"
NAME = "user/profile/user_tuff/name"


def memo(ada: Agent, text: str) -> None:
    with ada.job(session="talk") as job:
        job.memorize({"content": text, "type": "fact", "source": "user"})


def turn(ada: Agent, text: str) -> None:
    ada.thread("mail").turn(text)


DOORS: dict[str, Callable[[Agent, str], object]] = {
    "conversation": lambda ada, text: ada.conversation(session="talk").record(user=text),
    "another session": lambda ada, text: ada.conversation(session="other").record(user=text),
    "episode": lambda ada, text: ada.remember(text),
    "memo": memo,
    "turn": turn,
}
PAIRS = [*pairwise([*sorted(DOORS), sorted(DOORS)[0]]), *((door, door) for door in sorted(DOORS))]


def agent() -> tuple[Memory, Agent]:
    memory = world.memory(clock=world.SteppingClock())
    return memory, memory.agent("ada", user="tuff")


def governed(memory: Memory, ada: Agent, sentence: str) -> None:
    told = ada.remember(f"Remember {sentence}")
    assert told.question
    memory.council().approve(ada.confirm(told.question.confirmation_id))


def names(text: str) -> set[str]:
    return {name for name in ("Tuff", "Bea", "Carl", "Dora", "Red", "Cerulean") if name in text}


@pytest.mark.parametrize(("first", "then"), PAIRS)
def test_a_newer_word_replaces_an_older_one_across_kinds(first: str, then: str) -> None:
    memory, ada = agent()
    DOORS[first](ada, "My name is Bea")
    before = ada.seq
    DOORS[then](ada, "My name is Carl")

    assert names(" ".join(hit.text for hit in ada.recall(ASKED).hits)) == {"Carl"}
    assert "Carl" in ada.context(ASKED, budget=400).text
    assert "name: Bea" not in ada.context(ASKED, budget=400).text
    old = ada.recall(ASKED, at=before)
    assert names(" ".join(hit.text for hit in old.hits)) == {"Bea"}
    assert memory.prove()


def test_one_name_with_four_truths_has_one() -> None:
    memory, ada = agent()
    governed(memory, ada, "my name is Tuff")
    DOORS["conversation"](ada, "My name is Bea")
    DOORS["episode"](ada, "My name is Carl")
    DOORS["memo"](ada, "My name is Dora")

    text = ada.context(ASKED, budget=400).text

    assert names(text) == {"Tuff", "Dora"}
    lines = {line for line in text.splitlines() if names(line)}
    assert any("governed, contradicted since 2026-" in line and "Tuff" in line for line in lines)
    assert any("not governed" in line and "Dora" in line for line in lines)


def test_both_of_a_contradiction_are_recalled_and_name_each_other() -> None:
    memory, ada = agent()
    governed(memory, ada, "my favourite colour is Cerulean")
    said = ada.remember("Actually my favourite colour is Red")

    hits = {hit.id: hit for hit in ada.recall("What is my favourite colour?").hits}

    key = "user/profile/user_tuff/favorite_color"
    assert hits[key].contradicted_by == said.episodic_id
    assert hits[said.episodic_id].contradicts == key


@pytest.mark.parametrize("door", sorted(DOORS))
def test_what_contradicts_a_governed_fact_is_offered_as_a_change_of_it(door: str) -> None:
    memory, ada = agent()
    governed(memory, ada, "my favourite colour is Cerulean")

    DOORS[door](ada, "Actually my favourite colour is Red")

    (question,) = ada.questions()
    assert (question.key, question.value) == ("user/profile/user_tuff/favorite_color", "Red")
    assert ada.sem_get(question.key).value == "Cerulean"
    memory.council().approve(ada.confirm(question.confirmation_id))
    assert ada.sem_get(question.key).value == "Red"
    text = ada.context("What is my favourite colour?", budget=400).text
    assert "Cerulean" not in text
    assert "contradicted" not in text
    assert memory.prove()


def test_what_says_the_same_as_a_governed_fact_asks_nothing() -> None:
    memory, ada = agent()
    governed(memory, ada, "my favourite colour is Cerulean")

    ada.remember("My favourite colour is cerulean!")

    assert not ada.questions()


def test_the_last_of_several_questions_about_one_key_is_the_open_one() -> None:
    memory, ada = agent()
    governed(memory, ada, "my name is Tuff")
    ada.remember("My name is Bea")
    ada.remember("My name is Carl")

    assert [each.value for each in ada.questions()] == ["Carl"]


def test_a_correction_of_a_governed_fact_is_asked_for() -> None:
    memory, ada = agent()
    governed(memory, ada, "my name is Tuff")

    told = ada.correct(NAME, "My name is Carl")

    assert (told.stored, ada.sem_get(NAME).value) == (True, "Tuff")
    memory.council().approve(told.request_id)
    assert ada.sem_get(NAME).value == "Carl"
    assert not ada.questions()


def test_a_conversation_is_given_the_current_word_beside_what_was_said() -> None:
    _, ada = agent()
    talk = ada.conversation(session="talk")
    talk.record(user="My name is Bea", ai="Hello")
    ada.remember("My name is Carl")

    items = talk.recall(ASKED).items

    assert [item.text for item in items if item.kind == "short_term"] == ["My name is Bea", "Hello"]
    assert names(" ".join(i.told for i in items if i.kind != "short_term")) == {"Carl"}


def test_what_says_more_than_the_old_value_stays() -> None:
    _, ada = agent()
    ada.remember("My name is Bea and on Friday I bring a cake to the office")
    ada.remember("My name is Carl")

    assert "cake" in " ".join(hit.text for hit in ada.recall("Who brings a cake? name").hits)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My friend is Bea", "My friend is Carl"),
        ("My sister is called Bea", "My sister is called Dora"),
    ],
)
def test_of_what_there_may_be_several_none_replaces_another(one: str, other: str) -> None:
    _, ada = agent()
    ada.remember(one)
    ada.remember(other)

    assert len(ada.recall(f"Who is {one.split()[1]}?").hits) == 2


@pytest.mark.parametrize("origin", ["agent", "tool", "external"])
def test_nobody_elses_word_replaces_a_persons(origin: str) -> None:
    records = [
        ClaimSource(id="a", text="My name is Bea", origin="user", moment="2026-01-01"),
        ClaimSource(id="b", text="My name is Carl", origin=origin, moment="2026-01-02"),
    ]

    assert not current_answer.standing(records, {}).replaced


def test_another_speakers_name_is_their_own() -> None:
    records = [
        ClaimSource(id="a", text="My name is Bea", origin="user", moment="2026-01-01"),
        ClaimSource(
            id="b", text="My name is Carl", origin="user", moment="2026-01-02", speaker="Carl"
        ),
    ]

    assert not current_answer.standing(records, {}).replaced


def test_what_was_replaced_says_by_what_it_was_left_out() -> None:
    _, ada = agent()
    old = ada.remember("My name is Bea")
    new = ada.remember("My name is Carl")

    why = ada.why_not(old.episodic_id, ASKED)

    assert (why.stage, why.other) == ("replaced_by_newer", new.episodic_id)


def test_on_a_day_before_the_change_the_old_value_is_the_answer() -> None:
    clock = world.SteppingClock()
    ada = world.memory(Policy(), clock=clock).agent("ada", user="tuff")
    ada.remember("My name is Bea")
    day = clock.now()[:10]
    clock.later(days=3)
    ada.remember("My name is Carl")

    then = ada.recall(ASKED, valid_at=day)

    assert names(" ".join(hit.text for hit in then.hits)) == {"Bea"}


def test_the_newest_word_has_the_place_and_the_score_of_what_it_replaces() -> None:
    _, ada = agent()
    ada.remember("My name is Bea")
    ada.remember("What a name that boat had")
    before = {hit.text: hit.score_ppm for hit in ada.recall(ASKED).hits}
    ada.conversation(session="talk").record(user="My name is Carl, and it rained all week long")

    first, *others = ada.recall(ASKED).hits

    assert names(first.text) == {"Carl"}
    assert first.score_ppm >= before["My name is Bea"] * 9 // 10
    assert [hit.score_ppm for hit in others] == sorted(
        (hit.score_ppm for hit in others), reverse=True
    )
    assert first.score_ppm >= max(hit.score_ppm for hit in others)

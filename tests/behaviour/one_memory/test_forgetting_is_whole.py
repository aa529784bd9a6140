"""Forgetting is whole: one thing goes with everything that was kept of it."""

from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.api.memory import Memory
from muniment.model.policy import preset

FACT = "The stone in the ring of my aunt is a zircon"
ASKED = "Which stone is in the ring of my aunt?"


def agent(policy: str = "") -> tuple[Memory, Agent]:
    given = preset(policy) if policy else None
    memory = world.memory(given, clock=world.SteppingClock())
    return memory, memory.agent("ada", user="tuff")


def everywhere(ada: Agent) -> str:
    """All that any read of this person gives."""
    talk = ada.conversation(session="talk")
    items = [
        item.told
        for kind in ("short_term", "semantic", "profile")
        for space in ("session", "user")
        for item in talk.items(kind, space)
    ]
    hits = [hit.text for hit in ada.recall(ASKED, limit=50).hits]
    return " ".join([*items, *hits, talk.recall(ASKED).text, ada.context(ASKED, budget=800).text])


def test_a_message_goes_with_what_was_kept_of_it_in_the_shared_space() -> None:
    memory, ada = agent()
    ada.conversation(session="talk").record(user=f"Remember for me: {FACT}")
    assert "zircon" in everywhere(ada)

    ada.forget(ada.recall(ASKED).hits[0].id)

    assert "zircon" not in everywhere(ada)
    assert memory.prove()


def test_the_same_words_of_another_day_are_another_utterance() -> None:
    clock = world.SteppingClock()
    ada = world.memory(clock=clock).agent("ada", user="tuff")
    ada.conversation(session="one").record(user=FACT)
    clock.later(days=3)
    ada.conversation(session="two").record(user=FACT)
    first = next(hit for hit in ada.recall(ASKED).hits if hit.text == FACT)

    ada.forget(first.id)

    assert [hit.text for hit in ada.recall(ASKED).hits] == [FACT]


def test_a_fact_that_rested_on_a_message_goes_with_it_and_what_it_replaced_returns() -> None:
    _, ada = agent()
    talk = ada.conversation(session="talk")
    talk.record(user="My name is Bea")
    talk.record(user="My name is Carl")
    (said,) = [each for each in talk.items("short_term") if "Carl" in each.text]

    ada.forget(said.id)

    assert [item.text for item in talk.items("profile")] == ["Bea"]
    assert "Carl" not in everywhere(ada)


def test_what_was_replaced_before_a_newer_word_stays_replaced() -> None:
    _, ada = agent()
    talk = ada.conversation(session="talk")
    for name in ("Bea", "Carl", "Dora"):
        talk.record(user=f"My name is {name}")
    (said,) = [each for each in talk.items("short_term") if "Carl" in each.text]

    ada.forget(said.id)

    assert [item.text for item in talk.items("profile")] == ["Dora"]


def test_an_episode_that_was_replaced_answers_again_once_the_newer_word_is_forgotten() -> None:
    _, ada = agent()
    ada.remember("My name is Bea")
    newer = ada.remember("My name is Carl")
    assert [hit.text for hit in ada.recall("What is my name?").hits] == ["My name is Carl"]

    ada.forget(newer.episodic_id)

    assert [hit.text for hit in ada.recall("What is my name?").hits] == ["My name is Bea"]


def test_the_preset_seed_takes_one_item_back_and_nothing_else() -> None:
    _, ada = agent("seed")
    talk = ada.conversation(session="talk")
    talk.record(user="My name is Bea")
    talk.record(user="My name is Carl")
    (said,) = [each for each in talk.items("short_term") if "Carl" in each.text]

    talk.forget(said.id)

    assert [item.text for item in talk.items("profile")] == ["Carl"]


def test_a_profile_fact_that_is_forgotten_gives_way_to_what_it_replaced() -> None:
    _, ada = agent()
    talk = ada.conversation(session="talk")
    talk.record(user="My name is Bea")
    talk.record(user="My name is Carl")
    (known,) = talk.items("profile")

    ada.forget(known.id)

    assert [item.text for item in talk.items("profile")] == ["Bea"]


def test_a_summary_of_many_authors_has_the_authority_of_none_of_them() -> None:
    _, ada = agent()
    talk = ada.conversation(session="talk")
    for n in range(30):
        talk.record(user=f"I saw {n} boats in the harbour.", ai="Noted.")

    (summary,) = [item for item in talk.items("short_term") if item.meta.summary_of]

    assert summary.meta.authority == "ai_inferred"

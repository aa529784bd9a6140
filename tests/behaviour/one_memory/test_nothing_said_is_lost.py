"""What people say in a conversation stays findable, in full, after it has left the window."""

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.engine.conversation.conversation import Conversation
from muniment.model.errors import RefusedError
from muniment.model.kinds.conversation_item import Kind
from muniment.model.policy import preset

WINDOW = 12
FACTS = {
    "I am allergic to penicillin": ("What am I allergic to?", "penicillin"),
    "My boss is called Rahul": ("Who is my boss?", "Rahul"),
    "We live in Porto near the river": ("Where do we live?", "Porto"),
    "I prefer window seats": ("Which seat do I prefer?", "window"),
    "The dentist is Dr Amaral": ("Who is the dentist?", "Amaral"),
}


def talked(ada: Agent, session: str = "monday") -> Conversation:
    """A conversation in which each fact is followed by far more chatter than the window holds."""
    talk = ada.conversation(session=session)
    for number, fact in enumerate(FACTS):
        talk.record(user=fact, ai="Noted.")
        for turn in range(WINDOW):
            talk.record(user=f"Tell me about topic {number}-{turn}, please", ai=f"{turn} it is")
    return talk


@pytest.mark.parametrize("fact", FACTS)
def test_what_left_the_window_is_found_by_every_read(fact: str) -> None:
    question, word = FACTS[fact]
    ada = world.memory().agent("ada", user="tuff")
    talk = talked(ada)

    assert fact not in [each.text for each in talk.items("short_term")]
    assert fact in [hit.text for hit in ada.recall(question).hits]
    assert word in ada.context(question, budget=800).text
    assert fact in [item.text for item in talk.recall(question).items]
    elsewhere = ada.conversation(session="tuesday").recall(question)
    assert fact in [item.text for item in elsewhere.items]


def test_the_preset_seed_ends_what_leaves_the_window() -> None:
    ada = world.memory(preset("seed")).agent("ada", user="tuff")
    talk = talked(ada)

    assert "We live in Porto near the river" not in [
        hit.text for hit in ada.recall("Where do we live?").hits
    ]
    assert [item for item in talk.recall("Where do we live?").items if item.meta.summary_of]


def test_an_archived_message_can_be_forgotten_and_is_then_found_by_nothing() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    talk = talked(ada)
    (found,) = [hit for hit in ada.recall("Who is the dentist?").hits if "Amaral" in hit.text]

    talk.forget(found.id)

    assert not [hit for hit in ada.recall("Who is the dentist?").hits if "Amaral" in hit.text]
    assert "Amaral" not in talk.recall("Who is the dentist?").text
    with pytest.raises(RefusedError, match="item_unknown"):
        talk.forget(found.id)
    assert all(proof.undecided == 0 for proof in memory.prove())


def test_a_new_word_replaces_an_archived_one_under_its_key() -> None:
    ada = world.memory().agent("ada", user="tuff")
    talk = ada.conversation(session="monday")
    talk.record(user="My name is Bea")
    for turn in range(40):
        talk.record(user=f"we decided to use tool {turn}")  # old facts decay

    talk.record(user="My name is Carla")

    said = [hit.text for hit in ada.recall("What is my name?").hits if hit.layer == "items"]
    assert "name: Carla" in said
    assert "name: Bea" not in said


def test_a_summary_of_what_left_says_whole_sentences_and_hides_none_of_them() -> None:
    ada = world.memory().agent("ada", user="tuff")
    talk = talked(ada)

    (summary,) = [item for item in talk.items("short_term") if item.meta.summary_of]

    said = [fact for fact in FACTS if fact in summary.text]
    assert said
    assert "…" not in summary.text
    assert summary.text not in [hit.text for hit in ada.recall("Where do we live?").hits]


def test_a_turn_of_plain_talk_takes_few_entries() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    talk = ada.conversation(session="monday")
    for turn in range(60):
        talk.recall("anything new?")
        talk.record(user=f"it is sunny on day {turn}", ai="good to know")

    assert ada.seq / 60 <= 8


def test_what_was_remembered_for_me_is_recalled_by_my_other_agent_and_by_nobody_else() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    ada.conversation().record(user="Remember for me that I prefer aisle seats in trains")

    mine = memory.agent("bob", user="tuff").recall("Which seats do I prefer?").hits
    theirs = memory.agent("bob", user="eve").recall("Which seats do I prefer?").hits

    assert [hit.text for hit in mine] == ["Remember for me that I prefer aisle seats in trains"]
    assert theirs == ()


def test_a_recall_over_a_shared_space_is_made_again_from_its_receipt() -> None:
    memory = world.memory()
    memory.agent("ada", user="tuff").conversation().record(
        user="Remember for me that I prefer aisle seats in trains"
    )
    bob = memory.agent("bob", user="tuff")
    bob.remember("I prefer tea over coffee")
    then = bob.recall("What do I prefer?")
    bob.flush()
    memory.agent("ada", user="tuff").conversation().record(
        user="Remember for me that I prefer night trains"
    )
    seq = next(line.seq for line in bob.get_range() if line.header.type == "memory_recall")

    assert bob.recall_again(seq).hits == then.hits


def test_a_phase_that_is_over_stays_hidden_in_its_own_session() -> None:
    talk = world.memory().agent("ada", user="tuff").conversation(session="monday")
    talk.record(user="The launch code name is Nightfall")
    talk.start_phase("next")

    assert "Nightfall" not in talk.recall("What is the launch code name?").text


def test_a_recall_that_is_narrowed_to_a_session_gives_nothing_else() -> None:
    ada = world.memory().agent("ada", user="tuff")
    ada.remember("I keep bees in the garden")
    talk = ada.conversation(session="monday")
    talk.record(user="hello there")

    assert "bees" in talk.recall("What do I keep in the garden?").text
    narrowed = talk.recall("What do I keep in the garden?", spaces=["session"])
    assert "bees" not in narrowed.text
    assert all(item.kind is Kind.SHORT_TERM for item in narrowed.items)


def test_a_trace_names_what_was_recalled_from_beyond_and_calls_nothing_erased() -> None:
    ada = world.memory().agent("ada", user="tuff")
    kept = ada.remember("I keep bees in the garden")
    talk = ada.conversation(session="monday")
    talk.recall("What do I keep in the garden?")
    talk.record(user="hello there")

    (trace,) = [each for each in talk.traces() if each["type"] == "memory_recall"]

    recalled = trace["recalled"]
    assert isinstance(recalled, list)
    (mention,) = [each for each in recalled if each["id"] == kept.episodic_id]
    assert "known" in mention["reasons"]
    assert "(erased)" not in str(trace)

"""What people said to each other: recall knows who said it, and what was said just before."""

from pathlib import Path

import pytest
from tests.world import memory

import muniment
from muniment import Agent
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.system.clock import ToldClock
from muniment.model.errors import InputError

SECRET = "my password is " + "hunter2" * 2
TALK = (
    ("Ann", "Hi Bob, did you sleep well?"),
    ("Bob", "Like a log, thanks. How long have you had those dogs?"),
    ("Ann", "For three years!"),
    ("Bob", "I moved to Lisbon in March."),
    ("Ann", "I moved to Porto in May."),
    ("Bob", "I paint boats on Sundays."),
    ("Ann", "I paint boats on Sundays."),
)


@pytest.fixture
def ada() -> Agent:
    return memory().agent("ada", user="tuff")


def told(ada: Agent, *, at_once: bool) -> None:
    if at_once:
        names, texts = zip(*TALK, strict=True)
        assert ada.remember_many(texts, speakers=names, session="a call") == len(TALK)
    else:
        for name, text in TALK:
            ada.remember(text, speaker=name, session="a call")


@pytest.mark.parametrize("at_once", [True, False])
def test_whose_words_they_are_decides(ada: Agent, *, at_once: bool) -> None:
    told(ada, at_once=at_once)

    for name, place in (("Ann", "Porto"), ("Bob", "Lisbon")):
        best = ada.recall(f"Where did {name} move to?").hits[0]
        assert (best.speaker, place in best.text) == (name, True)


@pytest.mark.parametrize("at_once", [True, False])
def test_an_answer_is_found_by_what_was_asked_before_it(ada: Agent, *, at_once: bool) -> None:
    ada.remember("For three years!")
    told(ada, at_once=at_once)

    best = ada.recall("How long has Ann had her dogs?", limit=2).hits

    assert ("Ann", "For three years!") in [(hit.speaker, hit.text) for hit in best]


def test_the_same_words_of_two_people_are_two_things(ada: Agent) -> None:
    told(ada, at_once=True)

    found = [hit.speaker for hit in ada.recall("Who paints boats?").hits if "boats" in hit.text]

    assert sorted(found) == ["Ann", "Bob"]


def test_a_context_says_who_said_it(ada: Agent) -> None:
    told(ada, at_once=True)

    assert "Bob: I moved to Lisbon in March." in ada.context("Lisbon", budget=400).text


def test_a_context_says_who_said_what_was_said_last_and_says_it_once(ada: Agent) -> None:
    told(ada, at_once=False)

    lines = str(ada.context("Where did Ann move to?", budget=1_000)).splitlines()

    for speaker, words in (("Ann", "I moved to Porto in May."), ("Bob", "I paint boats on Sunday")):
        (line,) = [each for each in lines if words in each and f"] {speaker}: " in each]
        assert lines.count(line) == 1
    assert not [each for each in lines if "] I moved to Porto" in each]


def test_what_somebody_says_of_themselves_is_not_the_users(ada: Agent) -> None:
    asked = ada.remember("Remember my favourite colour is cerulean")
    other = ada.remember("Remember my favourite colour is red", speaker="Ann", session="a call")

    assert asked.question is not None
    assert (other.stored, other.question) == (True, None)


def test_a_refused_turn_takes_no_name_from_another(ada: Agent) -> None:
    texts = ["I live in Porto", "my password is hunter2hunter2", "I live in Faro"]
    assert ada.remember_many(texts, speakers=["Ann", "Bob", "Cleo"], session="a call") == 2

    hits = ada.recall("live").hits

    assert {(hit.speaker, hit.text) for hit in hits} == {
        ("Ann", "I live in Porto"),
        ("Cleo", "I live in Faro"),
    }


@pytest.mark.parametrize("at_once", [True, False])
def test_who_speaks_is_looked_at_like_any_word(ada: Agent, *, at_once: bool) -> None:
    """An address is no name to keep, and a secret none at all."""
    names, texts = ("ann@example.org", SECRET), ("Jam is made in May", "Tea is made in June")
    if at_once:
        kept = ada.remember_many(texts, speakers=names, session="a call")
    else:
        both = zip(texts, names, strict=True)
        kept = sum(ada.remember(text, speaker=name).stored for text, name in both)

    (found,) = ada.recall("What is made when?").hits

    assert kept == 1
    assert (found.text, found.speaker[:7]) == ("Jam is made in May", "[email:")


def test_a_talk_is_not_named_by_a_secret(ada: Agent) -> None:
    assert not ada.remember("Jam is made in May", session=SECRET).stored
    assert ada.remember_many(["Jam is made in May"], session=SECRET) == 0
    assert ada.recall("jam").hits == ()


@pytest.mark.parametrize("speakers", [["Ann"], "Ann", 3, [1, 2], ["Ann", None]])
def test_there_is_a_speaker_for_each_sentence_or_nothing_is_kept(
    ada: Agent, speakers: object
) -> None:
    before = ada.seq
    with pytest.raises(InputError):
        ada.remember_many(["one", "two"], speakers=speakers)  # type: ignore[arg-type]
    assert ada.seq == before


def test_the_rebuilt_memory_knows_who_spoke(ada: Agent) -> None:
    world = memory()
    ada = world.agent("ada", user="tuff")
    told(ada, at_once=True)
    before = ada.recall("Where did Ann move to?", explain=True)
    world.rebuild()

    again = world.agent("ada", user="tuff").recall("Where did Ann move to?", explain=True)

    assert again.hits == before.hits
    assert "speaker" in before.hits[0].terms


def test_a_question_that_names_a_day_is_answered_from_what_was_told_then() -> None:
    clock = ToldClock()
    ada = open_memory(":memory:", Settings(clock=clock, seed=b"talks")).agent("ada", user="tuff")
    for moment, text in (
        ("2026-04-07T10:00:00.000Z", "Dyed my hair, come and see!"),
        ("2026-06-07T10:00:00.000Z", "The boiler was mended."),
    ):
        clock.set(moment)
        ada.remember(text, speaker="Nate", session=moment)

    found = ada.recall("What transformation did Nate undergo in April 2026?").hits

    assert [hit.text for hit in found] == ["Dyed my hair, come and see!"]


def test_of_whom_a_question_asks_their_own_words_tell_in_any_wording(tmp_path: Path) -> None:
    """Half as much likeness will do for what they say; for what others say it will not."""
    bike = "I sold the old Volvo and bought a cargo bike instead."
    with muniment.open(tmp_path / "memory") as kept:
        ada = kept.agent("ada", user="tuff")
        for name, text in (("Nora", bike), ("Felix", "Rain again, all week long.")):
            ada.remember(text, speaker=name)
        rain = ada.recall("rain").hits[0].id

        found = ada.recall("How does Nora get around without a car?", explain=True).hits

        assert [hit.text for hit in found] == [bike]
        assert not found[0].terms.get("words")
        assert found[0].terms["speaker"] > 0
        nora, felix = (
            ada.why_not(rain, f"How does {name} get around without a car?")
            for name in ("Nora", "Felix")
        )
        assert nora.stage == felix.stage == "not_a_candidate"
        assert nora.threshold == 2 * felix.threshold


def test_another_word_for_one_of_the_question_halves_the_likeness_it_takes(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "memory") as kept:
        ada = kept.agent("ada", user="tuff")
        ada.remember(
            "On our way back through the rain, past two empty trams and the closed bakery, "
            "the physician waved at the children on the bridge."
        )
        ada.remember("Please keep statistics of rainfall in millimetres.")

        found = ada.recall("Which doctor did I meet?", explain=True).hits

        assert ["physician" in hit.text for hit in found] == [True]
        assert found[0].terms["kin"] > 0
        assert ada.recall("Where do I live?").hits == (), "to keep is a word for it, and no more"

"""A source is rolled back: shown first, taken back as one change, what it replaced stands again."""

import pytest
from tests import world
from tests.behaviour.learning.test_extraction import LISBON, answering, opened
from tests.scripted_model import facts, scripted

from muniment.engine.api.agent import Agent
from muniment.model import ids
from muniment.model.commands import Forget, RestoreRecord
from muniment.model.commands.rollback import RevertChange
from muniment.model.errors import InputError, NotFoundError
from muniment.model.events.learning import FactsExtracted

MARCH = ids.time_ms("2026-03-01T10:00:00.000Z")
PAGE = "https://kites.example.org/a"


def agent(user: str = "tuff") -> Agent:
    return world.memory(clock=world.StillClock(MARCH)).agent("ada", user=user)


def texts(ada: Agent, query: str) -> list[str]:
    return sorted(hit.text for hit in ada.recall(query, limit=20).hits)


def test_a_preview_shows_what_came_of_a_page_with_its_impact_and_changes_nothing() -> None:
    ada = agent()
    ada.remember("The purple kite is in the attic", source=PAGE)
    ada.remember("The purple sofa is old")
    ada.recall("purple kite")
    ada.flush()
    before = ada.seq
    shown = ada.roll_back("source", PAGE, preview=True)
    assert [(each.text, each.why, each.answers) for each in shown.records] == [
        ("The purple kite is in the attic", "source", 1)
    ]
    assert (shown.answers, shown.first, ada.seq) == (1, 0, before)
    assert len(texts(ada, "purple")) == 2


def test_a_site_names_all_its_pages_and_they_go_in_one_change() -> None:
    ada = agent()
    ada.remember("The purple kite is in the attic", source=PAGE)
    ada.remember("The purple lamp is new", source="https://www.example.org/b")
    ada.remember("The purple sofa is old", source="bert")
    done = ada.roll_back("source", "example.org", reason="hacked")
    assert texts(ada, "purple") == ["The purple sofa is old"]
    assert texts_at(ada, done.first - 1) == [
        "The purple kite is in the attic",
        "The purple lamp is new",
        "The purple sofa is old",
    ]


@pytest.mark.parametrize(
    "site", ["kites.example.org", "https://kites.example.org", "http://Kites.Example.org/"]
)
def test_a_site_is_named_with_its_scheme_or_without(site: str) -> None:
    """Given pages of a site and of another of the same owner, then those of the site go alone."""
    ada = agent()
    ada.remember("The purple kite is in the attic", source=PAGE)
    ada.remember("The purple wing is torn", source="https://old.kites.example.org/b")
    ada.remember("The purple lamp is new", source="https://lamps.example.org/b")
    ada.remember("The purple fort is old", source="https://notkites.example.org")
    ada.roll_back("source", site)
    assert texts(ada, "purple") == ["The purple fort is old", "The purple lamp is new"]


@pytest.mark.parametrize("name", ["co.uk", "https://kites.example.co.uk/b", "uk"])
def test_a_registry_or_another_page_is_no_site(name: str) -> None:
    ada = agent()
    ada.remember("The purple kite is in the attic", source="https://kites.example.co.uk/a")
    assert ada.roll_back("source", name).records == ()


def texts_at(ada: Agent, at: int) -> list[str]:
    return sorted(hit.text for hit in ada.recall("purple", limit=20, at=at).hits)


def test_what_a_source_had_replaced_stands_again_under_its_own_id() -> None:
    ada = agent()
    with ada.job("a job") as job:
        fact = {"type": "fact", "source": "tool", "importance": 1, "key": "kite:colour"}
        old = job.memorize(fact | {"text": "The kite is purple", "source_name": "bert"})
        job.memorize(fact | {"text": "The kite is green", "source_name": PAGE})
    assert texts(ada, "kite") == ["The kite is green"]
    done = ada.roll_back("source", PAGE)
    assert done.restored == (old.id,)
    (hit,) = ada.recall("kite").hits
    assert (hit.id, hit.text) == (old.id, "The kite is purple")
    assert ada.undo_rollback(done.first) == 1
    assert texts(ada, "kite") == ["The kite is green"]


def test_what_a_source_had_told_before_does_not_stand_again() -> None:
    """Given a fact of somebody, then two of a page, when the page goes, then somebody's stands."""
    ada = agent()
    with ada.job("a job") as job:
        fact = {"type": "fact", "source": "tool", "importance": 1, "key": "kite:colour"}
        old = job.memorize(fact | {"text": "The kite is red", "source_name": "bert"})
        for colour in ("purple", "green"):
            job.memorize(fact | {"text": f"The kite is {colour}", "source_name": PAGE})
    told = ada.remember("The purple lamp is in the attic", source=PAGE)
    ada.correct(told.episodic_id, "The purple lamp is in the cellar")
    done = ada.roll_back("source", PAGE)
    assert done.restored == (old.id,)
    assert (texts(ada, "kite"), texts(ada, "lamp")) == (["The kite is red"], [])
    ada.undo_rollback(done.first)
    assert "The kite is green" in texts(ada, "kite")


def test_words_that_a_page_corrected_stand_again() -> None:
    ada = agent()
    told = ada.remember("The purple kite is in the attic")
    ada.correct(told.episodic_id, "The purple kite is in the cellar")
    (hit,) = ada.recall("purple kite").hits
    done = ada.roll_back("item", hit.id)
    assert done.restored == (told.episodic_id,)
    assert [each.id for each in ada.recall("purple kite").hits] == [told.episodic_id]


def test_a_fact_that_a_model_extracted_goes_with_the_words_it_was_extracted_from() -> None:
    with scripted(lambda _: facts()) as server, opened(server) as memory:
        server.script = answering(LISBON)
        ada = memory.agent("ada", user="tuff")
        ada.remember("I moved to Lisbon in March", source="a letter")
        ada.extract_facts()
        done = ada.roll_back("source", "a letter")
        assert {(each.text, each.why) for each in done.records} == {
            ("I moved to Lisbon in March", "source"),
            ("The user lives in Lisbon", "derived"),
        }
        assert ada.extracted_facts() == []
        assert ada.undo_rollback(done.first) == 2
        assert [memo.text for memo in ada.extracted_facts()] == ["The user lives in Lisbon"]


def test_all_that_a_model_answered_goes_by_the_models_name() -> None:
    with scripted(lambda _: facts()) as server, opened(server) as memory:
        server.script = answering(LISBON)
        ada = memory.agent("ada", user="tuff")
        ada.remember("I moved to Lisbon in March")
        ada.extract_facts()
        (told,) = (each for each in world.events(memory) if isinstance(each, FactsExtracted))
        done = ada.roll_back("model", told.model)
        assert [each.text for each in done.records] == ["The user lives in Lisbon"]
        assert texts(ada, "Lisbon") == ["I moved to Lisbon in March"]


def test_nobody_rolls_back_what_is_somebody_elses() -> None:
    memory = world.memory(clock=world.StillClock(MARCH))
    memory.agent("ada", user="tuff").remember("The purple kite is new", source=PAGE)
    bert = memory.agent("ada", user="bert")
    assert bert.roll_back("source", PAGE).records == ()
    done = memory.agent("ada", user="tuff").roll_back("source", PAGE)
    with pytest.raises(NotFoundError):
        bert.undo_rollback(done.first)


def test_what_changed_since_is_not_overwritten_by_an_undo() -> None:
    ada = agent()
    talk = ada.conversation(session="s")
    talk.record(user="My favourite colour is purple", source=PAGE)
    done = ada.roll_back("source", PAGE)
    talk.record(user="My favourite colour is red")
    ada.undo_rollback(done.first)
    values = [each.text for each in talk.items("profile")]
    assert values in ([], ["red"])
    assert ada.recall("favourite colour").hits[0].text == "My favourite colour is red"


@pytest.mark.parametrize(("by", "name"), [("weather", "x"), ("source", " ")])
def test_what_is_rolled_back_has_a_kind_and_a_name(by: str, name: str) -> None:
    with pytest.raises(InputError):
        agent().roll_back(by, name)


def test_what_was_restored_since_stays_and_the_rest_of_the_change_is_undone() -> None:
    ada = agent()
    names = [ada.remember(f"The purple {each} is new").episodic_id for each in ("kite", "lamp")]
    first, mine = ada.seq + 1, {"subject": ada._session.subject}
    for each in names:
        ada._session.append(Forget(item_id=each, **mine))
    last = ada.seq
    ada._session.append(RestoreRecord(item_id=names[0], **mine))
    assert texts(ada, "purple") == ["The purple kite is new"]
    ada._session.append(RevertChange(first=first, last=last, subject=mine["subject"]))
    assert texts(ada, "purple") == ["The purple kite is new", "The purple lamp is new"]

"""What the pages know of a person: each thing with its state, and only to who may see it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import studios
from tests.studios import Browser
from tests.world import SteppingClock, memory

from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import Grant, MemoryCredentials
from muniment.adapters.studio.known import profile
from muniment.adapters.studio.known.catalogue import MemoryCatalogue
from muniment.adapters.studio.known.catalogue_items import Known, Sort, State
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.pages import item
from muniment.engine.audit.provenance import CHANGED, EFFECTS, ENDED, RESTORED
from muniment.model.scope import Role


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = studios.studio(tmp_path / "memory", may_write=True)
    yield made
    made.close()


def known(of: Studio) -> MemoryCatalogue:
    found, far = of.counting.catalogue()
    assert far.is_whole
    return found


def the(of: Studio, words: str, sort: Sort = Sort.TOLD) -> Known:
    (found,) = [each for each in known(of).items if words in each.text and each.sort is sort]
    return found


def test_what_was_corrected_is_replaced_and_names_what_took_its_place(studio: Studio) -> None:
    ada = studio.memory.agent("ada", user="tuff")
    ada.correct(the(studio, "Lisbon").id, "I moved to Porto in April")

    old, new = the(studio, "Lisbon"), the(studio, "Porto")

    assert (old.state, old.replaced_by) == (State.REPLACED, new.id)
    assert [each.text for each in known(studio).versions(new.id)] == [old.text, new.text]


def test_what_a_job_was_told_is_of_the_day_on_which_it_was_told() -> None:
    """Given a clock, when a job whose seed is of another year is told something, then not then."""
    world = memory(clock=SteppingClock())
    ada = world.agent("ada", user="tuff")
    with ada.job("trains") as job:
        job.observe("The user asked about trains")
    (created,) = [each.created for each in ada.records().records]

    read = MemoryCatalogue(frozenset())
    for stream in world.streams():
        for line in world.log(stream):  # one by one: a batch may be read in parts
            read.follow(stream, [line], world.auditor().named)
    (found,) = [each for each in read.items if "trains" in each.text]

    assert found.since == created
    assert read.people["tuff"][:10] == created[:10] == "2026-09-21"


def test_the_page_of_what_was_corrected_or_restored_says_so(studio: Studio) -> None:
    """Given an item that has been replaced and one that came back, when looked at, then shown."""
    ada = studio.memory.agent("ada", user="tuff")
    home, kite = the(studio, "Lisbon").id, ada.remember("The kite is red").episodic_id
    ada.correct(home, "I moved to Porto in April")
    ada.forget(kite)
    ada.restore(kite)
    browser = Browser(studio)

    assert "was changed" in browser.get("/item", stream=studios.ADA, id=home)
    assert "was restored" in browser.get("/item", stream=studios.ADA, id=kite)
    assert {*EFFECTS.values(), CHANGED, RESTORED, ENDED} <= {*item.WORDS}


def test_what_was_forgotten_keeps_its_reason_and_leaves_the_profile(studio: Studio) -> None:
    gone = the(studio, "blue kite")

    assert (gone.state, gone.why) == (State.FORGOTTEN, "it is given")
    assert gone not in profile.distinct(known(studio).by_person["tuff"])


def test_what_came_from_outside_is_quarantined_until_its_person_vouches(studio: Studio) -> None:
    studio.memory.agent("ada", user="tuff").remember("The flyer is free", origin="external")
    assert the(studio, "flyer").state is State.QUARANTINED

    Browser(studio, "grace").send("/vouch", id=the(studio, "flyer").id)
    assert the(studio, "flyer").state is State.QUARANTINED  # it was not told to her

    Browser(studio, "tuff").send("/vouch", id=the(studio, "flyer").id)
    assert the(studio, "flyer").state is State.CURRENT


def test_a_fact_that_was_approved_stands_for_the_sentence_behind_it(studio: Studio) -> None:
    own = known(studio).by_person["tuff"]

    colours = [each for each in profile.distinct(own) if "cerulean" in each.text]

    assert [each.sort for each in colours] == [Sort.APPROVED]


def test_what_was_refused_or_redacted_is_told_without_what_it_was(studio: Studio) -> None:
    notes = {(each.what, each.text) for each in known(studio).notes if each.person == "tuff"}

    assert ("redacted", "phone") in notes
    assert any(each.reason == "privacy_deny_sensitive" for each in known(studio).notes)
    assert "hunter2" not in studios.page(studio, "/person", user="tuff")


def test_an_open_question_is_answered_by_its_person_and_is_open_no_longer(studio: Studio) -> None:
    studio.memory.agent("ada", user="tuff").remember("Remember my favourite season is autumn")
    (question,) = known(studio).questions.values()

    status, _ = Browser(studio, "grace").send("/answer", id=question.id, yes="yes")
    assert (status, len(known(studio).questions)) == (403, 1)

    Browser(studio, "tuff").send("/answer", id=question.id, yes="yes")
    assert not known(studio).questions


def test_after_an_erasure_nothing_of_the_person_is_left_in_any_list(studio: Studio) -> None:
    assert "cerulean" in studios.page(studio, "/memories")
    request = studio.memory.eraser().request("tuff", reason="they asked")
    for member in ("alan", "ken"):
        studio.memory.council(member).approve(request)
    studio.memory.eraser().carry_out(request)

    for path, query in (
        ("/", {}),
        ("/memories", {}),
        ("/search", {"q": "favorite"}),
        ("/talks", {}),
    ):
        page = studios.page(studio, path, **query)
        assert "cerulean" not in page
        assert "tuff" not in page


def test_a_change_is_refused_in_a_studio_that_only_reads(tmp_path: Path) -> None:
    looking = studios.studio(tmp_path / "memory")
    browser, lisbon = Browser(looking), the(looking, "Lisbon").id
    for path, fields in (
        ("/correct", {"id": lisbon, "text": "I moved to Porto"}),
        ("/forget", {"pick0": lisbon}),
        ("/restore", {"pick0": lisbon}),
        ("/vouch", {"id": lisbon}),
        ("/answer", {"id": "confirm:1"}),
    ):
        assert browser.send(path, **fields)[0] == 403, path
    assert the(looking, "Lisbon").state is State.CURRENT
    looking.close()


def test_an_approved_fact_is_forgotten_by_a_request_to_the_council(studio: Studio) -> None:
    status, page = Browser(studio).send("/forget", pick0=studios.KEY, reason="out of date")

    assert status == 200
    assert "Out of date" in page
    assert known(studio).find(studios.KEY) is not None
    assert "retire" in page or "delete" in page.lower()


@pytest.mark.parametrize("role", [Role.COUNCIL, Role.ADMIN, Role.AUDITOR])
@pytest.mark.parametrize(
    "path", ["/", "/person", "/memories", "/search", "/talks", "/life", "/moment", "/map", "/live"]
)
def test_what_people_said_is_on_no_page_of_a_key(
    keyed: Studio, known: MemoryCredentials, role: Role, path: str
) -> None:
    token = api_keys.issue(known, Grant(role=role, who=f"the-{role}"))[0]
    browser = Browser(keyed, token=token)

    assert browser.status(path, user="tuff", q="lisbon") == 403


def test_the_first_step_of_many_says_how_far_it_is(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muniment.adapters.studio.count_cache.STEP_CATALOGUE", 5)

    steps = [studio.counting.catalogue()[1] for _ in range(40)]

    assert not steps[0].is_whole
    assert steps[-1].is_whole
    assert [each.done for each in steps] == sorted(each.done for each in steps)


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("I am allergic to peanuts", "Health"),
        ("Ich bin gegen Nüsse allergisch", "Health"),
        ("Soy alérgica a las nueces", "Health"),
        ("我对花生过敏", "Health"),
        ("मेरा नाम मीरा है", "Who"),
        ("Je m'appelle Mira", "Who"),
        ("Me gusta el té", "Preferences"),
        ("Моя сестра живёт в Киеве", "People"),
        ("Ik woon in Utrecht", "Home"),
        ("Μένω στην Αθήνα", "Home"),
        ("私は東京に住んでいます", "Home"),
        ("나는 서울에 살고 있어요", "Home"),
        ("Abito a Roma", "Home"),
        ("Quero visitar o Porto", "Plans"),
        ("I work at Casa Azul", "Work"),
        ("أعمل في بنك", "Work"),
        ("The song is of no category", "Also known"),
        # Whose home or work it is the sentence says.
        ("Sven moved to Hannover", "People"),
        ("Sven works at Bosch", "People"),
        ("Катя переехала в Казань", "People"),
        ("Мы переехали в Казань", "Home"),
        ("Sven and I moved to Hannover", "Home"),
        ("We moved to Bremen, Ana works at Bosch", "Home"),
    ],
)
def test_a_sentence_stands_under_its_heading_in_the_language_it_was_said_in(
    text: str, heading: str
) -> None:
    assert profile.topic(text) == heading


def test_talk_that_states_nothing_stands_below_what_states_something(studio: Studio) -> None:
    ada = studio.memory.agent("ada", user="tuff")
    told = ("My aunt keeps llamas", "lol 34", "erzähl mir einen Witz", "what is 7 times 8")
    for said in told:
        ada.remember(said)

    own = [each for each in known(studio).items if each.person == "tuff"]
    (last,) = [each for each in profile.sections(own) if each.name == profile.LAST]
    shown = [each.text for each in last.lines]

    assert {*shown[-3:]} == {*told[1:]}
    assert told[0] in shown[:-3]

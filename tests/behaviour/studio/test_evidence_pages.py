"""What only evidence can do, in the studio: retention and holds, branches, rollback, what-if."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import studios
from tests.studios import TOKEN, Browser

import muniment
from muniment.adapters.studio.auth import Sessions
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.pages.evidence import what_if
from muniment.engine.api.memory import Memory
from muniment.model.errors import RefusedError
from muniment.model.policy import Governance, Policy
from muniment.model.policy.keep_days import KeepDays

PAGE = "https://tours.example.org/museum"
KEPT = Policy(keep_days=KeepDays(sentences=30), governance=Governance(retention_epochs=1))


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = studios.studio(tmp_path / "memory", may_write=True)
    yield made
    made.close()


@pytest.fixture
def keeping(tmp_path: Path) -> Iterator[Studio]:
    """A memory whose sentences are kept for a month, told by a clock."""

    def opened() -> Memory:
        return muniment.open(tmp_path / "memory", policy=KEPT)

    with opened() as memory:
        memory.agent("ada", user="tuff").remember("The invoice was paid in cash")
    made = Studio(opened, Sessions(TOKEN), place="./memory", may_write=True)
    yield made
    made.close()


def test_what_goes_is_shown_with_its_day(keeping: Studio) -> None:
    page = Browser(keeping).get("/retention")

    assert "Nothing is due today" in page
    assert ">what was told</td>" in page
    assert "kept until then" in page
    assert "Erase what is due" not in page, "nobody is offered what would do nothing"


def test_a_hold_is_placed_shown_and_lifted(keeping: Studio) -> None:
    browser = Browser(keeping)
    browser.send("/hold", user="tuff", reason="order 7 of the court")
    (hold,) = keeping.memory.admin().holds()
    page = browser.get("/retention")
    assert "order 7 of the court" in page
    assert "held</span> order 7 of the court" in page
    assert hold.hold_id not in re.sub(r"<[^>]*>", "", page), "an order is told by its words"
    browser.send("/lift", id=hold.hold_id)
    assert keeping.memory.admin().holds() == []


def test_what_is_held_is_not_offered_to_be_forgotten_or_put_right(studio: Studio) -> None:
    ada = studio.memory.agent("ada", user="tuff")
    ada.remember("The prototype was promised for March")
    (found,) = [each for each in ada.recall("prototype").hits if "promised" in each.text]
    browser = Browser(studio)
    item = {"stream": studios.ADA, "id": found.id}
    assert 'action="/correct"' in browser.get("/item", **item)

    hold = studio.memory.admin("grace").place_hold(user="tuff", reason="Claim 7")

    shown, listed = browser.get("/item", **item), browser.get("/memories")
    assert "Claim 7" in shown
    assert 'action="/correct"' not in shown
    assert "/forget?" not in shown + listed
    assert "held</span>" in listed
    with pytest.raises(RefusedError):
        ada.forget(found.id)
    studio.memory.admin("grace").lift_hold(hold)
    assert "/forget?" in browser.get("/memories")


def test_a_branch_is_opened_looked_at_and_merged_or_discarded(studio: Studio) -> None:
    browser = Browser(studio)
    for how in ("merge", "discard"):
        browser.send("/branches", name=f"try-{how}")
        trial = studio.memory.on_branch(f"try-{how}")
        trial.agent("ada", user="tuff").remember(f"My boat is called Petrel the {how}d")
        assert f"Try {how}" in browser.get("/branches")
        page = browser.get("/branch", name=f"try-{how}")
        assert f"Petrel the {how}d" in page
        assert "Everything comes out as it did in the branch" in page
        browser.send("/branch", name=f"try-{how}", how=how)
    assert studio.memory.branches().list() == []
    hits = studio.memory.agent("ada", user="tuff").recall("What is my boat called?", limit=20).hits
    texts = {hit.text for hit in hits}
    assert "My boat is called Petrel the merged" in texts
    assert "My boat is called Petrel the discardd" not in texts


def test_what_a_merge_would_not_repeat_is_told_in_words(studio: Studio) -> None:
    ada = studio.memory.agent("ada", user="tuff")
    flight = ada.remember("I fly to Kyoto in May").episodic_id
    trial = studio.memory.branch("in-autumn").agent("ada", user="tuff")
    trial.correct(flight, "I fly to Kyoto in November")
    ada.correct(flight, "I fly to Kyoto in June")

    page = Browser(studio).get("/branch", name="in-autumn")

    merged = page.partition('id="merged"')[2]
    assert "<del>I fly to Kyoto in May</del>" in page.partition('id="merged"')[0]
    assert "I fly to Kyoto in November" in merged
    assert "it was changed in the memory meanwhile" in merged.replace("what it puts right", "it")
    assert "item_unknown" not in page


@pytest.mark.parametrize("idea", [each.name for each in what_if.IDEAS])
def test_each_idea_of_another_policy_can_be_tried(studio: Studio, idea: str) -> None:
    heads = {each: studio.memory.head(each) for each in studio.memory.streams()}

    page = Browser(studio).get("/what-if", idea=idea)

    assert f'idea={idea}" aria-current="true"' in page
    assert re.search("(what|nothing) would change</h2>", page)
    assert {each: studio.memory.head(each) for each in studio.memory.streams()} == heads


def test_sources_are_listed_to_be_taken_back_and_none_has_to_be_typed(studio: Studio) -> None:
    ada = studio.memory.agent("ada", user="tuff")
    ada.remember("The museum is closed on Mondays", source=PAGE)
    browser = Browser(studio)

    listed = browser.get("/rollback")
    led = re.findall(r'class="words"><a href="(/rollback[^"]*)"', listed)

    assert PAGE in listed
    assert "Desk" in listed, "a conversation by what it was about"
    assert "1 record would go" in browser.client.get(html.unescape(led[0])).text


def test_a_source_is_shown_with_its_impact_taken_back_and_given_back(studio: Studio) -> None:
    ada = studio.memory.agent("ada", user="tuff")
    ada.remember("The museum is closed on Mondays", source=PAGE)
    ada.recall("Is the museum closed?")
    ada.flush()
    browser, named = Browser(studio), {"agent": "ada", "user": "tuff", "by": "source", "name": PAGE}

    page = browser.get("/rollback", **named)
    assert "1 record would go" in page
    assert "The museum is closed on Mondays" in page
    assert "used by 1 answer" in page

    _, told = browser.send("/rollback", **named, reason="the page was hacked")
    assert "1 record was taken back" in told
    assert not any("museum" in hit.text for hit in ada.recall("Is the museum closed?").hits)
    first = told.partition('name="first" value="')[2].partition('"')[0]
    browser.send("/rollback-undo", agent="ada", user="tuff", first=first)
    assert any("museum" in hit.text for hit in ada.recall("Is the museum closed?").hits)


def test_another_policy_is_tried_and_nothing_is_written(studio: Studio) -> None:
    heads = {each: studio.memory.head(each) for each in studio.memory.streams()}
    browser = Browser(studio)
    assert "Replay" in browser.get("/what-if")
    _, told = browser.send("/what-if", policy='[privacy]\ndeny_patterns = ["Lisbon"]\n')
    assert "would not be kept" in told
    assert "I moved to Lisbon in March" in told
    _, same = browser.send("/what-if", policy="")
    assert "nothing would change" in same
    status, wrong = browser.send("/what-if", policy="no = [policy")
    assert status == 400
    assert "this is not TOML" in wrong
    assert {each: studio.memory.head(each) for each in studio.memory.streams()} == heads


def test_a_studio_that_reads_offers_none_of_these_changes(tmp_path: Path) -> None:
    made = studios.studio(tmp_path / "memory")
    browser = Browser(made)
    for path in ("/retention", "/branches", "/rollback"):
        assert 'method="post" action="/' not in browser.get(path).partition("<h1>")[2]
    assert browser.send("/hold", user="tuff", reason="order")[0] != 200
    made.close()


def test_a_passport_from_the_page_is_taken_in_elsewhere(studio: Studio) -> None:
    browser = Browser(studio)
    assert 'action="/passport"' in browser.get("/privacy", user="tuff")

    status, text = browser.send("/passport", user="tuff", reason="he moves")

    other = muniment.open(":memory:")
    taken = other.passports().take_in(text.encode(), user="tuff", key=studio.memory.notary().key)
    assert status == 200
    assert taken.carried > 0
    assert any("Lisbon" in hit.text for hit in other.agent("ada", user="tuff").recall("Lisbon"))


def test_a_passport_without_a_reason_or_of_nobody_is_not_made(studio: Studio) -> None:
    browser = Browser(studio)

    assert browser.send("/passport", user="tuff", reason="")[0] == 400
    assert browser.send("/passport", user="nobody", reason="he moves")[0] == 404

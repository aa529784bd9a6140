"""What only evidence can do, in the studio: retention and holds, branches, rollback, what-if."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import studios
from tests.studios import TOKEN, Browser

import muniment
from muniment.adapters.studio.auth import Sessions
from muniment.adapters.studio.page_context import Studio
from muniment.engine.api.memory import Memory
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
    assert "<td>Sentences</td>" in page
    assert "kept until then" in page
    assert "Erase what is due" not in page, "nobody is offered what would do nothing"


def test_a_hold_is_placed_shown_and_lifted(keeping: Studio) -> None:
    browser = Browser(keeping)
    browser.send("/hold", user="tuff", reason="order 7 of the court")
    (hold,) = keeping.memory.admin().holds()
    page = browser.get("/retention")
    assert "order 7 of the court" in page
    assert f"held</span> {hold.hold_id}" in page
    browser.send("/lift", id=hold.hold_id)
    assert keeping.memory.admin().holds() == []


def test_a_branch_is_opened_looked_at_and_merged_or_discarded(studio: Studio) -> None:
    browser = Browser(studio)
    for how in ("merge", "discard"):
        browser.send("/branches", name=f"try-{how}")
        trial = studio.memory.on_branch(f"try-{how}")
        trial.agent("ada", user="tuff").remember(f"My boat is called Petrel the {how}d")
        assert f"try-{how}" in browser.get("/branches")
        page = browser.get("/branch", name=f"try-{how}")
        assert f"Petrel the {how}d" in page
        assert "Everything comes out as it did in the branch" in page
        browser.send("/branch", name=f"try-{how}", how=how)
    assert studio.memory.branches().list() == []
    hits = studio.memory.agent("ada", user="tuff").recall("What is my boat called?", limit=20).hits
    texts = {hit.text for hit in hits}
    assert "My boat is called Petrel the merged" in texts
    assert "My boat is called Petrel the discardd" not in texts


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
    assert "Refused" in told
    _, same = browser.send("/what-if", policy="")
    assert "Nothing would change" in same
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

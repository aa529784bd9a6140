"""Pages of long logs: bounded, and honest about what they leave out."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import studios
from tests.studios import ADA, COUNCIL, Browser

from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_request import PART
from muniment.adapters.studio.pages.audit import diff, overview, privacy

LONG = "a sentence that goes on and on, " * 900


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = studios.studio(tmp_path / "memory", may_write=True)
    yield made
    made.close()


def told_from_outside(studio: Studio, count: int) -> None:
    texts = [f"The page says number {each}" for each in range(count)]
    studio.memory.agent("ada", user="tuff").remember_many(texts, origin="external")


def test_a_difference_counts_what_it_does_not_show(studio: Studio) -> None:
    many = diff.ROWS_MAX + 7
    texts = [f"Note number {each}" for each in range(many)]
    for start in range(0, many, 200):
        studio.memory.agent("eve", user="tuff").remember_many(texts[start : start + 200])

    page = studios.page(studio, "/diff", stream="main/agent/eve/actor", **{"from": "0"})

    assert re.search(rf'Learned <span class="quiet number">{many}<', page)
    assert page.count("Note number") == diff.ROWS_MAX
    assert f"The first {diff.ROWS_MAX} are shown" in page


def test_two_logs_side_by_side_say_what_they_do_not_show(studio: Studio) -> None:
    many = diff.ROWS_MAX + 7
    for start in range(0, many, 200):
        texts = [f"Note number {each}" for each in range(start, min(start + 200, many))]
        studio.memory.agent("eve", user="tuff").remember_many(texts)

    page = studios.page(studio, "/beside", stream="main/agent/eve/actor", other=COUNCIL)

    assert f"The first {diff.ROWS_MAX} are shown" in page


def test_what_was_set_apart_is_shown_in_parts(studio: Studio) -> None:
    told_from_outside(studio, PART + 3)

    first = studios.page(studio, "/apart", stream=ADA)
    rest = studios.page(studio, "/apart", stream=ADA, skip=str(PART))

    assert first.count("The page says number") == PART
    assert f">{PART + 3}</span> wait" in first
    assert f"skip={PART}" in first
    assert rest.count("The page says number") == 3
    assert "Show more" not in rest


def test_a_person_with_many_facts_gets_a_page_that_ends(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(privacy, "FACTS_MAX", 4)
    for each in range(6):
        kept = studio.memory.agent("ada", user="tuff").remember(
            f"Remember my favourite thing{each} is the colour {each}"
        )
        assert kept.question
        asked = studio.memory.agent("ada", user="tuff").confirm(kept.question.confirmation_id)
        for member in ("grace", "alan"):
            studio.memory.council(member).approve(asked)

    page = studios.page(studio, "/privacy", user="tuff")

    assert page.count('title="user/profile/user_tuff/favorite_') == 4
    assert "3 more" in page  # six, and the colour of before


def test_a_long_text_takes_a_line_of_the_timeline_and_is_whole_on_its_own_page(
    studio: Studio,
) -> None:
    kept = studio.memory.agent("ada", user="tuff").remember(LONG)

    timeline = studios.page(studio, "/log", stream=ADA)
    own = studios.page(studio, "/item", stream=ADA, id=kept.episodic_id)
    entry = studios.page(studio, "/entry", stream=ADA, seq=str(kept.seq))

    assert 1 <= timeline.count("goes on and on") < 20
    assert own.count("goes on and on") >= 900
    assert entry.count("goes on and on") >= 900


def test_what_was_not_looked_at_is_not_called_nothing(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = studio.memory.agent("ada", user="tuff")
    kept = agent.remember("The first of many")
    agent.remember("And one more")
    monkeypatch.setattr("muniment.engine.audit.provenance.SCAN_ENTRIES", 1)

    page = studios.page(studio, "/item", stream=ADA, id=kept.episodic_id)

    assert f"Nothing up to entry {kept.seq + 1}." in page


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/waiting", {}),
        ("/counts", {"stream": ADA}),
        ("/phases", {"stream": ADA}),
        ("/why-not", {"stream": ADA, "user": "tuff", "q": "Lisbon", "id": "ep:none"}),
    ],
)
def test_what_a_script_fetches_is_a_page_to_whoever_has_none(
    studio: Studio, path: str, query: dict[str, str]
) -> None:
    browser = Browser(studio)

    page = browser.get(path, **query)
    part = browser.client.get(path, params=query, headers={"hx-request": "true"}).text

    assert "<nav" in page
    assert "<title>" in page
    assert "<nav" not in part
    assert "<title>" not in part


def test_work_can_be_followed_without_a_script(studio: Studio) -> None:
    browser = Browser(studio)
    browser.send("/prove", kind="prove")

    page = browser.get("/work", name="prove")

    assert "<nav" in page
    assert "Look again" in page or "Everything holds." in page


def test_who_was_signed_out_meanwhile_signs_in_on_a_page_and_comes_back(studio: Studio) -> None:
    browser = Browser(studio)
    browser.client.cookies.clear()

    part = browser.client.get("/log", params={"before": "9"}, headers={"hx-request": "true"})
    page = browser.client.get("/log", params={"stream": ADA, "text": '"><b>'})
    assert part.status_code == 401
    assert part.headers["hx-refresh"] == "true"
    assert 'name="back" value="/log?stream=main' in page.text
    assert "<b>" not in page.text

    back = re.search(r'name="back" value="([^"]*)"', page.text)
    assert back
    answer = browser.client.post(
        "/sign-in",
        data={"token": studios.TOKEN, "name": "grace", "back": back[1].replace("&amp;", "&")},
        follow_redirects=False,
    )
    assert answer.headers["location"].startswith("/log?stream=main")


@pytest.mark.parametrize(
    "back", ["//evil.example/log", "https://evil.example/", "/\\evil.example", "/static/x", "log"]
)
def test_nobody_is_sent_elsewhere_by_signing_in(studio: Studio, back: str) -> None:
    browser = Browser(studio)

    answer = browser.client.post(
        "/sign-in",
        data={"token": studios.TOKEN, "name": "grace", "back": back},
        follow_redirects=False,
    )

    assert answer.headers["location"] == "/"


def test_of_many_logs_a_page_opens_so_many_and_leads_to_the_others(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overview, "LOGS", 2)
    for name in ("bob", "eve"):
        studio.memory.agent(name, user="tuff").remember("I moved to Lisbon in March")
    browser, count = Browser(studio), len(studio.streams())

    first, waiting = browser.get("/logs"), browser.get("/waiting")
    rest, other = browser.get("/logs", skip="2"), browser.get("/waiting", skip="2")

    assert first.count("<article") == 2
    assert f"2 of {count} logs are shown." in first
    assert "skip=2" in first
    assert rest.count("<article") == min(2, count - 2)
    told = [name for name in ("Ada", "Bob", "Eve") if f"for {name}" in waiting]
    assert told == ["Ada", "Bob"]
    assert "2 of 3 agents were looked at." in waiting
    assert "for Eve" in other
    assert "Show more" not in other

"""What takes long is read part by part: a page says how far it is, and goes on while seen."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import studios
from tests.studios import ADA, Browser

from muniment.adapters.studio import count_cache
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.pages.audit import diff
from muniment.engine.projections import index

CHANGES = re.compile(r"<strong>(\d+)</strong> changes?\.")

GOES_ON = re.compile(r'hx-get="([^"]*)" hx-trigger="load delay:50ms"')


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = studios.studio(tmp_path / "memory", may_write=True)
    yield made
    made.close()


def followed(browser: Browser, path: str, **query: str) -> list[str]:
    """The page as it grows: what a script fetches again until nothing is left to be read."""
    told = [browser.get(path, **query)]
    while again := GOES_ON.search(told[-1]):
        answer = browser.client.get(again[1].replace("&amp;", "&"))
        assert answer.status_code == 200
        told.append(answer.text)
        assert len(told) < 100
    return told


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/counts", {"stream": ADA}),
        ("/waiting", {}),
        ("/apart", {"stream": ADA}),
        ("/privacy", {"user": "tuff"}),
    ],
)
def test_a_page_that_counts_in_parts_ends_with_what_it_says_at_once(
    studio: Studio,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    query: dict[str, str],
) -> None:
    whole = Browser(studio).get(path, **query)
    monkeypatch.setattr(count_cache, "STEP_ENTRIES", 7)
    other = Studio(
        lambda: studios.opened(tmp_path / "memory"),
        studio.sessions,
        place="./memory",
        may_write=True,
    )

    told = followed(Browser(other), path, **query)

    assert len(told) > 3
    assert "entries read" in told[0]
    assert "Go on" in told[0]  # for whoever has no script
    assert _words(told[-1]) == _words(whole)
    other.close()


def test_what_many_agents_know_of_a_person_is_read_so_many_logs_at_a_time(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        studio.memory.agent(f"agent-{number}", user="tuff").remember("The kettle is new")
    logs = len(studio.streams())
    monkeypatch.setattr(count_cache, "STEP_LOGS", 2)

    told = followed(Browser(studio), "/privacy", user="tuff")

    assert len(told) == -(-logs // 2)
    assert "Agent 4, what was said" not in told[0]
    assert "Agent 4, what was said" in told[-1]


def test_the_first_question_in_the_lab_says_how_far_it_is_and_is_then_answered(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        studio.memory.agent("eve", user="tuff").remember(f"Kite number {number} is blue")
    query = {"stream": "main/agent/eve/actor", "user": "tuff", "q": "Which kite?"}
    monkeypatch.setattr(index, "AT_ONCE", 1)

    told = followed(Browser(studio), "/lab", **query)

    assert len(told) > 1
    assert "entries read" in told[0]
    assert "Kite number" not in told[0]
    assert "Kite number" in told[-1]
    assert "entries read" not in told[-1]


def test_why_not_waits_for_the_index_as_the_lab_does(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index, "AT_ONCE", 1)
    query = {"stream": ADA, "user": "tuff", "q": "Lisbon", "id": "ep:none"}

    told = followed(Browser(studio), "/why-not", **query)

    assert len(told) > 1
    assert "ep:none" not in told[0].partition("<main")[2].replace("ep%3Anone", "")
    assert "ep:none" in told[-1]


def test_a_long_difference_is_looked_at_part_by_part_and_says_where_it_stands(
    studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = studios.page(studio, "/diff", stream=ADA, **{"from": "0"})
    monkeypatch.setattr(diff, "ENTRIES_MAX", 10)
    head = studio.memory.head(studio.stream(ADA))
    browser, start, told = Browser(studio), 0, list[str]()

    while start < head:
        page = browser.get("/diff", stream=ADA, **{"from": str(start), "to": str(head)})
        told.append(page)
        start += 10

    assert f"Looked up to entry 10 of {head}: look further" in told[0]
    assert "look further" not in told[-1]
    counts = [int(CHANGES.findall(page)[0]) for page in told]
    assert sum(counts) == int(CHANGES.findall(whole)[0])


def _words(page: str) -> list[str]:
    return re.sub(r"<[^>]+>|[0-9a-f]{64}", " ", page).split()

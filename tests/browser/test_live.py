"""What others write while somebody looks: it appears, the title counts, and no line loses it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Open
from tests.browser.shaky_line import shaky_line
from tests.browser.test_studio import ADA, Served

OTHER_PROCESS = """
import sys
from pathlib import Path
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.operations import demo_month
memory = open_memory(Path(sys.argv[1]), Settings(policy=demo_month.policy(), clock=False))
mira = memory.agent("ada", user="mira")
for text in sys.argv[2:]:
    question = mira.remember(text).question
    if question:
        mira.confirm(question.confirmation_id, yes=True)
memory.close()
"""
LATER = 20_000  # milliseconds: a line that broke is tried again by the browser after some seconds
PLACES = {
    "people": "/",
    "memories": "/memories",
    "entries": f"/log?stream={ADA}",
}


def elsewhere(tmp_path: Path, *sentences: str) -> None:
    """Another process tells the same memory something."""
    told = [sys.executable, "-c", OTHER_PROCESS, str(tmp_path / "memory"), *sentences]
    subprocess.run(told, check=True, timeout=120)


def watched(page: Page, home: str, path: str) -> None:
    """A page whose line to the server is open, and that would not survive a reload."""
    with page.expect_response(re.compile("/live")):
        page.goto(home + path)
    page.evaluate("window.same = true")


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("name", PLACES)
def test_what_another_process_writes_appears_on_top_without_a_reload(
    deciding: Served, come: Open, tmp_path: Path, name: str, *, width: int
) -> None:
    home, _ = deciding
    page = come(home, width=width)
    watched(page, home, PLACES[name])
    before = page.locator("[data-line]").count()
    elsewhere(tmp_path, "The ferry leaves at nine", "The ferry comes back at noon")
    first = page.locator("[data-line]").nth(0)
    expect(first).to_contain_text("The ferry comes back at noon", timeout=LATER)
    expect(page.locator("[data-line]").nth(1)).to_contain_text("The ferry leaves at nine")
    assert page.locator("[data-line]").count() == before + 2
    expect(page.locator("#news")).to_contain_text("new entries: show")
    assert page.evaluate("window.same")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_title_counts_what_another_process_puts_before_the_council(
    deciding: Served, come: Open, tmp_path: Path
) -> None:
    home, _ = deciding
    page = come(home)
    watched(page, home, "/council")
    assert page.title().startswith("(2) ")
    elsewhere(tmp_path, "Remember my favourite fruit is quince")
    expect(page).to_have_title(re.compile(r"^\(3\) "), timeout=LATER)
    assert page.evaluate("window.same")


def test_a_slow_line_that_breaks_loses_nothing(
    deciding: Served, come: Open, tmp_path: Path
) -> None:
    with shaky_line(deciding[0]) as line:
        page = come(line.home)
        watched(page, line.home, f"/log?stream={ADA}")
        elsewhere(tmp_path, "The ferry leaves at nine")
        told = page.locator("[data-line]")
        expect(told.nth(0)).to_contain_text("The ferry leaves at nine", timeout=LATER)
        line.cut()
        elsewhere(tmp_path, "The ferry is late", "The ferry is cancelled")
        page.wait_for_timeout(1_500)
        expect(page.get_by_text("The ferry is late")).to_have_count(0)
        line.mend()
        expect(told.nth(0)).to_contain_text("The ferry is cancelled", timeout=LATER)
        expect(told.nth(1)).to_contain_text("The ferry is late")
        expect(told.nth(2)).to_contain_text("The ferry leaves at nine")
        seen = told.evaluate_all("(rows) => rows.map((each) => each.dataset.line)")
        assert seen == sorted(set(seen), key=int, reverse=True)
        assert page.evaluate("window.same")


def test_a_reader_who_has_scrolled_stays_where_they_are(
    deciding: Served, come: Open, tmp_path: Path
) -> None:
    home, _ = deciding
    page = come(home)
    watched(page, home, f"/log?stream={ADA}")
    row = page.locator("[data-line]").nth(30)
    row.scroll_into_view_if_needed()
    before = row.bounding_box()
    name = row.get_attribute("data-line")
    elsewhere(tmp_path, "The ferry leaves at nine")
    fresh = page.locator("[data-line].fresh")
    expect(fresh).to_have_count(1, timeout=LATER)
    after = page.locator(f'[data-line="{name}"]').bounding_box()
    assert before
    assert after
    assert abs(before["y"] - after["y"]) <= 1


def test_a_page_that_grows_by_itself_keeps_nobody_signed_in(
    deciding: Served, come: Open, tmp_path: Path
) -> None:
    home, studio = deciding
    page = come(home)
    watched(page, home, "/")
    (session,) = studio.sessions._open.values()
    seen = session.seen
    elsewhere(tmp_path, "The ferry leaves at nine")
    expect(page.locator("[data-line].fresh")).to_have_count(1, timeout=LATER)
    assert session.seen == seen

"""The studio over a long day: sessions that end, arrows that are held, texts without an end."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.conftest import Open, serving
from tests.browser.test_studio import ADA, Served, settled
from tests.studios import TOKEN, opened

from muniment.adapters.studio import count_cache


def test_who_was_signed_out_meanwhile_signs_in_and_is_where_they_were(
    looking: Served, come: Open
) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/log?stream={ADA}&text=e")
    page.context.clear_cookies()

    page.get_by_role("link", name="Show older entries").click()
    page.fill("#token", TOKEN)
    page.get_by_role("button", name="Sign in").click()

    expect(page.get_by_role("heading", name="Entries")).to_be_visible()
    assert "text=e" in page.url


def test_the_slider_keeps_the_keyboard_and_waits_until_the_hand_rests(
    looking: Served, come: Open
) -> None:
    home, studio = looking
    head = studio.memory.head(next(each for each in studio.streams() if each.text == ADA))
    page = come(home)
    page.goto(f"{home}/log?stream={ADA}")
    page.locator("[data-slider]").focus()

    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(rf"at={head - 3}$"), timeout=30_000)
    settled(page)
    expect(page.locator("[data-slider]")).to_be_focused()

    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(rf"at={head - 4}$"), timeout=30_000)


# How many lines the words of an element take.
LINES = """cell => {
    const words = document.createRange();
    words.selectNodeContents(cell);
    return words.getClientRects().length;
}"""


def test_a_text_without_an_end_crushes_nothing_beside_it(tmp_path: Path, come: Open) -> None:
    with opened(tmp_path / "memory") as memory:
        memory.agent("ada", user="mira").remember("W" * 20_000)
    with serving(tmp_path / "memory") as (home, _):
        page = come(home, width=1100)
        page.goto(f"{home}/log?stream={ADA}")
        kinds = page.locator(".log tbody .kind")

        lines = [each.evaluate(LINES) for each in kinds.all()]

        assert lines
        assert set(lines) == {1}
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_counted_in_parts_goes_on_by_itself_and_without_a_script_by_a_link(
    tmp_path: Path, come: Open, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count_cache, "STEP_ENTRIES", 9)
    with opened(tmp_path / "memory") as memory:
        for number in range(20):
            memory.agent("ada", user="mira").remember(f"Kite number {number} is blue")
    with serving(tmp_path / "memory") as (home, studio):
        page = come(home)
        head = studio.memory.head(studio.stream(ADA))
        page.goto(f"{home}/logs")
        expect(page.get_by_role("cell", name="Told", exact=True)).to_be_visible()
        expect(page.get_by_role("progressbar")).to_have_count(0)
        expect(page.locator(".logs .growing")).to_have_count(1)

        plain = chromium.new_context(java_script_enabled=False).new_page()
        plain.goto(f"{home}/sign-in?token={TOKEN}")
        plain.goto(f"{home}/privacy?user=mira")
        went_on = 0
        while plain.get_by_role("link", name="Go on").count():
            plain.get_by_role("link", name="Go on").click()
            went_on += 1
        assert went_on == (head - 1) // 9
        expect(plain.get_by_text("Told 20")).to_be_visible()
        plain.context.close()


UNBROKEN = "mira" * 15


def test_a_long_name_breaks_where_the_screen_ends(tmp_path: Path, come: Open) -> None:
    with opened(tmp_path / "memory") as memory:
        memory.agent("ada", user=UNBROKEN).remember("I moved to Lisbon in March")
        mira = memory.agent("ada", user="mira-who-has-a-name-that-goes-on-for-a-while")
        told = mira.remember("Remember my favourite colour is cerulean")
        assert told.question
        asked = mira.confirm(told.question.confirmation_id)
        for member in ("grace", "alan"):
            memory.council(member).approve(asked)
    with serving(tmp_path / "memory") as (home, _):
        page = come(home, width=320)
        for path in (
            f"/lab?stream={ADA}&user=mira-who-has-a-name-that-goes-on-for-a-while&q=colour",
            f"/request?id={asked}",
            "/privacy?user=mira-who-has-a-name-that-goes-on-for-a-while",
            f"/privacy?user={UNBROKEN}",
            f"/signed?stream={ADA}",
            f"/why-not?stream={ADA}&q=colour&id={'W' * 500}",
        ):
            page.goto(home + path)
            settled(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
            assert page.locator("h1").count() == 1, path

"""The studio over a long day: sessions that end, arrows that are held, texts without an end."""

from pathlib import Path

from playwright.sync_api import expect
from tests.browser.conftest import Open, serving
from tests.browser.test_studio import ADA, Served, settled
from tests.studios import TOKEN, opened


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

    expect(page.get_by_role("heading", name="Timeline")).to_be_visible()
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
    page.wait_for_url(f"**at={head - 3}")
    settled(page)
    expect(page.locator("[data-slider]")).to_be_focused()

    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**at={head - 4}")


def test_a_text_without_an_end_crushes_nothing_beside_it(tmp_path: Path, come: Open) -> None:
    with opened(tmp_path / "memory") as memory:
        memory.agent("ada", user="mira").remember("W" * 20_000)
    with serving(tmp_path / "memory") as (home, _):
        page = come(home, width=1100)
        page.goto(f"{home}/log?stream={ADA}")
        kinds = page.locator(".log tbody code")

        line = page.evaluate("parseFloat(getComputedStyle(document.body).lineHeight)")
        heights = [each.bounding_box() for each in kinds.all()]

        assert heights
        assert all(box and box["height"] <= line for box in heights)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

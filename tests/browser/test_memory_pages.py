"""The people and what is known of them, in a real browser: one task as a new user would do it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import PHONE, Open
from tests.browser.test_studio import Served, accessible, settled

CLICKS_MAX = 12


class Hand:
    """Clicks as a person does, or taps on a telephone, and counts."""

    def __init__(self, page: Page, *, taps: bool = False) -> None:
        self.page = page
        self.taps = taps
        self.clicks = 0

    def click(self, role: str, name: str | re.Pattern[str]) -> None:
        found = self.page.locator("summary", has_text=name) if role == "summary" else None
        target = found or self.page.get_by_role(role, name=name).first  # type: ignore[arg-type]
        target.tap() if self.taps else target.click()
        self.clicks += 1


def looked_at(page: Page, heading: str) -> None:
    """The page is there, and everybody can use it."""
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    accessible(page)


@pytest.mark.parametrize("width", [1440, 390])
def test_what_is_known_of_miras_health_is_found_corrected_forgotten_and_proved_gone(
    deciding: Served, come: Open, *, width: int
) -> None:
    home, studio = deciding
    hand = Hand(page := come(home, "mira", width=width), taps=width < PHONE)

    hand.click("link", "Mira Oliveira")
    health = page.get_by_role("region", name="Health")
    expect(health).to_contain_text("I am allergic to peanuts")
    expect(health).to_contain_text("their own words · 4 Mar 2026")  # who told it, since when
    hand.click("link", "I am allergic to peanuts")
    expect(page.get_by_role("heading", name="Which answers used it")).to_be_visible()
    expect(
        page.get_by_role("link", name="Which allergies do I tell the hotel in Kyoto about?")
    ).to_be_visible()
    accessible(page)

    hand.click("summary", "Put right")
    page.get_by_label("What it should say").fill("I am allergic to hazelnuts")
    hand.click("button", "Save")
    expect(page.get_by_role("heading", name="I am allergic to hazelnuts")).to_be_visible()
    expect(page.locator(".strip")).to_contain_text("I am allergic to peanuts")

    hand.click("link", "Forget")
    looked_at(page, "Forget this?")
    hand.click("button", "Forget")
    expect(page.get_by_role("heading", name="It is gone")).to_be_visible()
    expect(page.get_by_text("the agent no longer finds it")).to_be_visible()
    hand.click("button", "Prove it by the log")
    expect(page.get_by_text("Everything holds.")).to_be_visible(timeout=60_000)

    assert hand.clicks <= CLICKS_MAX
    mira = studio.memory.agent("ada", user="mira")
    assert "hazelnuts" not in str(mira.recall("Am I allergic to hazelnuts?").hits)


def test_what_was_forgotten_in_bulk_comes_back_by_undo(deciding: Served, come: Open) -> None:
    home, studio = deciding
    page = come(home)
    page.goto(f"{home}/memories?user=mira&q=kyoto&sort=told")
    for box in page.get_by_role("checkbox", name=re.compile("Tick")).all():
        box.check()
    page.get_by_role("button", name="Forget the ticked ones").click()
    expect(page.get_by_role("heading", name=re.compile("Forget"))).to_be_visible()
    page.get_by_role("button", name="Forget").click()
    expect(page.get_by_text("gone", exact=True).first).to_be_visible()
    mira = studio.memory.agent("ada", user="mira")
    assert not any("fly to Kyoto" in hit.text for hit in mira.recall("When do I fly?").hits)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(re.compile("/memories"))
    assert any("fly to Kyoto" in hit.text for hit in mira.recall("When do I fly?").hits)


def test_a_studio_that_reads_offers_no_change(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home, "mira")
    page.goto(f"{home}/search?q=allergic+peanuts")
    page.get_by_role("link", name="I am allergic to peanuts").click()
    expect(page.get_by_text("Put right")).to_have_count(0)
    expect(page.get_by_role("link", name="Forget")).to_have_count(0)
    page.goto(f"{home}/memories")
    expect(page.get_by_role("checkbox", name=re.compile("Tick"))).to_have_count(0)


def test_a_slash_searches_everything_from_every_page(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/prove")
    page.keyboard.press("/")
    page.keyboard.type("lisbon")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/search"))
    assert {each.lower() for each in page.locator("mark").all_inner_texts()} == {"lisbon"}
    expect(page.get_by_role("heading", name="Mira Oliveira")).to_be_visible()
    expect(page.get_by_role("heading", name="Jonas")).to_be_visible()


def test_the_timeline_moves_under_the_keyboard_without_a_reload(
    looking: Served, come: Open
) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/life?user=mira")
    page.evaluate("window.same = true")
    page.locator("[data-moment]").focus()
    page.keyboard.press("Home")
    expect(page.locator("#then")).to_contain_text("1")
    expect(page.locator("#moment .cards")).not_to_contain_text("Lisbon")
    page.keyboard.press("End")
    expect(page.locator("#moment .cards")).to_contain_text("I moved to Lisbon in March")
    assert page.evaluate("window.same")


def test_the_picture_of_a_life_fits_a_telephone_and_its_words_stay_readable(
    looking: Served, come: Open
) -> None:
    home, _ = looking
    page = come(home, width=390)
    page.goto(f"{home}/life?user=mira")
    picture = page.locator(".life").bounding_box()
    assert picture is not None
    assert 300 < picture["width"] <= 390
    assert page.locator("#moment .scroll").count() == 0
    beyond = """(labels) => labels.filter((each) => {
        const box = each.getBoundingClientRect(), all = each.closest("svg").getBoundingClientRect();
        return box.left < all.left - 1 || box.right > all.right + 1 || box.height < 12;
    }).length"""
    labels = page.locator(".life .label")
    assert labels.count() > 10
    assert labels.evaluate_all(beyond) == 0
    days = page.locator(".life .axis:visible")
    boxes = [each for n in range(days.count()) if (each := days.nth(n).bounding_box())]
    ends = [each["x"] + each["width"] for each in boxes]
    assert all(end < each["x"] for end, each in zip(ends, boxes[1:], strict=False))


def test_a_line_of_the_map_leads_to_the_sentence_behind_it(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/map?user=mira")
    page.locator("svg.map a .edge-words", has_text="brother").click()
    expect(page.get_by_role("heading", name="My brother Tomas lives in Porto")).to_be_visible()


def test_a_talk_shows_beside_each_answer_what_the_agent_was_given(
    looking: Served, come: Open
) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/talk?user=mira&session=mira-kitchen")
    turn = page.locator(".turn", has_text="Is the satay")
    turn.locator("summary", has_text="Given to know").click()
    expect(turn.locator(".given")).to_contain_text("I am allergic to peanuts")
    expect(turn.locator(".given")).to_contain_text("tokens")
    turn.get_by_role("link", name="The exact text").click()
    expect(turn.locator("pre")).to_contain_text("user 2026-03-04] I am allergic to peanuts")
    turn.get_by_role("link", name="Ask it again in the lab").click()
    expect(page.get_by_role("heading", name="What a prompt gets")).to_be_visible()


def test_the_timeline_is_looked_at_closer_and_further_away(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/life?user=mira&at_time=2026-03-04T10:25:59.000Z")
    zooms = page.locator(".zooms")

    zooms.get_by_role("link", name="hour").click()
    happened = page.locator("details", has_text="What happened, in words").first
    expect(happened).to_contain_text("What can I cook tonight that is quick?")
    expect(happened).not_to_contain_text("Lisbon")

    zooms.get_by_role("link", name="month").click()
    expect(happened).to_contain_text("Approvals")
    assert page.locator(".life .bar").count() > 10
    zooms.get_by_role("link", name="day", exact=True).click()
    zooms.get_by_role("link", name="earlier").click()
    page.wait_for_url(re.compile("from=2026-03-0[123]"))


def test_on_a_telephone_the_menu_opens_by_a_touch_and_leads_everywhere(
    looking: Served, come: Open
) -> None:
    home, _ = looking
    page = come(home, width=390)
    proof = page.locator("#pages").get_by_role("link", name="Proof")
    expect(proof).to_be_hidden()

    page.get_by_role("button", name="Menu").tap()
    expect(proof).to_be_visible()
    accessible(page)
    page.keyboard.press("Escape")
    expect(proof).to_be_hidden()

    page.get_by_role("button", name="Menu").tap()
    proof.tap()
    expect(page.get_by_role("heading", name="Proof")).to_be_visible()


def test_what_a_person_is_told_follows_the_question_and_the_budget(
    looking: Served, come: Open
) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/person?user=mira")
    settled(page)
    expect(page.locator("#told-answer")).to_contain_text("of 200 tokens")
    page.fill("#told-q", "What am I allergic to?")
    expect(page.locator("#told-answer")).to_contain_text("peanuts")
    page.locator("#told-budget").focus()
    page.keyboard.press("Home")
    expect(page.locator("#told-answer")).to_contain_text("of 40 tokens")


def test_new_entries_are_announced_and_the_title_counts_what_waits(
    deciding: Served, come: Open
) -> None:
    home, studio = deciding
    page = come(home)
    assert page.title().startswith("(2) ")
    page.wait_for_timeout(2_500)  # the line to the server is open by then
    studio.memory.agent("ada", user="mira").remember("The ferry leaves at nine")
    expect(page.locator("#news")).to_contain_text("new entries", timeout=10_000)
    page.locator("#news").click()
    expect(page.get_by_role("link", name="The ferry leaves at nine")).to_be_visible()


def test_an_address_that_is_no_page_keeps_the_menu(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/nowhere")
    page.get_by_role("link", name="Memories").click()
    expect(page.get_by_role("heading", name="Memories")).to_be_visible()


def test_a_question_is_answered_by_the_person_and_nobody_else(
    deciding: Served, come: Open, shots: Path
) -> None:
    home, studio = deciding
    grace = come(home, "grace")
    grace.goto(f"{home}/person?user=mira")
    expect(grace.get_by_role("button", name="Yes")).to_have_count(0)
    mira = come(home, "mira")
    mira.goto(f"{home}/person?user=mira")
    mira.screenshot(path=shots / "waiting-1440.png")
    mira.get_by_role("button", name="Yes").click()
    expect(mira.get_by_text("awaits approval")).to_be_visible()
    assert len(studio.memory.council().requests()) == 3


def test_the_map_leads_from_a_relation_to_the_sentence_behind_it(
    looking: Served, come: Open
) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/map?user=jonas")
    expect(page.get_by_role("link", name="Lena, person")).to_be_visible()
    page.get_by_role("link", name="Lena, person").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("focus=Lena"))
    page.get_by_role("link", name="My sister Lena lives in Hamburg").first.click()
    expect(page.get_by_role("heading", name="My sister Lena lives in Hamburg")).to_be_visible()


def test_the_map_shows_what_was_told_in_a_time(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/map?user=jonas&until=2026-03-31")
    expect(page.get_by_role("link", name="Lena, person")).to_be_visible()
    page.goto(f"{home}/map?user=jonas&since=2027-01-01")
    expect(page.get_by_role("heading", name="Nothing fits")).to_be_visible()

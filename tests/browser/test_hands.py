"""Every page by keyboard and by touch, on a wide screen and on a telephone; the timeline too."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.browser.conftest import Open
from tests.browser.test_studio import PAGES, Served, settled

WIDTHS = (1440, 390)
FINGER = 24  # pixels that a target is high at least
TABS_MAX = 60  # of one page: past that come rows that are made alike
# What can be pressed and is seen; a picture's dots are small, and the list beside it says the same.
PRESSED = "a[href], button, select, textarea, summary, input:not([type=hidden])"
UNREACHED = """([pressed, least]) => {
    const found = [];
    for (const each of document.querySelectorAll(`main :is(${pressed})`)) {
        const folded = each.closest("details:not([open]) > :not(summary)");
        if (each.closest("svg") || folded || !each.checkVisibility()) continue;
        each.scrollIntoView({ block: "center" });
        const box = each.getClientRects()[0];
        if (!box) continue;
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        const top = document.elementFromPoint(x, y), label = top?.closest("label");
        const hit = top && (each.contains(top) || top.contains(each) || label?.contains(each));
        if (!hit) found.push("covered: " + each.outerHTML.slice(0, 120));
        const high = Math.max(box.height, each.closest("label")?.clientHeight ?? 0);
        if (high < least) found.push(`${high} high: ` + each.outerHTML.slice(0, 120));
    }
    return found;
}"""
FOCUSED = """() => {
    const each = document.activeElement;
    if (!each || each === document.body) return null;
    const box = each.getBoundingClientRect(), style = getComputedStyle(each);
    const inner = each.querySelector(".box, .node, .edge, .dot, .bar");
    const drawn = inner && getComputedStyle(inner).strokeWidth !== "1px";
    const shows = style.outlineStyle !== "none" || drawn;
    const seen = box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
    return { name: each.outerHTML.slice(0, 120), shows: Boolean(shows), seen };
}"""


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_whatever_can_be_pressed_lies_open_to_a_finger(
    looking: Served, look: Open, name: str, *, width: int
) -> None:
    home, _ = looking
    page = look(width, dark=False)
    page.goto(home + PAGES[name])
    settled(page)
    assert page.evaluate(UNREACHED, [PRESSED, FINGER if width in WIDTHS[1:] else 1]) == []


@pytest.mark.parametrize("name", PAGES)
def test_the_keyboard_reaches_a_page_and_sees_where_it_is(
    looking: Served, look: Open, name: str
) -> None:
    home, _ = looking
    page = look(WIDTHS[0], dark=False)
    page.goto(f"{home}{PAGES[name]}")
    settled(page)
    page.locator("main").focus()
    lost, places = [], set()
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        if at is None or "Skip to the page" in at["name"]:
            break
        places.add(at["name"])
        if not (at["shows"] and at["seen"]):
            lost.append(at)
    assert not lost
    assert places or not page.locator("main").locator(PRESSED).count()


def pressed(page: Page, role: str, name: str | re.Pattern[str], *, width: int) -> None:
    """By the finger on a telephone, else by the keyboard."""
    found = page.get_by_role(role, name=name, exact=True).first  # type: ignore[arg-type]
    if width in WIDTHS[1:]:
        found.tap()
    else:
        found.focus()
        page.keyboard.press("Enter")


def began(page: Page, *, width: int) -> None:
    """The slider at its beginning, by a finger on it or by a key."""
    slider = page.locator("[data-moment]")
    if width in WIDTHS[1:]:
        box = slider.bounding_box()
        assert box
        page.touchscreen.tap(box["x"] + 12, box["y"] + box["height"] / 2)
    else:
        slider.focus()
        page.keyboard.press("Home")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_life_is_played_paused_and_looked_at_closer(
    looking: Served, come: Open, *, width: int
) -> None:
    home, _ = looking
    page = come(home, width=width)
    page.goto(f"{home}/life?user=mira")
    page.evaluate("window.same = true")
    slider = page.locator("[data-moment]")
    began(page, width=width)
    expect(page.locator(".moment strong")).to_contain_text("2 Mar 2026")
    expect(page.locator("#moment .cards")).not_to_contain_text("Lisbon")

    pressed(page, "button", "Play from here", width=width)
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(slider).not_to_have_value(slider.input_value())
    pressed(page, "button", "Pause", width=width)
    expect(page.get_by_role("button", name="Play from here")).to_be_visible()
    rests = slider.input_value()
    page.wait_for_timeout(1_200)
    assert slider.input_value() == rests
    assert page.evaluate("window.same")

    pressed(page, "link", "week", width=width)
    page.wait_for_url(re.compile("from="))
    expect(page.locator(".zooms [aria-current]")).to_have_text("week")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_picture_of_a_life_says_nothing_that_its_words_do_not(
    looking: Served, come: Open, *, width: int
) -> None:
    home, _ = looking
    page = come(home, width=width)
    page.goto(f"{home}/life?user=mira")
    page.locator("summary", has_text="What happened, in words").click()
    told = (page.locator(f"#moment {each}").inner_text() for each in ("details", ".cards"))
    words = "\n".join(told)
    drawn = page.locator(".life a").evaluate_all(
        "(all) => all.map((each) => [each.getAttribute('aria-label'), "
        "Boolean(each.querySelector('.gone, .later'))])"
    )
    assert len(drawn) > 30
    ended = [name for name, is_over in drawn if is_over]
    assert len(ended) < len(drawn) / 4
    missing = {name for name, is_over in drawn if not is_over and name not in words}
    # A sentence is told once: where a fact was approved, it stands for the wish to keep it.
    assert missing <= {"Remember my favourite colour is cerulean"}


def test_on_a_telephone_the_map_is_an_outline_that_a_finger_follows(
    looking: Served, come: Open
) -> None:
    home, _ = looking
    page = come(home, width=390)
    page.goto(f"{home}/map?user=mira")
    outline = page.get_by_role("region", name="The map as an outline")
    expect(outline).to_contain_text("Casa Azul")
    expect(page.locator("svg.map")).to_be_hidden()
    heights = outline.locator("a").evaluate_all(
        "(all) => all.map((each) => each.getBoundingClientRect().height)"
    )
    assert min(heights) >= 24
    outline.get_by_role("link", name="Tomas, person").tap()
    page.wait_for_url(re.compile("focus=Tomas"))
    expect(page.locator(".outline .root")).to_have_text("Tomas")
    page.locator(".outline").get_by_role("link", name="My brother Tomas lives in Porto").last.tap()
    expect(page.get_by_role("heading", name="My brother Tomas lives in Porto")).to_be_visible()


def test_words_of_the_map_stand_where_nothing_else_does(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/map?user=mira")
    boxes = page.locator("svg.map text").evaluate_all(
        "(all) => all.map((each) => { const box = each.getBoundingClientRect();"
        " return [box.left, box.top + 3, box.right, box.bottom - 3, each.textContent]; })"
    )
    meeting = [
        (one[4], two[4])
        for place, one in enumerate(boxes)
        for two in boxes[place + 1 :]
        if one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
    ]
    assert not meeting


def test_from_a_person_to_why_it_is_known_by_touch_alone(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home, width=390)
    page.locator("h2 a", has_text="Mira Oliveira").tap()
    page.wait_for_url(re.compile("/person"))
    line = page.get_by_role("region", name="Health").locator(".known", has_text="allergic")
    line.locator("summary").tap()
    line.get_by_role("link", name="Why do you know this?").tap()
    expect(page.get_by_role("heading", name="Why it is known")).to_be_visible()
    page.locator("#find").tap()
    page.keyboard.type("kyoto")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/search"))
    page.locator(".known a", has_text="fly to").first.tap()
    expect(page.get_by_role("heading", name=re.compile("I fly to Kyoto"))).to_be_visible()


def test_a_talk_a_question_and_a_difference_open_by_touch(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home, width=390)
    page.goto(f"{home}/talks")
    page.get_by_role("link", name="Kitchen").tap()
    page.locator("summary", has_text="Given to know: 10 lines").tap()
    expect(page.locator(".turn").nth(1)).to_contain_text("I am allergic to peanuts")
    page.locator(".turn").nth(1).get_by_role("link", name="Ask it again in the lab").tap()
    expect(page.get_by_role("heading", name="What a prompt gets")).to_be_visible()
    page.locator(".hits summary").first.tap()
    expect(page.locator(".hits .terms").first).to_be_visible()
    page.goto(f"{home}/diff")
    page.locator("summary", has_text="Said in a talk").first.tap()
    expect(page.locator("details[open] > summary", has_text="Said in a talk").first).to_be_visible()
    page.goto(f"{home}/what-if")
    page.locator(".ideas a").nth(1).tap()
    answer = page.get_by_role("heading", name=re.compile("One yes is enough"))
    expect(answer).to_be_visible(timeout=60_000)  # the whole log is decided again

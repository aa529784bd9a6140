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
    page.get_by_label("The person").fill("mira")
    page.get_by_label("The order").fill("order 7 of the court")
    page.get_by_role("button", name="Place the hold").click()
    expect(page.get_by_text("Everything about mira")).to_be_visible()
    accessible(page)
    assert [each.user for each in studio.memory.admin().holds()] == ["mira"]
    page.get_by_role("button", name="Lift").click()
    expect(page.get_by_text("Nothing is held.")).to_be_visible()
    assert studio.memory.admin().holds() == []


def test_a_branch_is_opened_looked_at_and_discarded(deciding: Served, come: Open) -> None:
    home, studio = deciding
    page = come(home)
    page.goto(f"{home}/branches")
    page.get_by_label("Name").fill("try-it")
    page.get_by_role("button", name="Open a branch").click()
    expect(page.get_by_role("heading", name="try-it")).to_be_visible()
    trial = studio.memory.on_branch("try-it")
    trial.agent("ada", user="mira").remember("My boat is called Petrel")
    page.reload()
    expect(page.get_by_text("My boat is called Petrel")).to_be_visible()
    accessible(page)
    page.get_by_role("button", name="Discard it").click()
    expect(page.get_by_text("No branch is open")).to_be_visible()
    assert studio.memory.branches().list() == []


def test_a_source_is_taken_back_after_a_look_and_given_back(deciding: Served, come: Open) -> None:
    home, studio = deciding
    mira = studio.memory.agent("ada", user="mira")
    mira.remember("The museum is closed on Mondays", source=PAGE)
    page = come(home)
    page.goto(f"{home}/rollback")
    page.get_by_label("Agent").select_option("ada")
    page.get_by_label("Person").select_option("mira")
    page.get_by_label("Name").fill(PAGE)
    page.get_by_role("button", name="What would go?").click()
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
    page.get_by_role("textbox", name="Policy settings to try").fill(
        '[privacy]\ndeny_patterns = ["peanuts"]\n'
    )
    page.get_by_role("button", name="Replay").click()
    expect(page.get_by_role("heading", name="What would change")).to_be_visible(timeout=120_000)
    accessible(page)
    assert {each: studio.memory.head(each) for each in studio.memory.streams()} == heads

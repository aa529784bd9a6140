"""Many like results, or days told alike, leave room in an answer; the first says how many."""

from muniment import Agent
from muniment.adapters.config import Settings, open_memory

SAID = "The Falcon paper has to be handed in by 12 May."
ASKED = "What does the deadline page of the Falcon report say?"


def told(results: int) -> Agent:
    """Somebody said something once, and a tool was asked much the same so many times."""
    ada = open_memory(":memory:", Settings(seed=b"noise")).agent("ada", user="tuff")
    ada.remember(SAID)
    with ada.job(session="search") as work:
        for n in range(results):
            result = f"Falcon report deadline page {n}: no entry"
            work.track_tool_invocation("web_search", {"q": f"page {n}"}, result, "")
    return ada


def test_like_results_leave_room_for_what_a_person_said() -> None:
    ada = told(40)

    assert SAID in [hit.text for hit in ada.recall(ASKED, limit=12).hits]


def test_the_best_of_them_says_how_many_were_left_out() -> None:
    hits = told(12).recall(ASKED, limit=12).hits

    like = [hit for hit in hits if hit.layer == "mirror" and hit.origin == "tool"]
    assert [hit.folded for hit in like] == [9, 0, 0]


def test_results_of_another_form_keep_their_places() -> None:
    ada = told(0)
    told_by_tools = (
        "Falcon report: filed",
        "The Falcon deadline page is down",
        "Falcon has a page",
    )
    with ada.job(session="search") as work:
        for text in told_by_tools:
            work.track_tool_invocation("open_page", {"q": "falcon"}, text, "")

    found = {hit.text for hit in ada.recall(ASKED, limit=20).hits}

    assert found.issuperset(told_by_tools)


def test_days_that_differ_in_a_number_leave_room_for_the_rest_of_a_life() -> None:
    ada = open_memory(":memory:", Settings(seed=b"days")).agent("ada", user="tuff")
    stated = ("I am vegetarian", "My boss is Ivo Kern", "My sister Ines studies law in Lyon")
    for text in stated:
        ada.remember(text)
    for day in range(1, 31):
        ada.remember(f"I went for walk number {day} and felt good")

    found = [hit.text for hit in ada.recall("What do you know about me?", limit=8).hits]
    walks = [hit.text for hit in ada.recall("How did my walks go?", limit=8).hits]

    assert {*stated} <= {*found}
    assert sum("walk number" in text for text in walks) == 8  # who asks for them has them all

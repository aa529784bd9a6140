"""Many like results of a tool take three places of an answer, and the first says how many."""

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

"""What each page of the studio says, without a browser: golden HTML, and what stands in it."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests import studios
from tests.studios import ADA, COUNCIL, KEY

from muniment.adapters.studio.page_context import Studio
from muniment.model.scope import stream_from_text

Golden = Callable[[str, str], None]


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = studios.studio(tmp_path / "memory", may_write=True)
    yield made
    made.close()


def addresses(studio: Studio) -> dict[str, tuple[str, dict[str, str]]]:
    """One address for each kind of page."""
    agent = studio.memory.agent("ada", user="tuff")
    lisbon = agent.recall("Lisbon").hits[0].id
    waiting = studio.memory.council().requests()[0].request_id
    studio.memory.notary().sign(stream_from_text(COUNCIL))
    return {
        "people": ("/", {}),
        "person": ("/person", {"user": "tuff"}),
        "told": ("/told", {"user": "tuff", "agent": "ada"}),
        "memories": ("/memories", {"state": "any", "said": "1"}),
        "forget": ("/forget", {"id": lisbon}),
        "search": ("/search", {"q": "lisbon"}),
        "talks": ("/talks", {}),
        "talk": ("/talk", {"user": "tuff", "session": "desk"}),
        "map": ("/map", {"user": "tuff"}),
        "life": ("/life", {"user": "tuff"}),
        "overview": ("/logs", {}),
        "waiting": ("/waiting", {}),
        "failures": ("/failures", {}),
        "apart": ("/apart", {"stream": ADA}),
        "counts": ("/counts", {"stream": ADA}),
        "timeline": ("/log", {"stream": ADA, "at": "12"}),
        "entry": ("/entry", {"stream": ADA, "seq": "7"}),
        "entry_json": ("/entry", {"stream": ADA, "seq": "7", "view": "json"}),
        "entry_plain": ("/entry", {"stream": ADA, "seq": "7", "view": "plain"}),
        "item": ("/item", {"stream": ADA, "id": lisbon}),
        "item_fact": ("/item", {"stream": COUNCIL, "id": KEY}),
        "lab": ("/lab", {"stream": ADA, "user": "tuff", "q": "Where is Lisbon?"}),
        "why_not": ("/why-not", {"stream": ADA, "user": "tuff", "q": "Lisbon", "id": "ep:none"}),
        "council": ("/council", {}),
        "request": ("/request", {"id": waiting}),
        "difference": ("/diff", {"stream": ADA, "from": "3"}),
        "beside": ("/beside", {"stream": ADA, "other": COUNCIL}),
        "phases": ("/phases", {"stream": ADA}),
        "privacy": ("/privacy", {"user": "tuff"}),
        "retention": ("/retention", {}),
        "branches": ("/branches", {}),
        "rollback": ("/rollback", {"agent": "ada", "user": "tuff", "by": "item", "name": lisbon}),
        "what_if": ("/what-if", {}),
        "prove": ("/prove", {}),
        "signed": ("/signed", {"stream": COUNCIL}),
    }


def test_every_page_says_the_same_on_every_run(studio: Studio, golden: Golden) -> None:
    for name, (path, query) in addresses(studio).items():
        golden(f"studio/{name}.html", studios.page(studio, path, **query))


def test_every_page_counts_the_same_memories(studio: Studio) -> None:
    (listed,) = re.findall(r"(\d+) memories</span>", studios.page(studio, "/memories"))

    people, person = studios.page(studio, "/"), studios.page(studio, "/person", user="tuff")

    assert re.findall(r"<strong>(\d+)</strong> things", people) == [listed]
    assert re.findall(r"(\d+) memories ·", people) == [listed]
    assert re.findall(r"(\d+) memories ·", person) == [listed]


def test_a_forgotten_thing_is_named_by_its_words_and_not_by_its_id(studio: Studio) -> None:
    entries = studios.page(studio, "/log", stream=ADA, kind="memory_forget")

    row = entries.partition("<tbody>")[2].partition("</tbody>")[0]
    assert "“The gift is a blue kite”" in row
    assert "ep:" not in row


@pytest.mark.parametrize(
    ("path", "since", "until"),
    [("/life", "from", "to"), ("/map", "since", "until"), ("/memories", "since", "until")],
)
def test_a_day_is_written_as_the_pages_write_it_or_as_the_log_does(
    studio: Studio, path: str, since: str, until: str
) -> None:
    browser = studios.Browser(studio)

    plain = browser.get(path, **{since: "2034-06-25", until: "2034-06-26"})
    words = browser.get(path, **{since: "25 Jun 2034", until: "26 June 2034"})

    for shown in (plain, words):
        assert f'name="{since}" value="25 Jun 2034"' in shown
        assert f'name="{until}" value="26 Jun 2034"' in shown
        assert 'type="date"' not in shown, "a browser writes those by its own locale"
    assert browser.status(path, **{since: "yesterday"}) == 400


def test_what_was_put_right_was_replaced_and_not_forgotten(studio: Studio) -> None:
    ada = studio.memory.agent("ada", user="tuff")
    ada.correct(ada.remember("I live in Hamburg").episodic_id, "I live in Porto")

    shown = studios.page(studio, "/diff", stream=ADA)

    gone = shown.partition('id="change-forgotten"')[2].partition("</section>")[0]
    replaced = shown.partition('id="change-retired"')[2].partition("</section>")[0]
    assert "I live in Hamburg" in replaced
    assert "Hamburg" not in gone
    assert "blue kite" in gone


def test_an_entry_opens_as_card_json_and_plain_lines_without_a_bracket(studio: Studio) -> None:
    plain = studios.page(studio, "/entry", stream=ADA, seq="7", view="plain")
    shown = plain.partition("<pre")[2].partition("</pre>")[0]
    assert "event.summary: Call me at" in shown
    assert not set("{}[]") & set(shown.replace("[phone", "").replace("]", ""))
    assert "header" in studios.page(studio, "/entry", stream=ADA, seq="7", view="json")


def test_the_timeline_stands_at_any_past_entry(studio: Studio) -> None:
    past = studios.page(studio, "/log", stream=ADA, at="5")
    assert "as of entry 5" in past
    assert "Lisbon" in past
    assert "cerulean" not in past


def test_the_timeline_is_filtered_by_kind_and_words(studio: Studio) -> None:
    refused = studios.page(studio, "/log", stream=ADA, kind="memory_denied")
    assert refused.count(">Not kept</td>") == 1
    assert "Lisbon" in studios.page(studio, "/log", stream=ADA, text="lisbon")
    assert "No entry fits" in studios.page(studio, "/log", stream=ADA, text="nowhere")


def test_an_item_shows_who_asked_under_which_policy_and_who_recalled_it(studio: Studio) -> None:
    _, query = addresses(studio)["item"]
    assert "was recalled" not in studios.page(studio, "/item", **query)
    shown = studios.page(studio, "/item", **query, reads="1")
    assert "user through api" in shown
    assert "was recalled" in shown
    assert shown.count('class="box') == shown.count("<rect")


def test_a_fact_shows_its_request_and_both_votes(studio: Studio) -> None:
    shown = studios.page(studio, "/item", stream=COUNCIL, id=KEY)
    assert shown.count("was voted on") >= 2
    assert "was requested" in shown


def test_a_request_is_shown_beside_what_the_key_says_now_with_its_evidence(
    studio: Studio,
) -> None:
    _, query = addresses(studio)["request"]
    shown = studios.page(studio, "/request", **query)
    assert "lapsang" in shown
    assert KEY in shown  # a similar fact
    assert "Nothing is kept there yet" in shown


def test_a_difference_lists_what_was_retired_forgotten_and_refused(studio: Studio) -> None:
    shown = studios.page(studio, "/diff", stream=ADA, **{"from": "3"})
    for change in ("added", "changed", "retired", "forgotten", "refused"):
        assert f'id="change-{change}"' in shown
    assert "superseded" in shown
    assert "privacy_deny_sensitive" in shown
    assert "Undo" in shown


def test_two_logs_stand_side_by_side(studio: Studio) -> None:
    studio.memory.agent("eve", user="tuff").remember("I moved to Lisbon in March")
    studio.memory.agent("eve", user="tuff").remember("Only eve knows this")
    shown = studios.page(studio, "/beside", stream=ADA, other="main/agent/eve/actor")
    both = shown.partition('id="column-2"')[2].partition("</section>")[0]
    assert "Lisbon" in both
    assert "Only eve" not in both
    assert "Only eve knows this" in shown
    assert "blue kite" not in shown  # it was forgotten


def test_privacy_tells_what_is_known_and_absent_looks_like_nothing(studio: Studio) -> None:
    assert "phone" in studios.page(studio, "/privacy", user="tuff")
    assert "Nothing is known about" in studios.page(studio, "/privacy", user="nobody")


def test_the_lab_compares_two_moments_side_by_side(studio: Studio) -> None:
    shown = studios.page(
        studio, "/lab", stream=ADA, user="tuff", q="favourite colour", at="30", other="5"
    )
    assert shown.count('<section class="card"') == 2
    assert "Entry 5" in shown


def test_the_lab_answers_of_a_day_and_says_why_something_was_not_so_then(studio: Studio) -> None:
    asked = {"stream": ADA, "user": "tuff", "q": "Where is Lisbon?"}
    today = studios.page(studio, "/lab", **asked)
    long_ago = studios.page(studio, "/lab", **asked, valid_at="1990-01-01")
    (first, *_) = re.findall(r"ep:[0-9a-f-]{36}", today)

    assert first not in long_ago.partition('action="/why-not"')[0]
    assert f'<option value="{first}">' in long_ago, "what was not found can be asked after"
    assert "not_valid_then" in long_ago
    assert 'value="1 Jan 1990"' in long_ago
    why = studios.page(studio, "/why-not", **asked, id=first, valid_at="1990-01-01")
    assert "not_valid_then" in why


def test_the_lab_compares_two_policies_and_logs_nothing_of_it(studio: Studio) -> None:
    before = studio.memory.agent("ada", user="tuff").seq
    shown = studios.page(
        studio, "/lab", stream=ADA, user="tuff", q="Where is Lisbon?", similarity="0", recency="100"
    )
    assert shown.count('<section class="card"') == 2
    assert "similarity 0 %, recency 100 %" in shown
    assert studio.memory.agent("ada", user="tuff").seq == before


def test_a_memory_that_holds_nothing_says_how_to_begin(tmp_path: Path) -> None:
    empty = studios.studio(tmp_path / "empty", filled=False)
    for path in ("/log", "/diff", "/lab"):
        assert "muniment remember" in studios.page(empty, path)
    assert "muniment remember" in studios.page(empty, "/")
    empty.close()

"""Following something through the studio: from an answer to the sentence behind it, and whose."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from tests import studios
from tests.studios import ADA, KEY, Browser

from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import Grant, MemoryCredentials
from muniment.adapters.studio import diagram
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.pages.audit import overview
from muniment.model.scope import Role

SENTENCE = "Remember my favourite colour is cerulean"


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    made = studios.studio(tmp_path / "memory", may_write=True)
    yield made
    made.close()


def hrefs(page: str, path: str) -> list[str]:
    return [unescape(each) for each in re.findall(rf'href="({path}\?[^"]*)"', page)]


def erasure(studio: Studio, user: str = "tuff") -> str:
    return studio.memory.eraser().request(user, reason="they asked by letter")


def test_every_hit_of_the_lab_leads_to_what_it_is(studio: Studio) -> None:
    browser = Browser(studio)
    page = browser.get("/lab", stream=ADA, user="tuff", q="What is my favourite colour?")

    found = hrefs(page, "/item")

    assert any("favorite_color" in each for each in found)  # a fact of the council's log
    assert {each: browser.client.get(each).status_code for each in found} == dict.fromkeys(
        found, 200
    )


def test_the_picture_of_a_fact_goes_from_the_sentence_to_the_request_the_votes_and_the_fact(
    studio: Studio,
) -> None:
    page = Browser(studio).get("/item", stream=ADA, id=KEY)

    drawn = page.partition("<svg")[2].partition("</svg>")[0]
    notes = re.findall(r'<text class="note" x="(\d+)"[^>]*>([^<,]+),', drawn)
    steps = [note for _, note in sorted(notes, key=lambda each: int(each[0]))]
    assert SENTENCE[:20] in drawn
    assert list(dict.fromkeys(steps))[:3] == ["rests on", "was requested", "was asked"]
    assert "Approved fact" in steps[-1]


def test_who_votes_reads_the_sentence_that_a_request_rests_on_and_can_follow_it(
    studio: Studio,
) -> None:
    browser, asked = Browser(studio), studio.memory.council().requests()[0]

    page = browser.get("/request", id=asked.request_id)

    assert "Remember my favourite tea is lapsang" in page
    (there,) = hrefs(page, "/item")
    assert browser.client.get(there).status_code == 200
    assert "0</span> of 2 said yes" in page


def test_whoever_came_with_a_key_votes_without_reading_what_people_said_elsewhere(
    keyed: Studio, known: MemoryCredentials
) -> None:
    asked = keyed.memory.council().requests()[0]
    member = Browser(keyed, token=api_keys.issue(known, Grant(role=Role.COUNCIL, who="grace"))[0])

    page = member.get("/request", id=asked.request_id)

    assert "lapsang" in page  # what the vote is about
    assert "cerulean" not in page  # another fact about the same person
    assert "Similar facts" not in page
    assert "Remember my favourite tea" not in page
    assert hrefs(page, "/item") == []


def test_who_votes_on_an_erasure_is_told_of_whom(studio: Studio) -> None:
    browser, request = Browser(studio), erasure(studio)

    page = browser.get("/request", id=request)

    assert "Everything about <strong>Tuff</strong>" in page
    assert "null" not in page
    assert "Similar facts" not in page
    assert "Destroy everything about Tuff" in browser.get("/council")
    assert ">Everything about Tuff</a>: waits for votes" in browser.get("/privacy")


def test_what_is_known_about_a_person_can_be_read_in_their_own_words(studio: Studio) -> None:
    studio.memory.agent("ada", user="mira").remember("The heron is grey")
    browser = Browser(studio)
    page = browser.get("/privacy", user="tuff")

    (own,) = (each for each in hrefs(page, "/log") if "agent" in each)
    told = browser.client.get(own).text

    assert "I moved to Lisbon in March" in told
    assert "The heron is grey" not in told


def test_the_log_of_somebody_unknown_is_not_found(studio: Studio) -> None:
    assert Browser(studio).status("/log", stream=ADA, about="nobody") == 404


def test_an_address_that_is_none_of_ours_is_answered_by_a_page_with_a_way_back(
    studio: Studio,
) -> None:
    answer = Browser(studio).client.get("/no-such-page")

    assert answer.status_code == 404
    assert "There is no page /no-such-page." in answer.text
    assert 'href="/"' in answer.text


def test_what_awaits_nobody_is_not_shown_among_what_does(studio: Studio) -> None:
    page = Browser(studio).get("/waiting")

    tiles = page.partition('<ul class="tiles">')[2].partition("</ul>")[0]
    assert "awaiting a decision" in tiles
    assert "failed and in need" not in tiles
    assert "0 failed and in need of a hand" in page  # it was looked for


def test_a_log_of_many_days_is_counted_by_month(studio: Studio) -> None:
    studio.counting.survey(studio.stream(ADA))[0].days.update(
        {f"2031-{month:02}-{day:02}": 1 for month in range(1, 13) for day in range(1, 29)}
    )

    page = Browser(studio).get("/counts", stream=ADA)

    assert "by month" in page
    assert "2031-03=28;" in page
    assert "2031-03-04" not in page
    assert page.count("=28;") == 12 < overview.DAYS_MAX


def test_a_name_in_a_picture_takes_no_more_room_than_its_box() -> None:
    boxes = [
        diagram.Box(name=text, label=text, note="", where="", column=0)
        for text in ("短" * 40, "short " * 10, "fits")
    ]

    wide, plain, whole = (each.label for each in diagram.draw(boxes, ()).boxes)

    assert len(wide) < len(plain) <= diagram.LABEL_CHARACTERS_MAX
    assert whole == "fits"

"""Whoever comes with a key sees what their office may see: on no page, in no count, by no link."""

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests import studios
from tests.studios import ADA, FORM_TOKEN, Browser

from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import Grant, MemoryCredentials
from muniment.adapters.studio.app import app
from muniment.adapters.studio.page_context import Studio
from muniment.adapters.studio.page_permissions import MENU
from muniment.model.scope import Role


@pytest.fixture
def keyed(keyed: Studio) -> Studio:
    """Something is set apart there."""
    keyed.memory.agent("ada", user="tuff").remember("The flyer is free", origin="external")
    return keyed


def come(of: Studio, known: MemoryCredentials, role: Role, **narrowed: Any) -> Browser:  # noqa: ANN401
    grant = Grant(role=role, who=f"the-{role}", **narrowed)
    return Browser(of, token=api_keys.issue(known, grant)[0])


def sent(browser: Browser, page: str, path: str, **fields: str) -> int:
    """A form with the token of a page that this office sees."""
    token = FORM_TOKEN.search(browser.get(page))
    assert token
    status: int = browser.client.post(path, data={"form_token": token[1], **fields}).status_code
    return status


def links(page: str) -> set[str]:
    return {each.partition("?")[0] for each in re.findall(r'<a [^>]*href="(/[^"#]*)"', page)}


@pytest.mark.parametrize("role", [Role.COUNCIL, Role.ADMIN, Role.AUDITOR])
def test_whoever_signs_in_at_the_bare_address_lands_on_a_page_of_their_role(
    keyed: Studio, known: MemoryCredentials, role: Role
) -> None:
    """The form at `/` leads back to `/`, which only the operator may see."""
    key = api_keys.issue(known, Grant(role=role, who="ann"))[0]
    client = TestClient(app(keyed), base_url="http://127.0.0.1:7333")
    back = re.search(r'name="back" value="([^"]*)"', client.get("/").text)

    answer = client.post("/sign-in", data={"token": key, "back": back[1] if back else "/"})

    assert answer.status_code == 200, answer.text
    assert answer.url.path != "/"


@pytest.mark.parametrize(
    ("role", "told"),
    [
        (Role.COUNCIL, ["awaiting a decision"]),
        (Role.ADMIN, ["awaiting a decision", "quarantined", "still to derive", "failed"]),
        (Role.AUDITOR, ["quarantined", "still to derive"]),
    ],
)
def test_what_awaits_somebody_is_counted_as_far_as_their_office_reaches(
    keyed: Studio, known: MemoryCredentials, role: Role, told: list[str]
) -> None:
    page = come(keyed, known, role).get("/waiting")

    counted = ["awaiting a decision", "quarantined", "still to derive", "failed"]
    assert [each for each in counted if each in page] == [each for each in counted if each in told]
    # As a word: an id or a token may have these letters too.
    assert bool(re.search(r"\bAda\b", page)) == ("quarantined" in told)


@pytest.mark.parametrize("role", [Role.COUNCIL, Role.ADMIN, Role.AUDITOR])
@pytest.mark.parametrize(
    "path", ["/logs", "/waiting", "/counts", "/council", "/failures", "/prove"]
)
def test_no_page_leads_to_one_that_its_reader_may_not_see(
    keyed: Studio, known: MemoryCredentials, role: Role, path: str
) -> None:
    browser = come(keyed, known, role)
    page = browser.client.get(path, params={"stream": ADA})
    if page.status_code == 403:
        return

    led = {each: browser.client.get(each, params={"stream": ADA}) for each in links(page.text)}

    assert {where for where, answer in led.items() if answer.status_code == 403} == set()


def test_the_operator_has_the_whole_menu_and_a_member_of_the_council_theirs(
    keyed: Studio, known: MemoryCredentials
) -> None:
    menu = {path for path, _ in MENU}

    assert links(Browser(keyed).get("/council")) >= menu
    assert links(come(keyed, known, Role.COUNCIL).get("/council")) & menu == {"/council"}


def test_whoever_may_only_prove_is_not_offered_to_rebuild_and_is_refused_it(
    keyed: Studio, known: MemoryCredentials
) -> None:
    auditor = come(keyed, known, Role.AUDITOR)

    assert 'value="prove"' in auditor.get("/prove")
    assert 'value="rebuild"' not in auditor.get("/prove")
    assert sent(auditor, "/prove", "/prove", kind="rebuild") == 403
    assert keyed.works.find("rebuild") is None


def test_a_studio_that_only_reads_rebuilds_nothing(tmp_path: Path) -> None:
    looking = studios.studio(tmp_path / "memory")
    browser = Browser(looking)

    assert 'value="rebuild"' not in browser.get("/prove")
    assert browser.send("/prove", kind="rebuild")[0] == 403
    looking.close()


def test_a_key_that_was_narrowed_sees_what_is_left(keyed: Studio, known: MemoryCredentials) -> None:
    browser = come(keyed, known, Role.ADMIN, verbs=("requests",))

    assert browser.status("/council") == 200
    assert browser.status("/failures") == 403
    assert "failed" not in browser.get("/waiting")


def test_who_may_only_see_failures_comes_to_them_and_not_to_a_closed_door(
    keyed: Studio, known: MemoryCredentials
) -> None:
    browser = come(keyed, known, Role.ADMIN, verbs=("incidents",))

    assert "failed" in browser.get("/waiting")
    assert browser.status("/") == 403


def test_an_administrator_who_destroys_is_shown_that_it_is_done(
    keyed: Studio, known: MemoryCredentials
) -> None:
    Browser(keyed).send("/erase", user="tuff", reason="they asked")
    asked = next(each for each in keyed.memory.council().requests() if each.action == "erase")
    for member in ("alan", "ken"):
        keyed.memory.council(member).approve(asked.request_id, binding=asked.binding)

    admin = come(keyed, known, Role.ADMIN)
    status, text = admin.send("/destroy", id=asked.request_id)

    assert status == 200, text
    assert ">done</span>" in text


def test_what_no_office_sees_is_refused_in_words_of_people(
    keyed: Studio, known: MemoryCredentials
) -> None:
    answer = come(keyed, known, Role.ADMIN).client.get("/log", params={"stream": ADA})

    assert answer.status_code == 403
    assert "what people said" in answer.text

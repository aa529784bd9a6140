"""Who may open the studio and who may not: tokens, hosts, origins, forms, headers, roles."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests import studios
from tests.studios import ADA, TOKEN, Browser

from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import Grant, MemoryCredentials
from muniment.adapters.studio.app import FORMS, PAGES, app
from muniment.adapters.studio.auth import IDLE_SECONDS, Sessions
from muniment.adapters.studio.page_context import Studio
from muniment.model.scope import Role

HOSTS = ("127.0.0.1:7333", "localhost", "[::1]:7333", "LOCALHOST:1")
FOREIGN = (
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "127.0.0.2",
    "0.0.0.0",  # noqa: S104 - a name somebody might send
    "169.254.169.254",
    "[::]",
    "",
    "local host",
    "127.0.0.1@evil.example",
    "[::1",
    "xn--lcalhost-0ya.example",
)
SIGNED = {"/signed", "/verifier"}
ORIGINS = (
    "",
    "http://127.0.0.1:7333",
    "http://localhost",
    "null",
    "http://evil.example",
    "https://127.0.0.1.evil.example",
    "file://",
    "chrome-extension://abc",
    "http://[::1]",
    "javascript:alert(1)",
    "http://localhost@evil.example",
    "http://localhost.",
)


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """One that only reads, so that it can serve many tests."""
    made = studios.studio(tmp_path_factory.mktemp("studio") / "memory")
    yield made
    made.close()


@pytest.fixture
def writing(tmp_path: Path) -> Iterator[Studio]:
    made = studios.studio(tmp_path / "memory", may_write=True)
    yield made
    made.close()


def test_without_the_token_every_page_is_the_sign_in_form_and_nothing_else(
    studio: Studio,
) -> None:
    client = TestClient(app(studio), base_url="http://127.0.0.1")
    for path in PAGES:
        answer = client.get(path, params={"stream": ADA, "seq": "4"})
        assert answer.status_code == 401
        assert "Lisbon" not in answer.text
    for path in FORMS:
        assert client.post(path, data={"kind": "prove"}).status_code == 401
    wrong = client.post("/sign-in", data={"token": "guess", "name": "grace"})
    assert wrong.status_code == 401
    assert TOKEN not in wrong.text


def test_a_session_ends_when_nobody_came_for_a_quarter_of_an_hour() -> None:
    moment = [0.0]
    sessions = Sessions(TOKEN, now=lambda: moment[0])
    cookie = sessions.sign_in(TOKEN, "grace")
    moment[0] = IDLE_SECONDS - 1
    assert sessions.find(cookie)
    moment[0] += IDLE_SECONDS + 1
    assert sessions.find(cookie) is None


@pytest.mark.parametrize(("host", "origin"), list(itertools.product((*HOSTS, *FOREIGN), ORIGINS)))
def test_only_this_machines_names_are_served_and_only_to_its_own_pages(
    studio: Studio, host: str, origin: str
) -> None:
    client = TestClient(app(studio), base_url="http://127.0.0.1")
    headers = {"host": host} | ({"origin": origin} if origin else {})
    answer = client.get("/sign-in", headers=headers)
    own = {"", "http://127.0.0.1:7333", "http://localhost", "http://[::1]"}
    expected = 200 if host in HOSTS and origin in own else 421
    assert answer.status_code == expected, (host, origin)


def test_every_answer_forbids_scripts_from_elsewhere_frames_and_caches(studio: Studio) -> None:
    browser = Browser(studio)
    for path in ("/", "/log", "/static/studio.js", "/sign-in", "/nowhere"):
        headers = browser.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-frame-options"] == "DENY"
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "same-origin"


def test_no_page_holds_an_inline_script_or_style(studio: Studio) -> None:
    browser = Browser(studio)
    for path in ("/", "/log", "/council", "/diff", "/privacy", "/prove", "/lab"):
        text = browser.get(path)
        assert "<style" not in text
        assert " style=" not in text
        assert text.count("<script") == text.count("<script src=")
        assert " onclick" not in text


def test_a_form_without_its_token_changes_nothing(writing: Studio) -> None:
    browser = Browser(writing)
    request = writing.memory.council().requests()[0]
    fields = {"id": request.request_id, "vote": "approve"}
    assert browser.client.post("/vote", data=fields).status_code == 403
    forged = fields | {"form_token": "0" * 64}
    assert browser.client.post("/vote", data=forged).status_code == 403
    foreign = browser.client.post("/vote", data=forged, headers={"origin": "http://localhost:1"})
    assert foreign.status_code == 403
    assert not writing.memory.council().requests()[0].votes


def test_a_studio_that_only_reads_refuses_every_decision(studio: Studio) -> None:
    browser = Browser(studio)
    heads = {each.text: studio.memory.head(each) for each in studio.streams()}
    request = studio.memory.council().requests()[0].request_id
    for path, fields in (
        ("/vote", {"id": request, "vote": "approve"}),
        ("/undo", {"stream": ADA, "seq": "30"}),
        ("/erase", {"user": "tuff", "reason": "no"}),
        ("/destroy", {"id": request}),
    ):
        status, text = browser.send(path, **fields)
        assert status in {403, 409}, (path, status)
        assert "muniment studio --write" in text
    assert heads == {each.text: studio.memory.head(each) for each in studio.streams()}


def test_two_members_approve_and_one_cannot_vote_twice(writing: Studio) -> None:
    request = writing.memory.council().requests()[0]
    grace, alan = Browser(writing, "grace"), Browser(writing, "alan")
    fields = {"id": request.request_id, "vote": "approve", "binding": request.binding}
    assert grace.send("/vote", **fields)[0] == 200
    status, text = grace.send("/vote", **fields)
    assert status != 200
    assert "REFUSED" in text
    status, text = alan.send("/vote", **fields)
    assert status == 200
    assert re.search(">(done|approved)</span>", text)


def test_a_vote_on_something_else_than_was_shown_is_no_vote(writing: Studio) -> None:
    request = writing.memory.council().requests()[0]
    status, _ = Browser(writing).send(
        "/vote", id=request.request_id, vote="approve", binding="another thing"
    )
    assert status != 200
    assert not writing.memory.council().requests()[0].votes


def test_what_a_write_took_away_comes_back_by_undo(writing: Studio) -> None:
    browser = Browser(writing)
    shown = browser.get("/diff", stream=ADA, **{"from": "3"})
    seq = shown.partition('action="/undo"')[2].partition('name="seq" value="')[2].partition('"')[0]
    status, text = browser.send("/undo", stream=ADA, seq=seq)
    assert status == 200, text
    talk = writing.memory.agent("ada", user="tuff").conversation(session="desk")
    assert any("Berlin" in item.text for item in talk.items("profile"))


@pytest.mark.parametrize("seq", ["", "0", "²", "9" * 5000])
def test_an_undo_of_what_is_no_entry_is_told_so(writing: Studio, seq: str) -> None:
    status, text = Browser(writing).send("/undo", stream=ADA, seq=seq)

    assert status == 400
    assert "That did not work" in text


def test_an_erasure_goes_from_the_wish_to_its_receipt(writing: Studio) -> None:
    grace, alan = Browser(writing, "grace"), Browser(writing, "alan")
    assert grace.send("/erase", user="tuff", reason="they asked")[0] == 200
    request = next(each for each in writing.memory.council().requests() if each.action == "erase")
    fields = {"id": request.request_id, "vote": "approve", "binding": request.binding}
    members = (Browser(writing, name) for name in ("ken", "dennis"))
    for member in (alan, *members):
        if member.send("/vote", **fields)[0] != 200:
            break
    status, text = grace.send("/destroy", id=request.request_id)
    assert status == 200, text
    assert request.request_id in text
    assert "Nothing is known about" in grace.get("/privacy", user="tuff")
    assert "Lisbon" not in grace.get("/log", stream=ADA)


def test_foreign_absent_and_misspelled_addresses_answer_alike(studio: Studio) -> None:
    with studios.opened(Path(":memory:"), tenant="other") as other:
        studios.fill(other)
    browser = Browser(studio)
    texts = set()
    for stream in (
        "other/agent/ada/actor",
        "main/agent/zed/actor",
        "x",
        "a/b/c/d",
        "main/agent/ada/ghost",
    ):
        for path, query in (
            ("/log", {}),
            ("/entry", {"seq": "1"}),
            ("/item", {"id": "ep:1"}),
            ("/counts", {}),
            ("/diff", {}),
        ):
            answer = browser.client.get(path, params={"stream": stream, **query})
            assert answer.status_code == 404, (path, stream)
            texts.add(answer.text)
    assert len(texts) == 1


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/log", {"at": "-1"}),
        ("/log", {"at": "0"}),
        ("/log", {"at": "99999999"}),
        ("/log", {"at": "½"}),
        ("/log", {"at": "9" * 5000}),
        ("/log", {"before": "x"}),
        ("/log", {"job": "1e9"}),
        ("/entry", {"stream": ADA, "seq": "999999"}),
        ("/entry", {"stream": ADA, "seq": "4", "view": "pdf"}),
        ("/entry", {"stream": ADA}),
        ("/item", {"stream": ADA}),
        ("/request", {"id": "req:01M7EX0ESV0000000000000999"}),
        ("/diff", {"from": "9", "to": "3"}),
        ("/lab", {"q": "x", "budget": "many"}),
        ("/lab", {"q": "x", "valid_at": "soon"}),
        ("/work", {"name": "dig"}),
    ],
)
def test_a_bad_address_is_told_so_in_one_sentence(
    studio: Studio, path: str, query: dict[str, str]
) -> None:
    answer = Browser(studio).client.get(path, params=query)
    assert answer.status_code in {400, 404, 422}, answer.text
    assert "That did not work" in answer.text
    assert "Traceback" not in answer.text


# ── By API key ──────────────────────────────────────────────────────────────────────────────────


def key(known: MemoryCredentials, **grant: Any) -> str:  # noqa: ANN401
    return api_keys.issue(known, Grant(**grant))[0]


@pytest.mark.parametrize(
    ("role", "sees"),
    [
        (Role.COUNCIL, {"/council", "/waiting"}),
        (
            Role.ADMIN,
            {"/logs", "/council", "/counts", "/failures", "/retention", "/prove", "/waiting"}
            | SIGNED,
        ),
        (Role.AUDITOR, {"/logs", "/counts", "/prove", "/waiting"} | SIGNED),
    ],
)
def test_a_key_sees_the_pages_of_its_role_and_nobodys_words(
    keyed: Studio, known: MemoryCredentials, role: Role, sees: set[str]
) -> None:
    browser = Browser(keyed, token=key(known, role=role, who="olga"))

    told = {path: browser.client.get(path, params={"stream": ADA}) for path in PAGES}

    assert {path for path, answer in told.items() if answer.status_code == 200} == sees
    assert {answer.status_code for answer in told.values()} <= {200, 400, 403, 404}
    assert all("Lisbon" not in answer.text for answer in told.values())


def test_a_member_votes_under_the_name_of_their_key_whatever_they_type(
    keyed: Studio, known: MemoryCredentials
) -> None:
    request = keyed.memory.council().requests()[0]
    fields = {"id": request.request_id, "vote": "approve", "binding": request.binding}
    olga = key(known, role=Role.COUNCIL, who="olga")

    assert Browser(keyed, "grace", token=olga).send("/vote", **fields)[0] == 200
    status, text = Browser(keyed, "alan", token=olga).send("/vote", **fields)

    assert status != 200
    assert "REFUSED" in text
    assert Browser(keyed, token=olga).send("/undo", stream=ADA, seq="30")[0] == 403


def test_a_key_that_is_no_office_of_this_house_or_has_ended_opens_nothing(
    keyed: Studio, known: MemoryCredentials
) -> None:
    olga = key(known, role=Role.COUNCIL, who="olga")
    browser = Browser(keyed, token=olga)
    client = TestClient(app(keyed), base_url="http://127.0.0.1")
    for token in (
        key(known, agent="ada", user="tuff"),
        key(known, agent="ada", user="tuff", role=Role.USER),
        key(known, role=Role.ADMIN, who="otto", tenant="other"),
        "mk_nonsense",
    ):
        assert client.post("/sign-in", data={"token": token}).status_code == 401

    api_keys.revoke(known, olga.split("_")[1], now="2026-01-01T00:00:00.000Z")

    assert client.post("/sign-in", data={"token": olga}).status_code == 401
    assert browser.client.get("/council").status_code == 401

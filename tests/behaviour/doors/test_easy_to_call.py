"""A service that is easy to be right with: a first key, pages, tags, heads and allowances."""

import re
import shlex
import signal
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import httpx2
import msgspec
import pytest
from starlette.testclient import TestClient
from tests.service import serving
from tests.terminal import Shell

from muniment.adapters.cli.options import Options, Terminal
from muniment.adapters.cli.service.serve import _first_key, _told
from muniment.adapters.client import deprecation
from muniment.adapters.client.client import AsyncClient, Client
from muniment.adapters.gateway.rate_limits import GUESSES, Rate
from muniment.adapters.http import app
from muniment.adapters.http.route_table import ROUTES, RouteTable

SECONDS_MAX = 60


class Loads(HTMLParser):
    """What a page would fetch: addresses of scripts, pictures, sheets and links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.links += [str(value) for name, value in attrs if name in {"href", "src"}]


# ── The first key ───────────────────────────────────────────────────────────────────────────────


def started(store: Path, *more: str) -> tuple[subprocess.Popen[str], list[str]]:
    """`muniment serve` on a free port, and what it says until it can be called."""
    words = ["-m", "muniment", "serve", "--port", "0", "--store", str(store), *more]
    process = subprocess.Popen([sys.executable, *words], stderr=subprocess.PIPE, text=True)
    assert process.stderr
    said: list[str] = []
    last = '{"query' if "--new-key" in more else "Every route"
    while not said or last not in said[-1]:
        line = process.stderr.readline()
        assert line, "it ended by itself"
        said.append(line.rstrip("\n"))
    return process, said


def ended(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=SECONDS_MAX)


def test_one_command_gives_a_key_and_lines_for_curl_that_work(tmp_path: Path) -> None:
    process, said = started(tmp_path / "memory", "--new-key")
    try:
        told = "\n".join(said)
        lines = re.findall(r"^curl -s .*?\}'$", told, re.DOTALL | re.MULTILINE)
        remember, recall = (shlex.split(line.replace("\\\n", " ")) for line in lines)
        assert call(remember)["stored"] is True
        assert "I live in Lisbon" in str(call(recall)["hits"])
    finally:
        ended(process)

    process, said = started(tmp_path / "memory")
    ended(process)
    assert "curl" not in "\n".join(said)


def test_a_memory_that_has_a_key_is_given_no_other(tmp_path: Path) -> None:
    store = tmp_path / "memory"
    Shell("--store", str(store))("keys", "create")
    assert _first_key(Terminal(Options(store=str(store)))) == ""
    said = _told("m", "http://h", "", new_key=True)
    assert "There is a key already. To make another one: muniment keys create" in said
    assert "There is a key" not in _told("m", "http://h", "mk_1", new_key=True)
    assert "There is a key" not in _told("m", "http://h", "", new_key=False)
    assert len(Shell("--store", str(store)).listed("keys", "keys")) == 1


def test_a_service_that_nobody_has_a_key_for_says_how_to_get_one(tmp_path: Path) -> None:
    process, _ = started(tmp_path / "memory")
    try:
        assert process.stderr
        said = process.stderr.readline()
    finally:
        ended(process)

    assert said == "There is no key yet, and every call needs one: muniment serve --new-key\n"


def call(words: list[str]) -> dict[str, object]:
    """What curl would do with these words."""
    program, quiet, url, *rest = words
    assert (program, quiet) == ("curl", "-s")
    headers = dict(rest[n + 1].split(": ", 1) for n, each in enumerate(rest) if each == "-H")
    answer = httpx2.post(url, headers=headers, content=rest[rest.index("-d") + 1])
    assert answer.status_code == 200, answer.text
    found: dict[str, object] = answer.json()
    return found


# ── Pages ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_the_pages_are_open_to_anybody_and_fetch_nothing_from_elsewhere(path: str) -> None:
    with serving() as service:
        answer = httpx2.get(f"{service.url}{path}")

    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    page = Loads(answer.text)
    assert not page.tags & {"script", "img", "iframe", "link", "object"}
    assert all("//" not in link for link in page.links)
    assert "url(" not in answer.text


def test_the_page_of_routes_names_every_route_and_its_fields() -> None:
    with serving() as service:
        page = httpx2.get(f"{service.url}/docs").text

    for route in ROUTES:
        assert f"<code>{route.method} {route.path}</code>" in page, route.path
    assert "<code>valid_at</code>" in page
    assert "What was true on a day: 2026-03-05." in page


# ── Tags and heads ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("path", ["/openapi.json", "/docs", "/v1/facts"])
def test_what_was_read_before_is_not_sent_again(path: str) -> None:
    with serving() as service:
        tuff = service.agent()
        first = tuff.send("GET", path)
        tag = first.headers["etag"]
        again = tuff.send("GET", path, headers={"if-none-match": f'"other", {tag}'})
        other = tuff.send("GET", path, headers={"if-none-match": '"other"'})

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    assert (other.status_code, other.content) == (200, first.content)


def test_an_answer_that_changed_has_another_tag() -> None:
    with serving() as service:
        tuff = service.agent()
        before = tuff.send("GET", "/v1/log")
        tuff.post("/v1/remember", {"text": "I moved to Lisbon"})
        after = tuff.send("GET", "/v1/log", headers={"if-none-match": before.headers["etag"]})

    assert after.status_code == 200
    assert after.headers["etag"] != before.headers["etag"]


def test_a_read_can_be_asked_for_without_its_body() -> None:
    with serving() as service:
        tuff = service.agent()
        whole, head = (tuff.send(method, "/v1/facts") for method in ("GET", "HEAD"))
        refused = tuff.send("HEAD", "/v1/remember")

    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["etag"] == whole.headers["etag"]
    assert refused.status_code == 405


# ── How often ───────────────────────────────────────────────────────────────────────────────────


def test_every_answer_says_how_often_its_key_may_still_call() -> None:
    limits = app.Limits(rate=Rate(per_second=0.001, burst=3), failures=GUESSES)
    with serving(limits=limits) as service:
        tuff = service.agent()
        told = [tuff.send("GET", "/v1/facts") for _ in range(4)]
        refused = tuff.send("POST", "/v1/nowhere")
        other = service.agent(user="mia").send("GET", "/v1/facts")

    assert [each.headers.get("ratelimit-remaining") for each in told[:3]] == ["2", "1", "0"]
    assert {each.headers["ratelimit-limit"] for each in told[:3]} == {"3"}
    assert int(told[0].headers["ratelimit-reset"]) in range(900, 1_001)
    assert told[3].status_code == 429
    assert int(told[3].headers["retry-after"]) > 0
    assert refused.status_code in {404, 429}
    assert other.headers["ratelimit-remaining"] == "2"


def test_where_nothing_is_limited_nothing_is_said_of_it() -> None:
    with serving() as service:
        assert "ratelimit-limit" not in service.agent().send("GET", "/v1/facts").headers


# ── What goes ───────────────────────────────────────────────────────────────────────────────────


def test_an_address_that_goes_says_so_in_every_answer_and_in_its_description() -> None:
    """Given a table in which one address is deprecated, then it and no other announces it."""
    rows = tuple(
        msgspec.structs.replace(row, deprecated="2026-11-17") if row.path == "/v1/facts" else row
        for row in ROUTES
    )
    with serving() as running:
        running.app = app.build(running.service, table=RouteTable(rows))
        headers = {"authorization": f"Bearer {running.key(agent='ada', user='tuff')}"}
        address = f"http://127.0.0.1:{running.port}"
        with TestClient(running.app, base_url=address, headers=headers) as client:
            goes, refused = client.get("/v1/facts"), client.get("/v1/facts?limit=none")
            stays = client.get("/v1/log")
            described = client.get("/openapi.json").json()["paths"]

    for answer in (goes, refused):
        assert answer.headers["deprecation"] == "@1794873600"
        assert answer.headers["link"].startswith('</docs>; rel="deprecation"')
    assert (goes.status_code, refused.status_code, stays.status_code) == (200, 400, 200)
    assert "deprecation" not in stays.headers
    assert described["/v1/facts"]["get"]["deprecated"] is True
    assert not any(row.deprecated for row in ROUTES)


GOES = {"deprecation": "@1794873600"}
SAYS = r"GET /v1/facts is deprecated since 2026-11-17; http://memory.test/docs says what to call"


def test_whoever_calls_an_address_that_goes_is_warned_where_they_call_it() -> None:
    answers = httpx2.MockTransport(lambda _: httpx2.Response(200, headers=GOES))
    hooks = {"response": [deprecation.warn]}
    with (
        httpx2.Client(transport=answers, base_url="http://memory.test", event_hooks=hooks) as http,
        pytest.warns(DeprecationWarning, match=SAYS) as told,
    ):
        http.get("/v1/facts")
    assert told[0].filename == __file__


def test_both_clients_listen_for_it_and_an_address_that_stays_warns_nobody() -> None:
    client = Client("http://memory.test", key="k")
    assert client._http.event_hooks["response"] == [deprecation.warn]
    waiting = AsyncClient("http://memory.test", key="k")
    assert waiting._http.event_hooks["response"] == [deprecation.warn_later]
    request = httpx2.Request("GET", "http://memory.test/v1/facts")
    for headers in ({}, {"deprecation": "soon"}):
        deprecation.warn(httpx2.Response(200, headers=headers, request=request))
    client.close()


def test_an_address_that_is_none_is_told_where_all_of_them_stand() -> None:
    with serving() as running:
        told = running.user().http.get("/v1/nope")

    assert told.status_code == 404
    assert "/docs" in told.json()["developer_message"]

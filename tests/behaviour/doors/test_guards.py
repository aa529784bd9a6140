"""What the HTTP door keeps out: wrong hosts, pages, bodies, too much, too often, too slow."""

import contextlib
import itertools
import json
import socket
import threading
import time
from collections.abc import Iterator

import httpx2
import pytest
from tests.service import Running, serving

from muniment.adapters.gateway import allowed_origins, request_limits
from muniment.adapters.gateway.errors import RateLimitedError
from muniment.adapters.gateway.rate_limits import Limiter, Rate
from muniment.adapters.http import app, parse_request
from muniment.adapters.http import serve as doorway
from muniment.model.errors import InputError

HOSTS = [
    "127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}", "LOCALHOST:{port}", "evil.example",
    "evil.example:{port}", "127.0.0.1", "localhost", "127.0.0.1:1", "localhost.evil.example:{port}",
    "127.0.0.1.evil.example:{port}", "10.0.0.9", "u@127.0.0.1:{port}", "", "127.0.0.1:{port}x",
    "127.1:{port}", "2130706433:{port}", "[::ffff:7f00:1]:{port}", "localhost.:{port}", "a b",
]  # fmt: skip
ORIGINS = [
    None, "http://127.0.0.1:{port}", "http://localhost:{port}", "https://127.0.0.1:{port}", "null",
    "http://evil.example", "http://evil.example:{port}", "http://localhost", "http://a:1", "",
    "file://", "http://localhost:{port}.evil.example", "chrome-extension://a", "HTTP://LOCALHOST:{port}",
    "http://[::1]:{port}",
]  # fmt: skip
GOOD_HOSTS = {"127.0.0.1:{port}", "localhost:{port}", "[::1]:{port}", "LOCALHOST:{port}"}
GOOD_ORIGINS = {
    None, "http://127.0.0.1:{port}", "http://localhost:{port}", "HTTP://LOCALHOST:{port}",
    "http://[::1]:{port}",
}  # fmt: skip


@pytest.fixture(scope="module")
def service() -> Iterator[Running]:
    with serving() as running:
        yield running


def raw(service: Running, lines: list[str], body: bytes = b"") -> tuple[int, bytes]:
    """A request as it stands on the wire; nothing corrects it on its way."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=20) as wire:
        wire.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        answer = b""
        while part := wire.recv(65536):
            answer += part
    status = int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/") else 0
    return status, answer


def test_three_hundred_hosts_and_origins_are_let_in_only_when_both_are_its_own(
    service: Running,
) -> None:
    tried = 0
    for host, origin in itertools.product(HOSTS, ORIGINS):
        lines = ["GET /healthz HTTP/1.1", f"Host: {host.format(port=service.port)}"]
        if origin is not None:
            lines.append(f"Origin: {origin.format(port=service.port)}")
        status, answer = raw(service, [*lines, "Connection: close"])
        good = host in GOOD_HOSTS and origin in GOOD_ORIGINS
        assert (status == 200) == good, (host, origin, status)
        assert status in {200, 400, 421}, (host, origin, status)
        assert b"access-control" not in answer.lower()
        tried += 1
    assert tried == 300


def test_a_host_that_stands_twice_is_no_host(service: Running) -> None:
    lines = ["GET /healthz HTTP/1.1", f"Host: 127.0.0.1:{service.port}", "Host: evil.example"]

    status, _ = raw(service, [*lines, "Connection: close"])

    assert status == 400


@pytest.mark.parametrize(
    "header",
    ["muniment-user", "muniment-branch", "idempotency-key", "content-type", "last-event-id"],
)
def test_who_and_what_is_meant_cannot_be_said_twice(service: Running, header: str) -> None:
    """A second one would overrule what a gateway in front has said for its caller."""
    ada = service.agent(agent="doubled", user="*")
    said = {
        "muniment-user": ("tuff", "bob"),
        "muniment-branch": ("try", "other"),
        "idempotency-key": ("k1", "k2"),
        "content-type": ("application/json", "application/json"),
        "last-event-id": ("1", "2"),
    }[header]

    answer = ada.http.get(
        "/v1/log", headers=[*((header, each) for each in said), ("muniment-user", "tuff")]
    )

    assert answer.status_code == 400
    assert answer.json()["developer_message"] == f"the header {header} occurs twice"


BODIES = {
    "nothing": b"",
    "half a document": b'{"text":',
    "not an object": b'["text"]',
    "a bare word": b"nonsense",
    "text that is not UTF-8": b'{"text": "\xff\xfe"}',
    "an overlong encoding": b'{"text": "\xc0\xaf"}',
    "half of a surrogate pair": b'{"text": "\\ud800"}',
    "a key that stands twice": b'{"text": "a", "text": "b"}',
    "a number that is none": b'{"text": "a", "keep_raw": NaN}',
    "the wrong type": b'{"text": 5}',
    "an unknown field": b'{"text": "a", "tenant": "other"}',
    "too deep": b'{"text": ' + b"[" * 60 + b"]" * 60 + b"}",
    "far too deep": b"[" * 100_000,
    "NULs": b"\x00\x00\x00",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
def test_a_body_without_meaning_is_answered_and_changes_nothing(
    service: Running, body: bytes
) -> None:
    ada = service.agent(agent="garbled")

    told = ada.send(
        "POST", "/v1/remember", content=body, headers={"content-type": "application/json"}
    )

    assert told.status_code == 400, told.text
    assert told.json()["error_code"] == "INVALID_INPUT"
    assert ada.get("/v1/log")["items"] == []


def test_a_field_that_there_is_not_is_told_with_those_that_there_are(service: Running) -> None:
    """The caller's own word is not said again: it may be anything."""
    ada = service.agent(agent="mistaken")

    told = ada.send("POST", "/v1/context", json={"promt": "Where do I live?"}).json()

    assert "prompt, budget" in told["developer_message"]
    assert "promt" not in told["developer_message"]


def test_a_body_that_is_too_large_is_refused_declared_or_not(service: Running) -> None:
    ada = service.agent(agent="large")
    large = b'{"text": "' + b"a" * app.BODY_BYTES_MAX + b'"}'
    kind = {"content-type": "application/json"}

    declared = ada.send("POST", "/v1/remember", content=large, headers=kind)
    pieces = (large[n : n + 10_000] for n in range(0, len(large), 10_000))
    undeclared = ada.send("POST", "/v1/remember", content=pieces, headers=kind)

    assert declared.status_code == undeclared.status_code == 413
    assert ada.get("/v1/log")["items"] == []


def test_whoever_sends_far_too_much_hears_it_as_long_as_that_can_be_borne(service: Running) -> None:
    ada = service.agent(agent="larger")
    kind = {"content-type": "application/json"}
    pieces = (b"a" * 60_000 for _ in range(app.BODY_BYTES_MAX * parse_request.HEARD_OUT // 60_000))

    assert ada.send("POST", "/v1/remember", content=pieces, headers=kind).status_code == 413
    assert ada.get("/v1/log")["items"] == []


def test_a_body_of_another_kind_and_a_method_that_is_none_say_so(service: Running) -> None:
    ada = service.agent()

    kind = ada.send("POST", "/v1/remember", content=b"text=a")
    method = ada.send("PATCH", "/v1/remember", json={})
    several = ada.send("PATCH", "/v1/petitions", json={})
    nowhere = ada.send("GET", "/v1/no/such/place")

    assert (kind.status_code, kind.json()["error_code"]) == (415, "MEDIA_TYPE")
    assert (method.status_code, method.headers["allow"]) == (405, "POST")
    assert (several.status_code, several.headers["allow"]) == (405, "GET, HEAD, POST")
    assert (nowhere.status_code, nowhere.json()["error_code"]) == (404, "NOT_FOUND")


def test_a_body_that_does_not_come_is_not_waited_for_and_holds_up_nobody() -> None:
    limits = app.Limits(rate=Rate(per_second=0, burst=1), body_seconds=0.5)
    with serving(limits=limits) as service:
        ada = service.agent()
        with socket.create_connection(("127.0.0.1", service.port), timeout=20) as wire:
            head = (
                f"POST /v1/remember HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\n"
                f"Authorization: Bearer {ada.key}\r\nContent-Type: application/json\r\n"
                "Content-Length: 100\r\n\r\n{"
            )
            wire.sendall(head.encode())
            assert ada.post("/v1/remember", {"text": "meanwhile"})["stored"]
            answer = wire.recv(65536)
        assert answer.startswith(b"HTTP/1.1 408")


def test_a_key_that_asks_too_often_is_told_how_long_to_wait() -> None:
    limits = app.Limits(rate=Rate(per_second=0.5, burst=3))
    with serving(limits=limits) as service:
        ada, bob = service.agent(), service.agent(agent="bob")

        told = [ada.send("POST", "/v1/recall", json={"query": "x"}) for _ in range(5)]

        assert [each.status_code for each in told] == [200, 200, 200, 429, 429]
        assert 1 <= int(told[-1].headers["retry-after"]) <= 2
        assert bob.post("/v1/recall", {"query": "x"})


def test_whoever_guesses_at_keys_is_soon_told_to_wait() -> None:
    with serving(limits=app.Limits()) as service:
        told = [
            httpx2.post(
                f"{service.url}/v1/recall", json={}, headers={"authorization": f"Bearer mk_{n}"}
            ).status_code
            for n in range(13)
        ]
        assert told[:10] == [401] * 10
        assert told[10:] == [429] * 3
        assert service.agent().post("/v1/recall", {"query": "x"}), "others at their address may"


def test_a_bucket_fills_with_time_and_never_beyond_its_burst() -> None:
    now = [0.0]
    limiter = Limiter(Rate(per_second=1, burst=2), lambda: now[0])

    limiter.take("a")
    limiter.take("a")
    with pytest.raises(RateLimitedError):
        limiter.take("a")
    now[0] = 100.0
    limiter.take("a")
    limiter.take("a")
    with pytest.raises(RateLimitedError):
        limiter.take("a")


@pytest.mark.parametrize(
    ("chosen", "keys", "wanted"),
    [
        (doorway.HttpServing(host="0.0.0.0"), 1, "--certificate"),  # noqa: S104
        (doorway.HttpServing(host="0.0.0.0", behind_proxy=True), 1, "--allow-host"),  # noqa: S104
        (doorway.HttpServing(host="::", behind_proxy=True, hosts=("a.example",)), 0, "API key"),
        (doorway.HttpServing(certificate="c.pem"), 1, "--private-key"),
    ],
)
def test_a_door_that_others_reach_needs_more_than_one_on_loopback(
    chosen: doorway.HttpServing, keys: int, wanted: str
) -> None:
    with pytest.raises(InputError, match=wanted):
        doorway.check(chosen, keys=keys)


def test_loopback_needs_nothing_and_a_proper_door_is_let_through() -> None:
    doorway.check(doorway.HttpServing(), keys=0)
    doorway.check(doorway.HttpServing(host="::1"), keys=0)
    proper = doorway.HttpServing(host="10.0.0.5", behind_proxy=True, hosts=("memory.example",))
    doorway.check(proper, keys=1)
    allowed = allowed_origins.at_port(8600, hosts=proper.hosts)
    allowed.check("memory.example:8600", None)


def test_a_log_is_followed_and_resumed_where_it_was_left(service: Running) -> None:
    ada = service.agent(agent="followed")
    ada.post("/v1/remember", {"text": "one"})
    last = ada.get("/v1/log", limit=200)["items"][-1]["seq"]
    heard: list[tuple[int, str]] = []

    def follow(after: int, wanted: int) -> None:
        headers = {"last-event-id": str(after)}
        with ada.http.stream("GET", "/v1/log/stream", headers=headers, timeout=10) as stream:
            assert stream.headers["content-type"] == "text/event-stream"
            found = 0
            for line in stream.iter_lines():
                if line.startswith("data: "):
                    told = json.loads(line[6:])
                    heard.append((told["seq"], told["type"]))
                    found += 1
                    if found == wanted:
                        return

    listening = threading.Thread(target=follow, args=(last, 2))
    listening.start()
    time.sleep(0.5)
    ada.post("/v1/remember", {"text": "two"})
    listening.join(timeout=20)
    follow(last + 1, 1)

    assert [seq for seq, _ in heard] == [last + 1, last + 2, last + 2]
    assert "episodic_written" in {kind for _, kind in heard}


def test_what_is_said_where_nothing_is_read_is_refused(service: Running) -> None:
    ada = service.agent(agent="overheard")
    job = ada.post("/v1/jobs", {"seed": "s"})["number"]

    assert ada.post(f"/v1/jobs/{job}/tick", {"agent": "another"}, status=400)
    assert ada.send("GET", "/v1/log", json={"limit": 1}).status_code == 400
    assert ada.post(f"/v1/jobs/{job}/tick", {})["tick"] == 1


@pytest.mark.parametrize("after", ["%0a", "5%0a", "-1", "%C2%B2", "x", "9" * 33])
def test_a_cursor_is_digits_and_nothing_else(service: Running, after: str) -> None:
    answer = service.agent(agent="odd cursors").send("GET", f"/v1/log?after={after}")

    assert answer.status_code == 400
    assert answer.json()["error_code"] == "INVALID_INPUT"


@pytest.mark.parametrize("after", ["9" * 15, "9" * 19, "9" * 32])
def test_a_cursor_past_every_log_finds_nothing(service: Running, after: str) -> None:
    ada, otto = service.agent(agent="far ahead"), service.admin()
    ada.post("/v1/remember", {"text": "one"})
    stream = "main/agent/far ahead/actor"

    for told in (
        ada.get("/v1/log", after=after),
        otto.get("/v1/streams/headers", stream=stream, after=after),
        otto.get("/v1/admin/incidents", after=after),
    ):
        assert told == {"items": [], "next": ""}


@pytest.mark.parametrize("last", [b"\xb2", b"9" * 5000, b"-1", b"the last one", b""])
def test_a_last_event_that_never_was_one_follows_from_where_the_address_says(
    service: Running, last: bytes
) -> None:
    ada = service.agent(agent="odd resumption")
    ada.post("/v1/remember", {"text": "one"})
    end = ada.get("/v1/log", limit=200)["items"][-1]["seq"]

    asked = ada.http.stream(
        "GET",
        "/v1/log/stream",
        params={"after": str(end - 1)},
        headers={b"last-event-id": last},
        timeout=10,
    )
    with asked as stream:
        assert stream.status_code == 200
        first = next(line for line in stream.iter_lines() if line.startswith("id: "))

    assert first == f"id: {end}"


@pytest.mark.parametrize("end", ["", "\r\nX-Long: "])
def test_who_never_ends_a_head_is_hung_up_on_and_holds_up_nobody(
    monkeypatch: pytest.MonkeyPatch, end: str
) -> None:
    """Given half a head or one without an end, when it has expired or size, it is over."""
    monkeypatch.setattr(request_limits, "HEAD_SECONDS", 0.3 if not end else 60)
    with serving() as service, socket.create_connection(("127.0.0.1", service.port)) as stranger:
        stranger.settimeout(20)
        stranger.sendall(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{service.port}{end}".encode())
        with contextlib.suppress(ConnectionError):
            for _ in range(100 if end else 0):
                stranger.sendall(b"a" * 10_000)
                time.sleep(0.001)
        with contextlib.suppress(ConnectionResetError):
            assert b" 200 " not in stranger.recv(65536)
        kept = service.agent()
        for _ in range(3):
            time.sleep(0.15)  # a caller that comes again and again is not one that never ends
            assert kept.post("/v1/recall", {"query": "x"})


@pytest.mark.parametrize(("size", "answered"), [(60_000, True), (70_000, False)])
def test_a_head_of_more_than_64_kib_is_hung_up_on_also_where_it_comes_at_once(
    service: Running, *, size: int, answered: bool
) -> None:
    with socket.create_connection(("127.0.0.1", service.port)) as caller:
        caller.settimeout(20)
        head = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nX-Long: {'a' * size}"
        told = b""
        with contextlib.suppress(ConnectionError):
            caller.sendall(f"{head}\r\n\r\n".encode())
            told = caller.recv(65536)

    assert (b" 200 " in told) is answered


def test_the_name_of_a_request_counts_nothing(service: Running) -> None:
    names = [service.agent().http.get("/healthz").headers["request-id"] for _ in range(20)]

    assert len({*names}) == len(names)
    assert len({name[:8] for name in names}) == len(names)
    assert names != sorted(names)


def test_who_comes_and_says_nothing_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_limits, "HEAD_SECONDS", 0.3)
    with serving() as service, socket.create_connection(("127.0.0.1", service.port)) as stranger:
        stranger.settimeout(20)
        with contextlib.suppress(ConnectionResetError):
            assert stranger.recv(65536) == b""


def test_who_asks_and_says_no_more_is_answered(service: Running) -> None:
    """`nc -N`, and programs that close their side of the line to say that they have asked."""
    body = b'{"query": "tea"}'
    lines = [
        "POST /v1/recall HTTP/1.1",
        f"Host: 127.0.0.1:{service.port}",
        f"Authorization: Bearer {service.agent().key}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    ]
    with socket.create_connection(("127.0.0.1", service.port)) as caller:
        caller.settimeout(20)
        caller.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        caller.shutdown(socket.SHUT_WR)
        told = b"".join(iter(lambda: caller.recv(65536), b""))
    assert told.startswith(b"HTTP/1.1 200")
    assert b'"hits"' in told


def test_who_leaves_in_the_middle_of_a_body_is_not_waited_for(service: Running) -> None:
    head = (
        f"POST /v1/recall HTTP/1.1\r\nHost: 127.0.0.1:{service.port}\r\nContent-Length: 9\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", service.port)) as caller:
        caller.settimeout(5)
        caller.sendall(head.encode() + b"{")
        caller.shutdown(socket.SHUT_WR)
        assert b" 200 " not in b"".join(iter(lambda: caller.recv(65536), b""))


def test_how_long_a_body_is_cannot_be_said_twice(service: Running) -> None:
    """Of two lengths a proxy in front might have believed the other."""
    lines = [
        "POST /v1/recall HTTP/1.1",
        f"Host: 127.0.0.1:{service.port}",
        f"Authorization: Bearer {service.agent().key}",
        "Content-Type: application/json",
        "Content-Length: 4",
        "Transfer-Encoding: chunked",
        "Connection: close",
    ]

    status, _ = raw(service, lines, b'f\r\n{"query":"fig"}\r\n0\r\n\r\n')

    assert status == 400


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content-type": "application/json; charset=utf-8"}, 200),
        ({"content-type": 'application/json; charset="UTF-8"; v=1'}, 200),
        ({"content-type": "application/json; charset=iso-8859-1"}, 415),
        ({"content-type": "application/json; charset=utf-16"}, 415),
        ({"content-type": "application/json", "content-encoding": "gzip"}, 415),
    ],
)
def test_a_body_is_what_it_says_it_is(
    service: Running, headers: dict[str, str], status: int
) -> None:
    """Words that were meant in another encoding would be remembered as other words."""
    said = b'{"query": "caf\xc3\xa9"}'

    told = service.agent().send("POST", "/v1/recall", content=said, headers=headers)

    assert told.status_code == status, told.text


def test_behind_a_proxy_the_name_that_it_passes_on_is_heard_and_no_other() -> None:
    alone = allowed_origins.at_port(8600, hosts=("memory.example.org",))
    behind = allowed_origins.at_port(8600, hosts=("memory.example.org",), proxied=True)

    assert not alone.is_host("memory.example.org")
    assert behind.is_host("Memory.Example.org")
    assert behind.is_page("https://memory.example.org")
    assert not behind.is_host("example.org")
    assert not behind.is_page("http://memory.example.org")
    assert not behind.is_host("localhost")

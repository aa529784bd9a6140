"""Which names and pages a door answers to, and where it may stand."""

import socket
from types import SimpleNamespace
from typing import cast

import pytest

from muniment.adapters.gateway import allowed_origins, origins
from muniment.adapters.gateway.allowed_origins import AllowedOrigins
from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.gateway.errors import WrongPlaceError
from muniment.adapters.gateway.gateway import Hands
from muniment.model.errors import InputError, PermissionDeniedError
from muniment.model.kinds.episode import Origin
from muniment.model.scope import Channel, Role

LOOPBACK = {"127.0.0.1", "localhost", "[::1]"}


def test_a_door_is_called_by_loopback_names_at_its_port_and_by_what_it_was_told() -> None:
    told = allowed_origins.at_port(
        8000, hosts=("Memory.Example", "other:9"), origins=("https://page.example",)
    )

    hosts = {f"{name}:8000" for name in LOOPBACK} | {"memory.example:8000", "other:9"}
    assert told == AllowedOrigins(
        hosts=frozenset(hosts),
        origins=frozenset({f"http://{name}" for name in hosts} | {"https://page.example"}),
    )


@pytest.mark.parametrize(("scheme", "port"), [("http", 80), ("https", 443)])
def test_at_the_usual_port_its_number_may_be_left_out(scheme: str, port: int) -> None:
    told = allowed_origins.at_port(port, scheme=scheme)

    hosts = LOOPBACK | {f"{name}:{port}" for name in LOOPBACK}
    assert told == AllowedOrigins(
        hosts=frozenset(hosts), origins=frozenset(f"{scheme}://{name}" for name in hosts)
    )
    assert told.any_port is False


def test_behind_a_proxy_a_door_is_called_without_its_port() -> None:
    told = allowed_origins.at_port(8000, hosts=("Memory.Example",), proxied=True)

    own = {f"{name}:8000" for name in (*LOOPBACK, "memory.example")}
    assert told == AllowedOrigins(
        hosts=frozenset(own | {"memory.example"}),
        origins=frozenset({f"http://{name}" for name in own} | {"https://memory.example"}),
    )


def test_what_is_no_host_is_refused_by_its_name() -> None:
    for name in ("a b", "http://x", "x:", "x:123456", ""):
        with pytest.raises(WrongPlaceError) as refused:
            allowed_origins.at_port(8000, hosts=(name,))
        assert refused.value.detail == f"{name!r} is no host"


def test_behind_a_proxy_a_host_is_called_by_its_name_alone_and_over_tls_too() -> None:
    told = allowed_origins.at_port(80, hosts=("Memory.Example",), proxied=True)

    names = (*LOOPBACK, "memory.example")
    hosts = {*names, *(f"{name}:80" for name in names)}
    own = {f"http://{name}" for name in hosts} | {"https://memory.example"}
    assert told == AllowedOrigins(hosts=frozenset(hosts), origins=frozenset(own))


def test_a_request_names_a_host_and_where_a_browser_does_a_page() -> None:
    told = allowed_origins.at_port(8000)

    told.check("LOCALHOST:8000", None)
    told.check("localhost:8000", "HTTP://localhost:8000")
    for host in ("localhost", "localhost:8001", "evil.example:8000", ""):
        with pytest.raises(WrongPlaceError) as wrong_host:
            told.check(host, None)
        assert (
            wrong_host.value.detail
            == "the Host header names an unknown host; --allow-host adds one"
        )
    for page in ("http://evil.example", "https://localhost:8000", "null", "", "localhost:8000"):
        with pytest.raises(WrongPlaceError) as wrong_page:
            told.check("localhost:8000", page)
        assert wrong_page.value.detail == (
            "the Origin header names a page that this service does not serve"
        )


def test_pages_of_this_machine_are_shown_at_any_port_and_to_no_other_name() -> None:
    told = allowed_origins.on_this_machine()

    assert told.hosts == LOOPBACK
    assert told.origins == {f"{each}://{name}" for each in ("http", "https") for name in LOOPBACK}
    for host in ("localhost", "LocalHost:1", "127.0.0.1:65535", "[::1]:80"):
        told.check(host, f"https://{host}")
    for host in ("localhost:123456", "localhost.evil.example:1", "127.0.0.2", "[::2]:80"):
        assert not told.is_host(host)
        assert not told.is_page(f"http://{host}")


@pytest.mark.parametrize(
    ("host", "loops", "shown"),
    [
        ("localhost", True, "localhost"),
        ("127.0.0.1", True, "127.0.0.1"),
        ("127.8.8.8", True, "127.8.8.8"),
        ("::1", True, "[::1]"),
        ("[::1]", True, "[::1]"),
        ("0.0.0.0", False, "localhost"),  # noqa: S104
        ("::", False, "localhost"),
        ("[::]", False, "localhost"),
        ("fe80::2", False, "[fe80::2]"),
        ("memory.example", False, "memory.example"),
    ],
)
def test_an_address_is_of_this_machine_alone_or_not_and_is_shown_by_a_name(
    host: str, *, loops: bool, shown: str
) -> None:
    assert allowed_origins.is_loopback(host) is loops
    assert allowed_origins.shown(host) == shown


def test_a_door_that_listens_can_be_called_at_once_and_does_not_wait_for_more() -> None:
    with allowed_origins.listen("127.0.0.1", 0) as made:
        assert (made.family, made.proto) == (socket.AF_INET, socket.IPPROTO_TCP)
        assert made.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
        port = made.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            pass
        with pytest.raises(InputError) as taken:
            allowed_origins.listen("127.0.0.1", port)
    assert taken.value.detail.startswith(f"cannot listen at 127.0.0.1:{port}: Address already")
    assert taken.value.detail.endswith("; try another port")
    with pytest.raises(InputError) as beyond:
        allowed_origins.listen("127.0.0.1", 70_000)
    assert "65535" in beyond.value.detail
    for host in ("::1", "[::1]"):
        with pytest.raises(InputError) as at_six:
            allowed_origins.listen(host, 70_000)
        assert at_six.value.detail.startswith("cannot listen at [::1]:70000: ")
        assert "65535" in at_six.value.detail, "it was understood as an address"


# ── Whose word a text is ────────────────────────────────────────────────────────────────────────


def hands(role: Role, channel: Channel) -> Hands:
    grant = Grant(role=role, agent="ada", user="tuff")
    return cast("Hands", SimpleNamespace(grant=grant, channel=channel))


@pytest.mark.parametrize(
    ("role", "channel", "allowed"),
    [
        (Role.USER, Channel.HTTP, "user external"),
        (Role.USER, Channel.MCP, "user external"),
        (Role.AGENT, Channel.HTTP, "user agent tool external"),
        (Role.AGENT, Channel.MCP, "agent tool external"),
    ],
)
def test_nobody_says_of_a_text_that_it_is_more_trusted_than_their_key(
    role: Role, channel: Channel, allowed: str
) -> None:
    mine, words = hands(role, channel), allowed.split()

    assert origins.admitted(mine, "") == words[0]
    for origin in Origin:
        if origin in words:
            assert origins.admitted(mine, str(origin)) is origin
            assert origins.lowered(mine, str(origin)) is origin
            continue
        with pytest.raises(PermissionDeniedError) as refused:
            origins.admitted(mine, str(origin))
        assert refused.value.detail == (
            f"this key may not say that a text is of origin {origin}; it may say {', '.join(words)}"
        )
        assert origins.lowered(mine, str(origin)) is Origin.EXTERNAL

"""Metrics from every door: MCP over HTTP and the studio count their requests beside the store."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests import studios
from tests.mcp_client import HELLO
from tests.studios import Browser

from muniment.adapters.gateway import allowed_origins, api_keys
from muniment.adapters.gateway.api_keys import Credentials, Grant, MemoryCredentials
from muniment.adapters.gateway.gateway import Gateway
from muniment.adapters.mcp import serve
from muniment.adapters.studio.app import app
from muniment.model.scope import Channel, Role

Door = Callable[[Path, Credentials], Iterator[TestClient]]
WORDS = ("Lisbon", "cerulean", "kite", "tuff", "Berlin")  # of the memory that is looked at
SILENT = {Role.AUDITOR, Role.ADMIN}  # who may read metrics


@contextmanager
def over_mcp(folder: Path, known: Credentials) -> Iterator[TestClient]:
    with studios.opened(folder) as memory:
        studios.fill(memory)
        reception = Gateway(memory, known, channel=Channel.MCP)
        door = serve.KeyedServers(reception, allowed_origins.at_port(8123))
        with TestClient(door, base_url="http://127.0.0.1:8123") as client:
            yield client


@contextmanager
def over_studio(folder: Path, known: Credentials) -> Iterator[TestClient]:
    studio = studios.studio(folder, credentials=known)
    with TestClient(app(studio), base_url="http://127.0.0.1") as client:
        yield client
    studio.close()


DOORS = pytest.mark.parametrize(("name", "door"), [("mcp", over_mcp), ("studio", over_studio)])


def bearing(known: Credentials, role: Role, tenant: str = "main") -> dict[str, str]:
    speaker = Grant(role=role, tenant=tenant, agent="ada", user="tuff")
    office = Grant(role=role, tenant=tenant, who="grace")
    grant = speaker if role is Role.USER else office
    key, _ = api_keys.issue(known, grant)
    return {"authorization": f"Bearer {key}"}


@DOORS
def test_a_door_tells_its_requests_and_what_the_store_holds_and_nobodys_words(
    tmp_path: Path, name: str, door: Door
) -> None:
    known = MemoryCredentials()
    auditor = bearing(known, Role.AUDITOR)
    with door(tmp_path / "memory", known) as client:  # type: ignore[attr-defined]
        client.get("/metrics", headers=auditor)
        client.get("/metrics")
        page = client.get("/metrics", headers=auditor)

    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert f'muniment_{name}_requests_total{{status="200"}} 1' in page.text
    assert f'muniment_{name}_requests_total{{status="401"}} 1' in page.text
    assert f"muniment_{name}_request_seconds_total 0." in page.text
    assert "muniment_requests_pending 1" in page.text
    assert 'muniment_logs{kind="agent"}' in page.text
    assert not [word for word in WORDS if word in page.text]


@DOORS
@pytest.mark.parametrize("role", [Role.USER, Role.COUNCIL, Role.ADMIN, Role.AUDITOR])
def test_metrics_are_for_the_roles_that_may_read_them_at_every_door(
    tmp_path: Path, name: str, door: Door, role: Role
) -> None:
    del name
    known = MemoryCredentials()
    with door(tmp_path / "memory", known) as client:  # type: ignore[attr-defined]
        told = client.get("/metrics", headers=bearing(known, role)).status_code
        nobody = client.get("/metrics").status_code
        guessed = client.get("/metrics", headers={"authorization": "Bearer mk_x_y"}).status_code

    assert told == (200 if role in SILENT else 403)
    assert (nobody, guessed) == (401, 401)


def test_over_mcp_each_tenant_is_told_of_its_own_store_and_over_the_studio_no_other(
    tmp_path: Path,
) -> None:
    known = MemoryCredentials()
    other = bearing(known, Role.AUDITOR, tenant="other")
    with over_mcp(tmp_path / "mcp", known) as client:
        page = client.get("/metrics", headers=other)
    with over_studio(tmp_path / "studio", known) as client:
        refused = client.get("/metrics", headers=other)

    assert "muniment_requests_pending 0" in page.text
    assert refused.status_code == 401


def test_who_started_the_studio_reads_its_metrics_in_the_browser(tmp_path: Path) -> None:
    studio = studios.studio(tmp_path / "memory")
    page = Browser(studio).client.get("/metrics")
    studio.close()

    assert page.status_code == 200
    assert "muniment_studio_requests_total" in page.text


def test_a_call_of_a_tool_is_counted_like_any_request(tmp_path: Path) -> None:
    known = MemoryCredentials()
    with over_mcp(tmp_path / "memory", known) as client:
        accept = {"accept": "application/json, text/event-stream"}
        client.post("/mcp", json=HELLO, headers=bearing(known, Role.USER) | accept)
        page = client.get("/metrics", headers=bearing(known, Role.AUDITOR))

    assert 'muniment_mcp_requests_total{status="200"} 1' in page.text

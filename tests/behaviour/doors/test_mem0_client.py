"""mem0's own client works here unchanged."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from tests import upstream_mem0
from tests.service import serving

PACKAGES = ("mem0ai==2.2.1", "posthog==7.79.0")  # the client, and what it imports besides ours
SKIPPED = "MEM0'S CLIENT IS NOT TESTED"


@pytest.fixture(scope="module")
def client_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The released package, fetched and unpacked; without a network the test says so."""
    folder = tmp_path_factory.mktemp("mem0")
    fetch = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder)]
    try:
        subprocess.run([*fetch, *PACKAGES], check=True, capture_output=True, timeout=120)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        pytest.skip(f"{SKIPPED}: its package cannot be fetched")
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as packed:
            packed.extractall(folder / "site")
    return folder / "site"


def story(client_path: Path, url: str, key: str) -> dict[str, Any]:
    told = subprocess.run(
        [sys.executable, upstream_mem0.__file__, url, key],
        env={"PYTHONPATH": str(client_path), "HOME": str(client_path), "MEM0_TELEMETRY": "false"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if "ModuleNotFoundError" in told.stderr:
        pytest.skip(f"{SKIPPED}: {told.stderr.strip().splitlines()[-1]}")
    assert told.returncode == 0, told.stderr
    answer: dict[str, Any] = json.loads(told.stdout)
    return answer


@pytest.mark.parametrize("bound", [True, False], ids=["key of one user", "key of any user"])
def test_the_stock_client_adds_finds_changes_and_deletes(client_path: Path, bound: bool) -> None:  # noqa: FBT001
    with serving() as service:
        key = service.agent(user="tuff" if bound else "*").key
        told = story(client_path, service.url, key)

    (added,) = told["added"]["results"]
    assert added["memory"] == "I moved to Lisbon in March"
    assert [each["id"] for each in told["found"]["results"]] == [added["id"]]
    assert told["got"]["memory"] == "I moved to Lisbon in March"
    assert told["updated"]["memory"] == "I moved to Porto in May"
    assert told["all"]["count"] == 2
    assert len(told["all"]["results"]) == 1
    assert [each["event"] for each in told["history"]] == ["ADD", "UPDATE"]
    assert [each["memory"] for each in told["after"]["results"]] == ["My cat is called Tigerlily"]
    assert told["after"]["results"][0]["metadata"] == {"topic": "pets"}
    assert told["end"]["results"] == []
    assert told["gone"] == "MemoryNotFoundError"


def test_a_key_of_one_user_neither_adds_to_nor_finds_another_users_memories() -> None:
    with serving() as service:
        tuff, mona = service.agent(user="tuff"), service.agent(user="mona")
        (kept,) = mona.post("/v3/memories/add/", _said("I keep bees"))["results"]

        tuff.post("/v3/memories/add/", _said("no") | {"user_id": "mona"}, status=403)
        tuff.post(
            "/v3/memories/search/", {"query": "bees", "filters": {"user_id": "mona"}}, status=403
        )
        foreign = tuff.send("GET", f"/v1/memories/{kept['id']}/")
        absent = tuff.send("GET", "/v1/memories/000000000099@mona/")

        assert (foreign.status_code, foreign.text) == (absent.status_code, absent.text)
        assert foreign.status_code == 404


def test_a_filter_that_cannot_be_kept_is_refused_and_not_left_out() -> None:
    with serving() as service:
        tuff = service.agent()
        body = {"query": "bees", "filters": {"OR": [{"user_id": "tuff"}, {"user_id": "mona"}]}}

        assert tuff.post("/v3/memories/search/", body, status=400)["error_code"] == "INVALID_INPUT"


def test_everything_that_a_filter_asks_at_once_must_hold() -> None:
    with serving() as service:
        ada = service.agent(user="*")
        for text, metadata in (("red bees", {"a": 1}), ("blue bees", {"a": 1, "b": 2})):
            ada.post("/v1/memories/", _said(text) | {"user_id": "tuff", "metadata": metadata})
        ada.post("/v1/memories/", _said("no bees") | {"user_id": "tuff", "metadata": {"b": 2}})

        both = {"AND": [{"user_id": "tuff"}, {"metadata": {"a": 1}}, {"metadata": {"b": 2}}]}
        found = ada.post("/v2/memories/", {"filters": both})["results"]

        assert [each["memory"] for each in found] == ["blue bees"]


@pytest.mark.parametrize(
    "body",
    [
        {"filters": {"AND": [{"user_id": "mona"}, {"user_id": "tuff"}]}},
        {"filters": {"AND": [{"agent_id": "a"}, {"agent_id": "b"}]}},
        {"filters": {"AND": [{"metadata": {"a": 1}}, {"metadata": {"a": 2}}]}},
        {"filters": {"user_id": "tuff"}, "user_id": "mona"},
        {"filters": {"user_id": {}}},
    ],
)
def test_a_filter_that_nothing_fits_is_refused(body: dict[str, object]) -> None:
    with serving() as service:
        assert service.agent(user="*").post("/v2/memories/", body, status=400)


def test_a_deletion_whose_bounds_are_said_in_a_body_deletes_nothing() -> None:
    with serving() as service:
        tuff = service.agent()
        tuff.post("/v1/memories/", _said("I keep bees"))

        for said in ({"run_id": "r1"}, {"user_id": "mona"}, ["r1"]):
            answer = tuff.send("DELETE", "/v1/memories/", json=said)
            assert answer.status_code == 400
            assert answer.json()["error_code"] == "INVALID_INPUT"

        assert tuff.get("/v1/memories/")["count"] == 1
        assert tuff.send("DELETE", "/v1/memories/", json={}).status_code == 200
        assert tuff.get("/v1/memories/")["count"] == 0


def _said(text: str) -> dict[str, object]:
    return {"messages": [{"role": "user", "content": text}]}


def test_a_talk_is_found_in_other_words_by_who_said_it_and_by_what_was_asked_before() -> None:
    talk = [
        {"role": "user", "name": "Ann", "content": "I adopted a puppy called Toby."},
        {"role": "user", "name": "Bob", "content": "How long did it take to train him?"},
        {"role": "user", "name": "Ann", "content": "Three weeks!"},
        {"role": "user", "name": "Bob", "content": "I bought a puppy bed once."},
    ]
    with serving() as service:
        tuff = service.agent(user="tuff")
        tuff.post("/v3/memories/add/", {"messages": talk, "run_id": "monday"})
        tuff.post("/v3/memories/add/", {"messages": [{"role": "user", "content": "It rained."}]})

        def first(query: str, **more: object) -> str:
            found = tuff.post("/v3/memories/search/", {"query": query, **more})["results"]
            return str(found[0]["memory"])

        assert first("What dogs does Ann have?") == "I adopted a puppy called Toby."
        assert first("How long was the training?", top_k=3) in {
            "How long did it take to train him?",
            "Three weeks!",
        }
        found = tuff.post("/v3/memories/search/", {"query": "training", "top_k": 2})["results"]
        assert [each["memory"] for each in found][:2] == [
            "How long did it take to train him?",
            "Three weeks!",
        ]
        assert all(0 <= each["score"] <= 1 for each in found)
        assert tuff.post("/v3/memories/search/", {"query": "puppy", "run_id": "tuesday"}) == {
            "results": []
        }


@pytest.mark.parametrize("field", ["run_id", "agent_id", "app_id"])
@pytest.mark.parametrize("name", ["alice@example.com", "jose\u0301", "a/b c%"])
def test_what_is_kept_under_a_name_is_listed_found_and_deleted_by_it(name: str, field: str) -> None:
    """An address is kept as its pseudonym, and is asked for as an address."""
    with serving() as service:
        http = service.agent().http
        for each in (name, "somebody-else"):
            said = [{"role": "user", "content": f"tea of {each}"}]
            http.post("/v3/memories/add/", json={"messages": said, field: each})

        def listed() -> int:
            count: int = http.get("/v1/memories/", params={field: name}).json()["count"]
            return count

        asked = {"query": "tea", "filters": {field: name}}
        found = http.post("/v3/memories/search/", json=asked).json()["results"]
        assert (listed(), len(found)) == (1, 1)
        assert http.delete("/v1/memories/", params={field: name}).is_success
        assert listed() == 0
        assert http.get("/v1/memories/").json()["count"] == 1

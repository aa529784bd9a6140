"""A model that is named where a memory is opened: at the terminal and over HTTP."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import ClassVar

import pytest
from tests.behaviour.seed_003 import golden_talks
from tests.service import serving
from tests.terminal import Shell, said

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.config import Settings, open_memory

PATIENCE = 20  # seconds: an answer takes milliseconds, a model that is asked has thirty
TRIP = golden_talks.turns("trip")
GOOD = (
    "Flight to Lisbon on 14 March at 08:35, seat 17C on the aisle of the plane. Booked hotel Casa "
    "Azul for five nights; the room costs 120 euros per night. Marta will pick up at terminal 2."
)


class Completions(BaseHTTPRequestHandler):
    """A server of chat completions that tells the trip, and remembers who asked what."""

    asked: ClassVar[list[tuple[str, str]]] = []
    begun: ClassVar[Event] = Event()
    go: ClassVar[Event] = Event()

    def do_POST(self) -> None:
        self.begun.set()
        self.go.wait(PATIENCE)
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        told = body["messages"][1]["content"]
        self.asked.append((self.headers.get("authorization", ""), told))
        self.send_response(200)
        self.end_headers()
        answer = {"choices": [{"message": {"content": GOOD}}]}
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *args: object) -> None:
        del args


@pytest.fixture
def server() -> Iterator[str]:
    Completions.asked.clear()
    Completions.begun.clear()
    Completions.go.set()
    with ThreadingHTTPServer(("127.0.0.1", 0), Completions) as serving:
        thread = Thread(target=serving.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{serving.server_address[1]}/v1 guide-1"
        serving.shutdown()
        thread.join()


@pytest.fixture
def trip(tmp_path: Path) -> Path:
    """A memory with a talk about a trip, in which somebody left their address."""
    with muniment.open(tmp_path / "memory") as memory:
        channel = memory.agent("default", user="tuff").thread("case", explicit=True)
        for text in (*TRIP, "Write to bob@example.com about it"):
            channel.turn(text)
    return tmp_path / "memory"


def test_the_terminal_asks_a_model_once_and_proves_without_it(
    trip: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell("--store", str(trip), "--user", "tuff")
    monkeypatch.setenv("MUNIMENT_MODEL", server)
    monkeypatch.setenv("MUNIMENT_MODEL_KEY", "k-1")

    (told,) = shell.listed("compacted", "compact")

    assert (told["by"], told["fallback"]) == ("openai:guide-1", "")
    ((key, sent),) = Completions.asked
    assert key == "Bearer k-1"
    assert "bob@example.com" not in sent  # it is told what the log keeps
    assert "[email:" in sent
    monkeypatch.delenv("MUNIMENT_MODEL")
    assert shell("prove").exit_code == Exit.DONE
    assert shell("rebuild").exit_code == Exit.DONE
    assert len(Completions.asked) == 1


def test_a_server_of_muniment_asks_the_model_that_it_was_given(trip: Path, server: str) -> None:
    with serving(trip, settings=Settings(model=server)) as service:
        tuff = service.agent(agent="default")
        (its,) = tuff.get("/v1/threads")

        (told,) = tuff.post(f"/v1/threads/{its['thread_id']}/end", retry="end")
        (again,) = tuff.post(f"/v1/threads/{its['thread_id']}/end", retry="end")

    assert told["by"] == "openai:guide-1"
    assert again == told
    assert len(Completions.asked) == 1


def test_while_one_agent_waits_for_a_model_others_are_answered(trip: Path, server: str) -> None:
    Completions.go.clear()
    with serving(trip, settings=Settings(model=server)) as service:
        tuff, other = service.agent(agent="default"), service.agent(agent="bob")
        elsewhere = service.user(agent="default", user="eve", tenant="other")
        (its,) = tuff.get("/v1/threads")
        told: list[object] = []
        path = f"/v1/threads/{its['thread_id']}/end"
        waiting = Thread(target=lambda: told.extend(tuff.post(path)))
        waiting.start()
        assert Completions.begun.wait(PATIENCE)

        for each in (other, elsewhere):
            each.post("/v1/remember", {"text": "I do not wait"})
            assert each.post("/v1/recall", {"query": "who waits?"})["hits"]
        assert other.get("/readyz") == {"status": "ready"}
        early = list(told)
        Completions.go.set()
        waiting.join(PATIENCE)

    assert early == []
    assert [each["by"] for each in told] == ["openai:guide-1"]  # type: ignore[index]


def test_a_model_that_is_away_holds_nobody_up(trip: Path) -> None:
    shell = Shell("--store", str(trip), "--user", "tuff", "--model", "http://127.0.0.1:9/v1 m")

    (told,) = shell.listed("compacted", "compact")

    assert (told["by"], told["fallback"]) == ("extractive", "model_failed")


@pytest.mark.parametrize(
    "named", ["guide-1", "http://127.0.0.1/v1", "ftp://127.0.0.1 m", "http://127.0.0.1 m 3"]
)
def test_a_model_is_named_by_address_and_model(trip: Path, named: str) -> None:
    refused = Shell("--store", str(trip), "--model", named)("recall", "Lisbon")

    assert refused.exit_code == Exit.INPUT
    assert "address model" in said(refused)


def test_whoever_brings_a_model_is_asked_before_one_that_is_named(server: str) -> None:
    class Own:
        name = "own"

        def summarise(self, texts: object, tokens_max: int) -> str:
            del texts, tokens_max
            return GOOD

        def extract(self, text: str, wanted: str) -> str:
            raise NotImplementedError

    settings = Settings(model=server, neighbours=muniment.Neighbours(model=Own()))
    with open_memory(":memory:", settings) as memory:
        channel = memory.agent("ada", user="tuff").thread("case", explicit=True)
        for text in TRIP:
            channel.turn(text)
        (told,) = channel.end()

    assert told.by == "own"
    assert Completions.asked == []

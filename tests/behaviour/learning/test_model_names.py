"""Models by name, their wire formats, budgets and rests, against a real server on loopback."""

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from tests.scripted_model import Reply, ScriptedModel, facts, scripted
from tests.terminal import Shell

import muniment
from muniment import Neighbours
from muniment.adapters.models import model_names
from muniment.adapters.models.chat_model import ChatModel, ModelError
from muniment.adapters.models.circuit_breaker import REST_SECONDS_MAX, CircuitBreaker
from muniment.adapters.models.usage import ModelBudget, UsageLedger
from muniment.engine.learning.extraction import Extraction
from muniment.model.errors import InputError


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with scripted(lambda _: "Lisbon") as model:
        yield model


WIRES = [
    ("anthropic:claude", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "/v1/messages", "x-api-key"),
    ("llamacpp:qwen3", "LLAMACPP_BASE_URL", "MUNIMENT_MODEL_KEY", "/chat/completions", ""),
    ("ollama:qwen3:8b", "OLLAMA_HOST", "MUNIMENT_MODEL_KEY", "/api/chat", ""),
    ("openai:gpt-5", "OPENAI_BASE_URL", "OPENAI_API_KEY", "/chat/completions", ""),
]


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire[0])
def test_a_model_by_name_is_asked_in_the_words_of_its_api(
    server: ScriptedModel, monkeypatch: pytest.MonkeyPatch, wire: tuple[str, ...]
) -> None:
    name, address, key, path, header = wire
    monkeypatch.setenv(address, server.address.removesuffix("/v1"))
    monkeypatch.setenv(key, "k-1")

    model = model_names.named_model(name)
    told = model.summarise(["I live in Lisbon."], 50)
    model.extract("I live in Lisbon.", "{}")
    model.close()

    summary, extraction = server.asked
    assert told == "Lisbon"
    assert summary.path == path
    assert summary.body["model"] == name.partition(":")[2]
    assert summary.headers.get(header or "authorization") == ("k-1" if header else "Bearer k-1")
    assert "at most 50 tokens" in summary.system
    assert summary.user == "I live in Lisbon."
    assert ("format" in extraction.body) == name.startswith("ollama")
    assert model.usage.today().tokens == 240


def test_an_address_names_any_other_server(
    server: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MUNIMENT_MODEL_KEY", "k-2")
    model = model_names.named_model(f"{server.address} some-model")

    assert model.summarise(["x"], 5) == "Lisbon"
    assert server.asked[0].headers["authorization"] == "Bearer k-2"
    assert server.asked[0].body["model"] == "some-model"
    model.close()


@pytest.mark.parametrize("told", ["", "ollama", "ollama:", "gemini:x", "ollama:a b", "ftp://x y"])
def test_a_name_that_says_nothing_is_an_error_that_tells_how(told: str) -> None:
    with pytest.raises(InputError, match="ollama:NAME"):
        model_names.named_model(told)


def test_a_budget_of_tokens_ends_the_day(server: ScriptedModel, tmp_path: Path) -> None:
    budget = ModelBudget(tokens_per_day=200, sent_price_micros=3_000_000)
    model = ChatModel(server.address, "m", usage=UsageLedger(tmp_path, budget))
    model.summarise(["x"], 5)
    model.summarise(["x"], 5)

    with pytest.raises(ModelError, match="token budget is used up"):
        model.summarise(["x"], 5)
    model.close()

    again = UsageLedger(tmp_path, budget)
    assert (again.today().requests, again.today().tokens, again.today().micros) == (2, 240, 600)
    assert again.is_spent()
    assert len(server.asked) == 2


def test_a_budget_of_money_and_prices_come_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MUNIMENT_MODEL_PRICES", "3,15")
    monkeypatch.setenv("MUNIMENT_MODEL_MONEY_PER_DAY", "0.5")
    monkeypatch.setenv("MUNIMENT_MODEL_TOKENS_PER_DAY", "1000")

    assert model_names.budget() == ModelBudget(
        tokens_per_day=1_000,
        micros_per_day=500_000,
        sent_price_micros=3_000_000,
        received_price_micros=15_000_000,
    )
    monkeypatch.setenv("MUNIMENT_MODEL_PRICES", "cheap")
    with pytest.raises(InputError, match="MUNIMENT_MODEL_PRICES"):
        model_names.budget()


def test_a_server_that_wishes_to_be_left_alone_is_left_alone(server: ScriptedModel) -> None:
    server.script = lambda _: Reply(status=429, headers={"retry-after": "60"})
    model = ChatModel(server.address, "m")

    for _ in range(3):
        with pytest.raises(ModelError):
            model.summarise(["x"], 5)
    model.close()

    assert len(server.asked) == 1
    assert model.is_resting
    assert model.usage.today().failures == 3


def test_a_request_that_is_wrong_is_nobodys_failure(server: ScriptedModel) -> None:
    server.script = lambda _: Reply(status=400)
    model = ChatModel(server.address, "m")

    for _ in range(2):
        with pytest.raises(ModelError, match="400"):
            model.summarise(["x"], 5)
    model.close()

    assert len(server.asked) == 2


def test_the_rest_doubles_and_one_answer_ends_it() -> None:
    now = [0.0]
    breaker = CircuitBreaker(rest_seconds=15, clock=lambda: now[0])

    rests = []
    for _ in range(8):
        breaker.failed()
        started = now[0]
        while breaker.is_open:
            now[0] += 1
        rests.append(now[0] - started)
    breaker.answered()

    assert rests == [15, 30, 60, 120, 240, 480, REST_SECONDS_MAX, REST_SECONDS_MAX]
    assert not breaker.is_open
    breaker.failed()
    now[0] += 15
    assert not breaker.is_open


def test_a_function_is_a_model() -> None:
    asked: list[tuple[str, str]] = []

    def reader(instructions: str, text: str) -> str:
        asked.append((instructions, text))
        return facts()

    with muniment.open(":memory:", neighbours=Neighbours(model=reader)) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember("I moved to Lisbon")
        (done,) = ada.extract_facts()

    assert done.reason == ""
    assert "lasting, atomic facts" in asked[0][0]
    assert json.loads(asked[0][1])["texts"][0]["text"] == "I moved to Lisbon"


def test_the_terminal_extracts_shows_what_waits_and_undoes(
    server: ScriptedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fact = {
        "statement": "The user lives in Lisbon",
        "relation": "lives_in",
        "quote": "moved to Lisbon",
        "source": "4.1",
    }
    server.script = lambda asked: facts(fact | {"source": json.loads(asked.user)["texts"][0]["id"]})
    monkeypatch.setenv("OLLAMA_HOST", server.address.removesuffix("/v1"))
    monkeypatch.setenv("MUNIMENT_MODEL_TOKENS_PER_DAY", "9000")
    at = ("--store", str(tmp_path / "m"), "--user", "tuff")
    plain, named = Shell(*at), Shell(*at, "--model", "ollama:qwen3")
    plain("remember", "I moved to Lisbon")

    waiting = plain.document("extract", "--waiting")
    doctor = named("doctor").output
    done = named.document("extract", "--all")
    listed = plain.listed("facts", "extract", "--facts")
    runs = msgspec.convert(done["extractions"], dict[str, list[Extraction]])
    ((extraction,),) = runs.values()
    undone = plain.listed("forgotten", "extract", "--undo", extraction.extraction_id)
    after = named("doctor").output

    assert waiting["waiting"] == {"user": 1}
    assert "TEXTS_WAITING" in doctor
    assert [each["text"] for each in listed] == ["The user lives in Lisbon"]
    assert len(undone) == 1
    assert "TEXTS_WAITING" not in after
    assert "ollama:qwen3, today 1 requests (0 failed), 120 of 9,000 tokens" in after

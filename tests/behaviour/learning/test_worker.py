"""The worker that asks a model for what waits, beside a service, against a server on loopback."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.scripted_model import Asked, Reply, ScriptedModel, facts, scripted, texts_of
from tests.service import Running, serving
from tests.terminal import Shell

from muniment import Neighbours
from muniment.adapters.config import Settings
from muniment.adapters.models import learning_worker
from muniment.adapters.models.chat_model import ChatModel, ModelError
from muniment.adapters.models.learning_worker import LearningWorker, learning_loop
from muniment.adapters.models.usage import ModelBudget, UsageLedger
from muniment.engine.api.memory import Memory

PATIENCE_S = 20


def reading(asked: Asked) -> str:
    """A model that finds one fact in each text."""
    return facts(
        *(
            {"statement": each["text"], "quote": each["text"], "source": each["id"]}
            for each in texts_of(asked)
        )
    )


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with scripted(reading) as model:
        yield model


@contextmanager
def served(server: ScriptedModel) -> Iterator[tuple[Running, LearningWorker]]:
    usage = UsageLedger(budget=ModelBudget(tokens_per_day=9_000, sent_price_micros=3_000_000))
    model = ChatModel(server.address, "reader", rest_seconds=0, usage=usage)
    with serving(settings=Settings(neighbours=Neighbours(model=model))) as running:
        yield running, LearningWorker(running.service.reception, model)


def entries(memory: Memory, wire: str) -> int:
    return sum(
        line.header.type == wire for stream in memory.streams() for line in memory.log(stream)
    )


def test_what_waits_is_read_once_for_every_agent_and_person(server: ScriptedModel) -> None:
    with served(server) as (running, worker):
        for agent, user in (("ada", "tuff"), ("ada", "mira"), ("bob", "tuff")):
            running.user(agent, user).post("/v1/remember", {"text": f"I know {agent} and {user}"})

        assert worker.run_once() == 3

        assert worker.run_once() == 0
        assert len(server.asked) == 3
        (fact,) = running.user("ada", "mira").get("/v1/extractions/facts")
        assert fact["text"] == "I know ada and mira"
        assert entries(running.memory, "facts_extracted") == 3
        assert set(worker.waiting.values()) == {0}


def test_a_write_does_not_wait_while_the_model_thinks(server: ScriptedModel) -> None:
    asked, go = threading.Event(), threading.Event()

    def slow(it: Asked) -> str:
        asked.set()
        assert go.wait(PATIENCE_S)
        return reading(it)

    server.script = slow
    with served(server) as (running, worker):
        tuff = running.user("ada", "tuff")
        tuff.post("/v1/remember", {"text": "I live in Lisbon"})
        working = threading.Thread(target=worker.run_once)
        working.start()
        try:
            assert asked.wait(PATIENCE_S)
            tuff.post("/v1/remember", {"text": "I teach physics"})  # it is answered
        finally:
            go.set()
            working.join()
        server.script = reading
        worker.run_once()

        known = {fact["text"] for fact in tuff.get("/v1/extractions/facts")}
        assert known == {"I live in Lisbon", "I teach physics"}
        assert all(proof.undecided == 0 for proof in running.memory.prove())


def test_two_workers_read_each_answer_once(server: ScriptedModel) -> None:
    server.script = lambda it: Reply(content=reading(it), delay_seconds=0.05)
    with served(server) as (running, worker):
        tuff = running.user("ada", "tuff")
        for n in range(12):
            tuff.post("/v1/remember", {"text": f"Day {n}: I walked {n} miles"})
        other = LearningWorker(running.service.reception, worker.model)
        both = [threading.Thread(target=each.run_once) for each in (worker, other)]
        for each in both:
            each.start()
        for each in both:
            each.join()

        told = [fact["text"] for fact in tuff.get("/v1/extractions/facts")]
        assert len(told) == len(set(told))
        memory = running.memory
        assert entries(memory, "facts_extracted") == entries(memory, "external_output")


def test_a_model_that_does_not_answer_leaves_the_texts_waiting(server: ScriptedModel) -> None:
    server.script = lambda _: Reply(status=500)
    with served(server) as (running, worker):
        tuff = running.user("ada", "tuff")
        tuff.post("/v1/remember", {"text": "I live in Lisbon"})

        assert worker.run_once() == 0

        assert worker.waiting == {("main", "ada"): 1}
        server.script = reading
        assert worker.run_once() == 1
        assert worker.waiting == {("main", "ada"): 0}


def test_a_summary_that_was_begun_is_worded_again_once_enough_was_said(
    server: ScriptedModel,
) -> None:
    server.script = lambda asked: facts() if "facts" in asked.system else '{"sentences": []}'
    with served(server) as (running, worker):
        tuff = running.user("ada", "tuff")
        tuff.post("/v1/remember", {"text": "I live in Lisbon"})
        running.agent("ada", "tuff").post("/v1/summaries", {"kind": "profile"})
        for n in range(8):
            worker.run_once()
            assert entries(running.memory, "summary_worded") == 1
            tuff.post("/v1/remember", {"text": f"Day {n}: I walked {n} miles"})

        worker.run_once()

        assert entries(running.memory, "summary_worded") == 2


def test_metrics_tell_tokens_money_failures_and_what_waits(server: ScriptedModel) -> None:
    with served(server) as (running, worker):
        running.service.telemetry.follow_model(worker)
        running.user("ada", "tuff").post("/v1/remember", {"text": "I live in Lisbon"})
        worker.run_once()
        running.user("ada", "tuff").post("/v1/remember", {"text": "I teach physics"})
        server.script = lambda _: Reply(status=500)
        worker.run_once()

        page = running.admin().http.get("/metrics").text

        for line in (
            'muniment_model_requests_total{model="openai:reader"} 2.0',
            'muniment_model_failures_total{model="openai:reader"} 1.0',
            'muniment_model_tokens_total{model="openai:reader",type="input"} 100.0',
            'muniment_model_money_total{model="openai:reader"} 0.0003',
            "muniment_model_tokens_per_day 9000.0",
            "muniment_model_waiting_texts 1.0",
        ):
            assert line in page


def test_a_request_is_a_span_by_the_names_of_the_genai_conventions(
    server: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    server.script = lambda _: "fine"
    model = ChatModel(server.address, "reader", rest_seconds=0)

    model.answer("Be brief", "a secret of mine")
    server.script = lambda _: Reply(status=500)
    with pytest.raises(ModelError):
        model.answer("Be brief", "a secret of mine")

    good, bad = kept.get_finished_spans()
    assert (good.name, dict(good.attributes or {})) == (
        "chat reader",
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": "openai",
            "gen_ai.request.model": "reader",
            "gen_ai.usage.input_tokens": 100,
            "gen_ai.usage.output_tokens": 20,
        },
    )
    assert (bad.attributes or {})["error.type"] == "server_silent"
    assert "secret" not in good.to_json() + bad.to_json()


def test_beside_a_service_it_runs_by_itself_until_that_ends(
    server: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning_worker, "LOOK_SECONDS", 0.01)
    read = threading.Event()

    def script(asked: Asked) -> str:
        read.set()
        return reading(asked)

    server.script = script
    with served(server) as (running, worker), learning_loop(worker):
        running.user("ada", "tuff").post("/v1/remember", {"text": "I live in Lisbon"})

        assert read.wait(PATIENCE_S)

    assert not [each for each in threading.enumerate() if each.name == "muniment-learning"]


def test_a_service_that_shall_learn_needs_a_model(tmp_path: Path) -> None:
    told = Shell("--store", str(tmp_path / "memory"))("serve", "--learn", "--port", "0")

    assert told.exit_code != 0
    assert "--model" in told.stderr

"""The model behind its port: a real server on this machine, and everything it may do wrong."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from muniment.adapters.models.chat_model import ChatModel, ModelError, PlainModel

LONG = "x" * 40_000


class Answers(BaseHTTPRequestHandler):
    """Chat completions that say what the model's name asks for, and remember who asked what."""

    asked: ClassVar[list[tuple[str, str, dict[str, object]]]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append((self.path, self.headers.get("authorization", ""), body))
        status, answer = {
            "short": (200, {"choices": [{"message": {"content": " Lisbon on 14 March. "}}]}),
            "json": (200, {"choices": [{"message": {"content": '{"related": true}'}}]}),
            "down": (503, {"error": "busy"}),
            "empty": (200, {"choices": [{"message": {"content": "  "}}]}),
            "none": (200, {"choices": []}),
            "odd": (200, {"choices": [{"message": {"content": ["a"]}}]}),
            "long": (200, {"choices": [{"message": {"content": LONG}}]}),
        }[str(body["model"])]
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
        del format, args


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_summary_is_asked_for_once_with_its_limit_and_its_key(address: str) -> None:
    model = ChatModel(address, "short", key="k-1")

    told = model.summarise(["I fly to Lisbon.", "It is on 14 March."], 100)
    model.close()

    path, key, body = Answers.asked[-1]
    assert told == "Lisbon on 14 March."
    assert (path, key) == ("/v1/chat/completions", "Bearer k-1")
    assert body["temperature"] == 0
    assert "at most 100 tokens" in str(body["messages"])
    assert "I fly to Lisbon.\\nIt is on 14 March." in json.dumps(body["messages"])
    assert model.name == "openai:short"


def test_what_is_extracted_is_handed_on_as_it_was_said(address: str) -> None:
    good, bad = ChatModel(address, "json"), ChatModel(address, "short")

    assert json.loads(good.extract("two texts", "related")) == {"related": True}
    assert bad.extract("two texts", "related") == "Lisbon on 14 March."  # whoever uses it judges
    good.close()
    bad.close()


@pytest.mark.parametrize("kind", ["down", "empty", "none", "odd", "long"])
def test_an_answer_that_cannot_be_used_is_an_error(address: str, kind: str) -> None:
    model = ChatModel(address, kind)

    with pytest.raises(ModelError):
        model.summarise(["a", "b"], 100)
    model.close()


def test_why_a_model_was_no_help_is_logged_without_a_word_of_its_answer(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    model = ChatModel(address, "down")

    with pytest.raises(ModelError, match="busy"):
        model.summarise(["a", "b"], 100)
    model.close()

    assert caplog.messages == [f"openai:down: {address}/chat/completions answered 503"]


def test_nobody_there_is_an_error_too() -> None:
    model = ChatModel("http://127.0.0.1:9", "short", timeout_seconds=1)

    with pytest.raises(ModelError, match="does not answer"):
        model.summarise(["a"], 10)
    model.close()


def test_functions_make_a_model() -> None:
    model = PlainModel("first", lambda texts, _: texts[0])

    assert model.summarise(["one", "two"], 10) == "one"
    with pytest.raises(ModelError):
        model.extract("one", "names")

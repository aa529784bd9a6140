"""A model server on this machine: real HTTP, scripted answers, and every way to fail."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What the server does with one request."""

    content: str = ""
    status: int = 200
    raw: bytes | None = None  # the whole body, instead of an answer that holds the content
    delay_seconds: float = 0.0
    cut_at: int | None = None  # the connection dies after so many bytes
    headers: dict[str, str] = {}
    usage: tuple[int, int] = (100, 20)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """One request as it came over the wire."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def system(self) -> str:
        told = self.body.get("system")
        return str(told) if told else str(self.body["messages"][0]["content"])

    @property
    def user(self) -> str:
        return str(self.body["messages"][-1]["content"])


Script = Callable[[Asked], Reply | str]


class ScriptedModel:
    """Its address, what it was asked, and the script by which it answers."""

    def __init__(self, address: str, script: Script) -> None:
        self.address = address
        self.script = script
        self.asked: list[Asked] = []


def _envelope(path: str, reply: Reply) -> bytes:
    sent, received = reply.usage
    documents: dict[str, object] = {
        "/chat/completions": {
            "choices": [{"message": {"content": reply.content}}],
            "usage": {"prompt_tokens": sent, "completion_tokens": received},
        },
        "/v1/messages": {
            "content": [{"type": "text", "text": reply.content}],
            "usage": {"input_tokens": sent, "output_tokens": received},
        },
        "/api/chat": {
            "message": {"content": reply.content},
            "prompt_eval_count": sent,
            "eval_count": received,
        },
    }
    found = next((it for end, it in documents.items() if path.endswith(end)), None)
    return json.dumps(found).encode() if found else reply.content.encode()


@contextmanager
def scripted(script: Script) -> Iterator[ScriptedModel]:
    """Serve until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            asked = Asked(path=self.path, headers=headers, body=body)
            model.asked.append(asked)
            told = model.script(asked)
            self._answer(Reply(content=told) if isinstance(told, str) else told)

        def _answer(self, reply: Reply) -> None:
            data = _envelope(self.path, reply) if reply.raw is None else reply.raw
            time.sleep(reply.delay_seconds)
            try:
                self.send_response(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[: reply.cut_at])
            except OSError:
                return  # whoever asked has gone
            if reply.cut_at is not None:
                self.connection.close()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name
            del format, args

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    model = ScriptedModel(f"http://127.0.0.1:{server.server_address[1]}/v1", script)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def texts_of(asked: Asked) -> list[dict[str, str]]:
    """The texts that an extraction shows the model."""
    return list(json.loads(asked.user)["texts"])


def known_of(asked: Asked) -> list[dict[str, str]]:
    """The facts that an extraction shows the model."""
    return list(json.loads(asked.user)["known"])


def facts(*told: Mapping[str, object]) -> str:
    """An answer that tells these facts."""
    return json.dumps({"facts": told})

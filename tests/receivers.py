"""A receiver of webhooks for the tests: a real HTTP server on a free port of this machine."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import msgspec

HOST = "127.0.0.1"


class Receiver:
    """Notes what arrives; `answers` says what it does next: a status, or 0 to hang up silently."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        self.url = ""

    def take(self, headers: dict[str, str], body: bytes) -> int:
        self.headers.append({name.lower(): value for name, value in headers.items()})
        self.bodies.append(body)
        return self.answers.pop(0) if self.answers else 200

    @property
    def told(self) -> list[dict[str, Any]]:
        return [msgspec.json.decode(each) for each in self.bodies]

    @property
    def once(self) -> list[dict[str, Any]]:
        """As a receiver sees it that knows each id once."""
        return [*{each["id"]: each for each in self.told}.values()]

    def texts(self) -> list[list[str]]:
        return [[item["text"] for item in each["items"]] for each in self.once]


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            status = receiver.take(dict(self.headers), self.rfile.read(length))
            if status:
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", receiver.url + "/elsewhere")
                self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer((HOST, 0), Handler)
    receiver.url = f"http://{HOST}:{server.server_port}/hook"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

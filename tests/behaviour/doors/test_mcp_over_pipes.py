"""MCP on stdio: calls under way together share an append, and each has its own answer."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pytest
from tests.mcp_client import HELLO, call

import muniment

LINE_BYTES = 5 * 1024 * 1024
MANY = 24
SECRET = "my password is " + "hunter2" * 2


class Child:
    """A server as a process, spoken to line by line as any client would."""

    def __init__(self, store: Path) -> None:
        words = ["mcp", "--store", str(store), "--agent", "ada", "--user", "tuff"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "muniment", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self.say(HELLO, {"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.hear()

    @property
    def pipe(self) -> IO[bytes]:
        assert self.process.stdin is not None
        return self.process.stdin

    def say(self, *messages: object) -> None:
        """All of it in one write, so that it is there at once."""
        self.pipe.write(b"".join(json.dumps(each).encode() + b"\n" for each in messages))
        self.pipe.flush()

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        told: dict[str, Any] = json.loads(self.process.stdout.readline())
        return told

    def heard(self, count: int) -> dict[int, dict[str, Any]]:
        told = [self.hear() for _ in range(count)]
        return {each["id"]: each["result"]["structuredContent"] for each in told}

    def end(self) -> int:
        return self.process.wait(30)


@pytest.fixture
def child(tmp_path: Path) -> Iterator[Child]:
    made = Child(tmp_path / "memory")
    yield made
    made.process.kill()
    with suppress(BrokenPipeError), made.process:
        pass


def test_sentences_that_come_at_once_are_kept_together_and_answered_each(
    child: Child, tmp_path: Path
) -> None:
    said = [call(n, "remember", text=f"sentence {n}") for n in range(1, MANY)]
    others = [call(100, "remember", text=7), call(101, "remember", text=SECRET)]

    child.say(*said[: MANY // 2], *others, *said[MANY // 2 :])
    told = child.heard(MANY + 1)

    assert told[100]["error_code"] == "INVALID_INPUT"
    assert told[101]["reason"] == "privacy_deny_sensitive"
    kept = {number: each for number, each in told.items() if number < MANY}
    assert all(each["stored"] and each["text"] == f"sentence {n}" for n, each in kept.items())
    child.pipe.close()
    assert child.end() == 0
    with muniment.open(tmp_path / "memory") as memory:
        ada = memory.agent("ada", user="tuff")
        assert all(ada.episode(each["episodic_id"]) for each in kept.values())
        assert all(memory.prove())


def test_what_is_no_message_is_told_so_and_a_cancelled_call_stays_unanswered(
    child: Child,
) -> None:
    child.pipe.write(b"not json\n\xff\xfe\n[1, 2\n")
    child.pipe.flush()
    errors = [child.hear() for _ in range(3)]
    assert {(each["id"], each["error"]["code"]) for each in errors} == {(None, -32700)}
    cancelled = {"requestId": 1, "reason": "changed my mind"}
    child.say(
        call(1, "context", prompt="tea"),
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled},
        call(2, "remember", text="tea is ready"),
        call(3, "recall", query="tea"),
    )

    told = child.heard(2)

    assert sorted(told) == [2, 3]
    assert [hit["text"] for hit in told[3]["hits"]] == ["tea is ready"]


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"remember",'
        b'"arguments":{"text":"\\ud800"}}}',
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[1]}',
        b'{"jsonrpc":"1.0","id":7,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":7}',
    ],
)
def test_whoever_waits_for_a_call_that_cannot_be_read_is_told_so(child: Child, line: bytes) -> None:
    """A model that sends half a letter would wait for ever."""
    child.pipe.write(line + b"\n")
    child.pipe.flush()

    told = child.hear()

    assert (told["id"], told["error"]["code"]) == (7, -32600)
    child.say(call(8, "remember", text="tea is ready"))
    assert child.heard(1)[8]["stored"]


def test_a_line_without_a_readable_id_is_answered_with_none(child: Child) -> None:
    lines = [
        b"[]",
        b"7",
        b"{}",
        b'[{"jsonrpc":"2.0","id":7,"method":"ping"}]',
        b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
        b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":1.5}',
        b'{"jsonrpc":"2.0","id":true,"method":7}',
        b'{"jsonrpc":"2.0","id":"\\ud800"}',
    ]
    for line in lines:
        child.pipe.write(line + b"\n")
        child.pipe.flush()
        told = child.hear()
        assert (told["id"], told["error"]["code"]) == (None, -32600), line
    child.say(call(8, "remember", text="tea is ready"))
    assert child.heard(1)[8]["stored"]


def test_what_nobody_awaits_an_answer_to_has_none(child: Child) -> None:
    """An answer that cannot be read bears the id of a question of the server, not of a call."""
    child.pipe.write(b"\n")
    child.say(
        {"jsonrpc": "2.0", "id": 8, "result": 7},
        {"jsonrpc": "2.0", "id": 8, "error": 7},
        {"jsonrpc": "2.0", "method": "notifications/initialized", "params": [1]},
        {"jsonrpc": "2.0", "method": "notifications/other", "params": {"id": 8}},
        call(8, "remember", text="tea is ready"),
    )

    assert child.heard(1)[8]["stored"]


def test_who_never_ends_a_line_is_hung_up_on(child: Child) -> None:
    with pytest.raises(BrokenPipeError):
        child.pipe.write(b"x" * LINE_BYTES * 4)

    assert child.end() == 0


def test_a_file_is_read_like_a_pipe(tmp_path: Path) -> None:
    script, store = tmp_path / "said", tmp_path / "memory"
    script.write_text(json.dumps(HELLO) + "\n")
    words = ["mcp", "--store", str(store), "--agent", "ada"]

    with script.open() as given:
        done = subprocess.run(
            [sys.executable, "-m", "muniment", *words],
            stdin=given,
            capture_output=True,
            timeout=60,
            check=True,
        )

    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "muniment"

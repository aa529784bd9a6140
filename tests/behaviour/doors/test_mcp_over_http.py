"""The MCP door over HTTP as a process: it ends when it is told to, with nothing lost."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx2
from tests.mcp_client import HELLO, call

import muniment

SECONDS = 60


def test_told_to_stop_it_hangs_up_and_keeps_the_receipts_of_what_was_read(tmp_path: Path) -> None:
    """Given a client that holds its line open, when the door is told to stop, then it does."""
    words = ["mcp", "--store", str(tmp_path / "memory"), "--agent", "ada", "--http", "--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", "muniment", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        assert process.stdout is not None
        printed = ""
        while not (url := re.search(r"http://\S+", printed)):
            printed += process.stdout.readline()
        key = re.search(r"mk_\S+", printed)
        assert key is not None
        given = {
            "authorization": f"Bearer {key[0]}",
            "accept": "application/json, text/event-stream",
        }
        with httpx2.Client(headers=given, timeout=SECONDS) as http:
            opened = http.post(url[0], json=HELLO)
            http.headers["mcp-session-id"] = opened.headers["mcp-session-id"]
            http.post(url[0], json=call(1, "remember", text="I keep bees"))
            told = http.post(url[0], json=call(2, "recall", query="bees"))
            with http.stream("GET", url[0]) as line:
                process.send_signal(signal.SIGTERM)
                ended = process.wait(SECONDS)

    assert "I keep bees" in told.text
    assert told.headers["cache-control"] == "no-store, no-transform"
    assert line.status_code == 200
    assert ended == 0
    with muniment.open(tmp_path / "memory") as memory:
        assert memory.agent("ada").get_range(1, 99)[-1].header.type == "memory_recall"

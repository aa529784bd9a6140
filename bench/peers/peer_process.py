"""Peer process: a driver that runs, asked and answered a line at a time."""

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

DRIVER = Path(__file__).with_name("driver.py")
KEEPS_NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


class PeerFailedError(Exception):
    """A peer answered with an error, or not at all."""


class PeerProcess:
    """One process of one peer over a folder; `opened` is what its import and opening took."""

    def __init__(self, name: str, python: Path, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        compiles = {key: told for key, told in os.environ.items() if key != KEEPS_NO_BYTECODE}
        self._process = subprocess.Popen(  # noqa: S603 - our own driver
            [str(python), str(DRIVER), name, str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=compiles,
        )
        self.opened = self._heard()

    def ask(self, verb: str, *told: object) -> dict[str, Any]:
        self.tell(verb, *told)
        return self._heard()

    def tell(self, verb: str, *told: object) -> None:
        """Ask without waiting: `heard` gives the answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": verb, "with": told}) + "\n")
        self._process.stdin.flush()

    def heard(self) -> dict[str, Any]:
        return self._heard()

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _heard(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise PeerFailedError("it ended")
        told: dict[str, Any] = json.loads(line)
        if told["failed"]:
            raise PeerFailedError(told["failed"])
        return told

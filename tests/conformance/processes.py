"""Other processes: a program, a folder, and a line at a time in both directions."""

import subprocess
import sys
from pathlib import Path
from typing import IO


class Process:
    """A Python program in a process of its own; its first argument is the folder."""

    def __init__(self, program: str, folder: Path, *told: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", program, str(folder), *told],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def tell(self, line: str) -> None:
        pipe(self._process.stdin).write(line + "\n")
        pipe(self._process.stdin).flush()

    def hear(self) -> str:
        return pipe(self._process.stdout).readline().strip()

    def ask(self, line: str) -> str:
        self.tell(line)
        return self.hear()

    def end(self) -> str:
        """What it still had to say; it must end well and complain of nothing."""
        told, complaints = self._process.communicate()
        assert (self._process.returncode, complaints) == (0, "")
        return told.strip()

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


def pipe(end: IO[str] | None) -> IO[str]:
    assert end is not None
    return end

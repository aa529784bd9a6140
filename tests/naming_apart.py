"""Two more doors at which a name is told something and asked for it: AutoGen's and CrewAI's.

Neither can stand in one environment with the others, so each answers from a process of its own.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Timer
from typing import Any

from tests.naming import Kinds, NotAdmittedError
from tests.upstream import apart

SCRIPT = Path(apart.__file__).with_name("names_apart.py")
SECONDS_MAX = 300


class Apart:
    """A framework that answers line by line."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.kinds: list[str] = self._line()

    def ask(self, kind: str, which: str, text: str | None = None) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([kind, which, text]) + "\n")
        self._process.stdin.flush()
        answer: dict[str, str] = self._line()
        if "code" in answer:
            raise NotAdmittedError(answer["code"])
        return answer["said"]

    def _line(self) -> Any:  # noqa: ANN401 - whatever the other process says
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the framework's process has ended: what it said stands above"
        return json.loads(line)


@contextmanager
def answering(python: str, framework: str, paths: list[str], folder: Path) -> Iterator[Kinds]:
    command = [python, "-W", "ignore", str(SCRIPT), framework]
    env = apart.environment(paths, folder)
    with subprocess.Popen(
        command, cwd=folder, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        late = Timer(SECONDS_MAX, process.kill)
        late.start()
        try:
            its = Apart(process)
            yield {kind: (partial(its.ask, kind), partial(its.ask, kind)) for kind in its.kinds}
        finally:
            late.cancel()
            process.kill()


@contextmanager
def autogen(folder: Path) -> Iterator[Kinds]:
    with answering(sys.executable, "autogen", apart.autogen(), folder) as kinds:
        yield kinds


@contextmanager
def crewai(folder: Path) -> Iterator[Kinds]:
    with answering(str(apart.crewai()), "crewai", [], folder) as kinds:
        yield kinds


DOORS = {"autogen": autogen, "crewai": crewai}

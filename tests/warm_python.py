"""A warm Python: scripts run in forks of a process that has imported the library already.

Each is `__main__` in a process of its own, as after `python script.py`, with nothing of another's;
what it saves is the half second in which everybody imports the same. How long that takes, and that
it goes, is seen by those who start a Python of their own (the README's example, the first hour).
"""

import json
import os
import subprocess
import sys
import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import muniment

ROOT: Final = Path(__file__).parents[1]


class Ended(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


class WarmPython:
    """`run(code)` answers as `subprocess.run([python, "-c", code])` does."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def run(self, code: str, *, file: Path | None = None, cwd: Path = ROOT) -> Ended:
        assert self._process.stdin
        assert self._process.stdout
        with TemporaryDirectory() as made:
            streams = [str(Path(made) / name) for name in ("stdout", "stderr")]
            asked = {"code": code, "file": str(file or ""), "cwd": str(cwd), "streams": streams}
            self._process.stdin.write(json.dumps(asked) + "\n")
            self._process.stdin.flush()
            returncode = int(self._process.stdout.readline())
            return Ended(returncode, *(Path(each).read_text("utf-8") for each in streams))


@contextmanager
def warm_python(env: Mapping[str, str] | None = None) -> Iterator[WarmPython]:
    command = [sys.executable, "-m", "tests.warm_python"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=ROOT, env=env, text=True, stdin=pipe, stdout=pipe
    ) as process:
        yield WarmPython(process)
        assert process.stdin
        process.stdin.close()


def main() -> None:
    with muniment.open(":memory:") as memory:  # what is imported at first use is imported now
        ada = memory.agent("ada", user="tuff")
        ada.remember("I like tea")
        ada.recall("tea")
        ada.context("tea")
    for line in sys.stdin:
        child = os.fork()
        if not child:
            return become(json.loads(line))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
    return None


def become(asked: dict[str, Any]) -> None:
    """The script; this process ends as one does in which nothing else ran."""
    os.chdir(asked["cwd"])
    for number, name in enumerate([os.devnull, *asked["streams"]]):
        flags = os.O_WRONLY | os.O_CREAT if number else os.O_RDONLY
        os.dup2(os.open(name, flags, 0o600), number)
    sys.argv = [asked["file"] or "-c"]
    sys.path[0] = str(Path(asked["file"]).parent) if asked["file"] else ""
    script = sys.modules["__main__"] = types.ModuleType("__main__")
    exec(compile(asked["code"], asked["file"] or "<string>", "exec"), vars(script))  # noqa: S102


if __name__ == "__main__":
    main()

"""An outsider, who has the verifier, a file, and what was told by another way."""

import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from muniment.adapters import verifier
from muniment.engine.api.memory import Memory
from muniment.engine.audit.notary import SignedHead

VERIFIER = Path(verifier.__file__)
VALID, INVALID, PARTLY, CONTRADICTS, UNREADABLE = range(5)


class Verdict(NamedTuple):
    code: int
    told: dict[str, object]

    def entries(self, state: str) -> set[int]:
        """The entries whose parts are in a state."""
        ranges: Iterable[tuple[int, int]] = self.told.get(state, [])  # type: ignore[assignment]
        return {seq for first, last in ranges for seq in range(first, last + 1)}

    @property
    def shown(self) -> list[tuple[int, str, dict[str, object]]]:
        """What was opened: the entry, its type, what it says."""
        return self.told.get("shown", [])  # type: ignore[return-value]


def text_of(file: str | bytes | Iterable[bytes]) -> bytes:
    if isinstance(file, str):
        return file.encode()
    return file if isinstance(file, bytes) else b"".join(file)


def outsider(
    folder: Path,
    file: str | bytes | Iterable[bytes],
    head: SignedHead,
    *,
    key: str = "",
    origin: str = "",
    known: Iterable[str] = (),
) -> Verdict:
    """What the verifier says of a file."""
    words = _words(folder, text_of(file), key or head.key, origin or head.origin, known)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = verifier.main(words)
    return Verdict(code, _told(out.getvalue()))


def stranger(folder: Path, file: str | bytes | Iterable[bytes], head: SignedHead) -> Verdict:
    """The same in a process that has Python's standard library and nothing of ours."""
    words = _words(folder, text_of(file), head.key, head.origin, ())
    script = folder / "verify.py"
    script.write_bytes(VERIFIER.read_bytes())
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(script), *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert not done.stderr, done.stderr
    return Verdict(done.returncode, _told(done.stdout))


def _words(folder: Path, file: bytes, key: str, origin: str, known: Iterable[str]) -> list[str]:
    (folder / "file").write_bytes(file)
    words = [str(folder / "file"), "--key", key, "--origin", origin, "--show"]
    for number, note in enumerate(known):
        (folder / f"known-{number}").write_text(note, encoding="utf-8", newline="\n")
        words += ["--known", str(folder / f"known-{number}")]
    return words


def _told(out: str) -> dict[str, object]:
    verdict, *lines = out.splitlines()
    pairs = (line.partition(": ") for line in lines)
    return {"verdict": verdict} | {name: json.loads(told) for name, _, told in pairs}


def granted(memory: Memory) -> None:
    """A wish of tuff's becomes a governed fact, by two votes."""
    ada = memory.agent("ada", user="tuff")
    asked = ada.remember("Remember my favourite colour is cerulean").question
    assert asked
    ada.confirm(asked.confirmation_id)
    (request,) = memory.council("ann").requests()
    for member in ("ann", "ben"):
        memory.council(member).approve(request.request_id)


def erased(memory: Memory, user: str) -> None:
    """A person is forgotten, by the book."""
    request = memory.eraser("root").request(user, reason="asked for it")
    for member in ("ann", "ben", "cleo"):
        if memory.council(member).approve(request) == "approved":
            break
    memory.eraser("root").carry_out(request)

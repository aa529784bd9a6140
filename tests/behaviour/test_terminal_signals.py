"""Whoever is told to stop stops at once, says so in one line, and leaves nothing half behind."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import muniment
from muniment.adapters.cli.errors import Exit
from muniment.adapters.cli.shared_options import AGENT
from muniment.adapters.storage.folder import incomplete_marker

# Where the suite itself runs in the background, interrupts are ignored.
PROGRAM = """
import signal
from muniment.adapters.cli.main import main
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
"""
MUNIMENT = (sys.executable, "-c", PROGRAM)
SECONDS = 60  # after so long a test that hangs has failed
LINES = 1_000
ORDERS = [(signal.SIGINT, Exit.INTERRUPTED), (signal.SIGTERM, Exit.STOPPED)]


@pytest.fixture
def told(tmp_path: Path) -> Path:
    """Something to import that takes a while."""
    file = tmp_path / "told.jsonl"
    lines = ({"kind": "episode", "text": f"Ann bought bike number {n}"} for n in range(LINES))
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def ended(*words: str, order: int, once: Callable[[], bool]) -> tuple[int, str]:
    """What a command says and how it ends that is sent a signal as soon as something is so."""
    process = subprocess.Popen([*MUNIMENT, *words], stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + SECONDS
    while not once():
        assert process.poll() is None, "it ended by itself"
        assert time.monotonic() < until, "it did not begin"
        time.sleep(0.005)
    process.send_signal(order)
    _, said = process.communicate(timeout=SECONDS)
    return process.returncode, said.strip()


def kept(store: Path) -> int:
    """How many episodes lie in a store by now."""
    with muniment.open(store) as memory:
        lines = memory.agent(AGENT, user="tuff").get_range()
    return sum(line.header.type == "episodic_written" for line in lines)


@pytest.mark.parametrize(("order", "code"), ORDERS)
def test_an_import_that_is_stopped_says_so_and_goes_on_when_run_again(
    tmp_path: Path, told: Path, order: int, code: Exit
) -> None:
    store = tmp_path / "memory"
    words = ("--store", str(store), "import", str(told), "--user", "tuff")

    answer, said = ended(*words, order=order, once=(store / "heads").exists)

    assert answer == code
    assert said.startswith("muniment: ")
    assert "\n" not in said
    before = kept(store)
    assert before < LINES
    again = subprocess.run([*MUNIMENT, *words], capture_output=True, check=False, text=True)
    known = f", {before} there already" if before else ""
    assert again.stdout == f"Imported {LINES} lines: {LINES - before} kept{known}\n"
    assert kept(store) == LINES
    with muniment.open(store) as memory:
        (proof,) = memory.prove()
    assert proof.entries >= 2 * LINES


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Something to copy and to prove that takes a while; nobody writes to it."""
    store = tmp_path_factory.mktemp("lived") / "memory"
    with muniment.open(store) as memory:
        ada = memory.agent("ada", user="tuff")
        for start in range(0, 1_500, 100):
            ada.remember_many([f"Ann bought bike number {start + n}" for n in range(100)])
    return store


def test_a_backup_that_is_stopped_leaves_nothing_and_begins_anew(
    tmp_path: Path, lived: Path
) -> None:
    copy = tmp_path / "copy"
    words = ("--store", str(lived), "backup", str(copy))

    code, said = ended(*words, order=signal.SIGTERM, once=(copy / incomplete_marker.MARK).exists)

    assert (code, said.count("\n")) == (Exit.STOPPED, 0)
    assert list(copy.iterdir()) == []
    assert subprocess.run([*MUNIMENT, *words], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="this system lists no processes")
@pytest.mark.parametrize("order", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_whoever_began_them(lived: Path, order: int) -> None:
    words = ("--store", str(lived), "prove", "--workers", "2")
    process = subprocess.Popen([*MUNIMENT, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    until = time.monotonic() + SECONDS
    while not _has_children(process.pid):
        assert time.monotonic() < until
        time.sleep(0.01)
    process.send_signal(order)

    process.communicate(timeout=SECONDS)  # as long as a worker lives, it holds these pipes open

    assert process.returncode in {Exit.STOPPED, -signal.SIGKILL}


def _has_children(pid: int) -> bool:
    return bool(Path(f"/proc/{pid}/task/{pid}/children").read_text())

"""`muniment studio` prints an address that opens it, and ends when it is told to."""

import signal
import subprocess
import sys
from pathlib import Path

import httpx2
import pytest
from tests.terminal import wishing

from muniment.adapters.cli.errors import Exit


@pytest.mark.parametrize(("told", "ends"), [("SIGINT", Exit.INTERRUPTED), ("SIGTERM", Exit.DONE)])
def test_the_printed_address_opens_the_studio(tmp_path: Path, told: str, ends: Exit) -> None:
    wishing(tmp_path / "memory")
    command = [sys.executable, "-m", "muniment", "studio", "--port=0", "--no-open"]

    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as studio:
        try:
            assert studio.stdout
            named, address = studio.stdout.readline().split()
            page = httpx2.get(address, timeout=30, follow_redirects=True)
        finally:
            studio.send_signal(signal.Signals[told])

    assert named == "Studio:"
    assert address.startswith("http://127.0.0.1:")
    assert (page.status_code, "Muniment" in page.text) == (200, True)
    assert studio.returncode == ends


def test_the_demonstration_opens_with_nothing_set_up_before(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "muniment", "studio", "--demo", "--port=0", "--no-open"]

    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as studio:
        try:
            assert studio.stdout
            address = studio.stdout.readline().split()[-1]
            page = httpx2.get(address, timeout=30, follow_redirects=True)
        finally:
            studio.send_signal(signal.SIGINT)

    assert page.status_code == 200
    assert "Mira Oliveira" in page.text
    assert "Jonas" in page.text
    assert not list(tmp_path.iterdir())

"""Every example runs as it stands, without a disk of its own, and says something."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LINES_MAX = 40


def test_there_are_examples() -> None:
    assert EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs_and_tells_what_it_did(example: Path, tmp_path: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-B", str(example)], cwd=tmp_path, capture_output=True, check=False
    )

    assert shown.returncode == 0, shown.stderr.decode()
    assert shown.stdout.strip()
    assert shown.stderr == b""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_fits_on_one_screen(example: Path) -> None:
    assert len(example.read_text("utf-8").splitlines()) < LINES_MAX

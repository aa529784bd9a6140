"""Every example runs as it stands, without a disk of its own, and says something."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.scripted_model import Asked, facts, scripted, texts_of

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LINES_MAX = 40


def test_there_are_examples() -> None:
    assert EXAMPLES


def reading(asked: Asked) -> str:
    """A model that finds one fact in each text, word for word."""
    told = (
        {"statement": t["text"], "quote": t["text"], "source": t["id"]} for t in texts_of(asked)
    )
    return facts(*told)


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, str]]:
    """The variables that lead the examples to a model on this machine."""
    with scripted(reading) as model:
        address = model.address.removesuffix("/v1")
        led = {"OLLAMA_HOST": address, "ANTHROPIC_BASE_URL": address}
        yield os.environ | led  # noqa: TID251 - the examples are processes of their own


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs_and_tells_what_it_did(
    example: Path, tmp_path: Path, servers: dict[str, str]
) -> None:
    command = [sys.executable, "-B", str(example)]
    shown = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, env=servers)

    assert shown.returncode == 0, shown.stderr.decode()
    assert shown.stdout.strip()
    assert shown.stderr == b""


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_fits_on_one_screen(example: Path) -> None:
    assert len(example.read_text("utf-8").splitlines()) < LINES_MAX

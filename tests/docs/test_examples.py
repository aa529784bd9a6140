"""Every example runs as it stands, without a disk of its own, and says something."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.scripted_model import Asked, facts, scripted, texts_of
from tests.warm_python import WarmPython, warm_python

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
LINES_MAX = 40
# What an example is about, and would not break without.
TOLD = {
    "3_approve.py": ["known so far: False", "known now: cerulean"],
    "8_mcp.py": ["governed: green tea"],
    "10_extract_with_anthropic.py": ["model | I moved to Lisbon in March", "after the undo:"],
}


def test_there_are_examples() -> None:
    assert EXAMPLES


def reading(asked: Asked) -> str:
    """A model that finds one fact in each text, word for word."""
    told = (
        {"statement": t["text"], "quote": t["text"], "source": t["id"]} for t in texts_of(asked)
    )
    return facts(*told)


@pytest.fixture(scope="module")
def python() -> Iterator[WarmPython]:
    """Led by its environment to a model on this machine."""
    with scripted(reading) as model:
        address = model.address.removesuffix("/v1")
        led = {"OLLAMA_HOST": address, "ANTHROPIC_BASE_URL": address}
        env = os.environ | led  # noqa: TID251 - the examples are processes of their own
        with warm_python(env) as started:
            yield started


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs_and_tells_what_it_did(
    example: Path, tmp_path: Path, python: WarmPython
) -> None:
    shown = python.run(example.read_text("utf-8"), file=example, cwd=tmp_path)

    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.strip()
    assert shown.stderr == ""
    for each in TOLD.get(example.name, ()):
        assert each in shown.stdout


def test_an_example_whose_model_is_not_there_says_so_and_does_not_break(tmp_path: Path) -> None:
    nowhere = "http://127.0.0.1:1"
    env = os.environ | {"OLLAMA_HOST": nowhere, "ANTHROPIC_BASE_URL": nowhere}  # noqa: TID251
    with warm_python(env) as alone:
        for example in (each for each in EXAMPLES if "extract_with" in each.name):
            shown = alone.run(example.read_text("utf-8"), file=example, cwd=tmp_path)

            assert shown.returncode == 0, shown.stderr
            assert "Traceback" not in shown.stderr


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_an_example_fits_on_one_screen(example: Path) -> None:
    assert len(example.read_text("utf-8").splitlines()) < LINES_MAX


def test_a_script_that_breaks_is_told_and_leaves_nothing_to_the_next(
    tmp_path: Path, python: WarmPython
) -> None:
    broken = python.run("import os\nos.chdir('/')\nleft = 1\nprint(left, missing)", cwd=tmp_path)
    after = python.run("import os\nprint('left' in globals(), os.getcwd())", cwd=tmp_path)

    assert broken.returncode == 1
    assert "NameError: name 'missing' is not defined" in broken.stderr
    assert after == (0, f"False {tmp_path}\n", "")

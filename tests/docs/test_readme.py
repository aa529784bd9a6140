"""The README is true: its example runs, its commands exist, its links lead somewhere."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.warm_python import WarmPython, warm_python

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def test_the_example_runs_and_says_what_the_text_promises() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)

    run = subprocess.run(
        [sys.executable, "-c", example], capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stderr
    refused, *context, found, proved = run.stdout.splitlines()
    assert refused == "privacy_deny_sensitive"
    assert any("I moved to Lisbon in March" in line for line in context)
    assert found.startswith("I moved to Lisbon in March {")
    assert json.loads(proved)[0] > 0


def examples(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.fixture(scope="module")
def python() -> Iterator[WarmPython]:
    with warm_python() as started:
        yield started


@pytest.mark.parametrize(
    "page", [page for page in PAGES[1:] if examples(page)], ids=lambda page: page.stem
)
def test_the_examples_of_a_page_run_and_print_what_stands_beside_them(
    page: Path, python: WarmPython
) -> None:
    for example in examples(page):
        run = python.run(example)
        assert run.returncode == 0, run.stderr
        assert all(told in run.stdout for told in re.findall(r"print\(.*\)  # (.+)", example))


def test_the_example_is_as_short_as_its_heading_says() -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    lines = [line for line in example.splitlines() if line.strip()]

    assert "## Ten lines" in README
    assert len(lines) == 10


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\bmake ([a-z]+)\b", README))))
def test_every_make_target_of_the_readme_exists(target: str) -> None:
    makefile = (ROOT / "Makefile").read_text()

    assert re.search(rf"^{target}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text())

    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_picture_is_shown_by_some_page() -> None:
    shown = "".join(page.read_text() for page in PAGES)
    pictures = [path for path in (ROOT / "docs").rglob("*") if path.suffix in {".png", ".svg"}]

    assert pictures
    assert [path.name for path in pictures if f"{path.name})" not in shown] == []

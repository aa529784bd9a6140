"""The pages a stranger reads first: short sentences, explained words, figures with a source."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.test_readme import ROOT

import muniment

FIRST = [ROOT / "README.md", ROOT / "docs" / "start.md"]
DOCS = ROOT / "docs"
CONCEPTS = ROOT / "docs" / "concepts.md"
WORDS_MAX = 30
# Words of the vocabulary that a page may use as everybody does.
ORDINARY = {"place", "turn", "link", "origin", "gate", "bundle"}
first_pages = pytest.mark.parametrize("page", FIRST, ids=lambda page: page.name)


def prose(page: Path) -> list[str]:
    """The text of a page as a reader meets it: paragraphs, cells and points, without its code."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`[^`]*`", "code", text)
    parts: list[str] = []
    for line in text.splitlines():
        cells = line.strip("|").split("|") if line.startswith("|") else [line.lstrip("-# ")]
        parts += [each.strip() for each in cells if re.search(r"\w", each)]
    return parts


def terms(page: Path, heading: str) -> set[str]:
    """The words of the first column of the table below a heading."""
    table = page.read_text().partition(f"## {heading}\n")[2]
    rows = re.findall(r"^\| ([^|]+) \|", table.partition("\n## ")[0], re.MULTILINE)
    named = (each.strip("* ") for row in rows for each in row.split(","))
    return {each for each in named if each not in {"word", "---"} and not each.startswith("-")}


@first_pages
def test_no_sentence_is_longer_than_thirty_words(page: Path) -> None:
    sentences = [each for part in prose(page) for each in re.split(r"(?<=[.!?])\s+", part)]

    assert len(sentences) > 20
    assert [each for each in sentences if len(each.split()) > WORDS_MAX] == []


@first_pages
def test_no_word_of_the_project_is_used_that_the_page_of_concepts_does_not_explain(
    page: Path,
) -> None:
    known = terms(CONCEPTS, "Words")
    ours = terms(ROOT / "docs" / "vocabulary.md", "Our own words") - ORDINARY - known
    said = " ".join(prose(page)).lower()
    used = {word for word in ours if re.search(rf"\b{re.escape(word.lower())}s?\b", said)}

    assert len(known) > 30
    assert used == set()


def test_every_word_that_the_concepts_explain_is_explained_once_and_in_a_sentence() -> None:
    table = CONCEPTS.read_text().partition("## Words\n")[2]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", table, re.MULTILINE)[1:]
    names = [name for row, _ in rows for name in row.split(", ")]

    assert len(names) == len(set(names))
    assert all(len(told.split()) >= 4 for _, told in rows)


def test_every_figure_of_the_readme_is_what_its_source_says() -> None:
    table = (ROOT / "README.md").read_text().partition("Measured, with where and how:")[2]
    rows = re.findall(r"^\| ([^|]+) \| ([\d.]+)[ %]* \| ([^|]+) \|$", table, re.MULTILINE)
    told = {what: figure for what, figure, _ in rows}
    recall = (ROOT / "docs" / "recall.md").read_text()

    assert len(rows) == 4
    (ours,) = re.findall(r"^\| \*\*the memory itself \(default\)\*\* \|(.*)$", recall, re.MULTILINE)
    (plain,) = re.findall(r"^\| BM25 alone \|(.*)$", recall, re.MULTILINE)
    figures = iter(told.values())
    assert next(figures) == ours.split("|")[1].strip()
    assert next(figures) == plain.split("|")[1].strip()
    brought = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "sbom.py"), "none"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(next(figures)) == len(json.loads(brought.stdout)["components"]) + 1
    tools = json.loads((ROOT / "tests" / "golden" / "mcp_tools.json").read_text())
    assert int(next(figures)) == len(tools["user"])


def test_the_version_is_the_same_wherever_it_stands() -> None:
    project = (ROOT / "pyproject.toml").read_text()

    assert f'\nversion = "{muniment.__version__}"\n' in project
    assert f"## {muniment.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_site_leads_to_every_page() -> None:
    docs = ROOT / "docs"
    named = re.findall(r"^([a-z][\w./-]*)$", (docs / "index.md").read_text(), re.MULTILINE)
    pages = {each.relative_to(docs).with_suffix("").as_posix() for each in docs.rglob("*.md")}
    decisions = {each for each in pages if each.startswith("decisions/0")}

    assert {*named} == pages - decisions - {"index"}
    assert "decisions/0*" in (docs / "index.md").read_text()


def test_the_reference_names_every_public_name() -> None:
    page = (ROOT / "docs" / "reference.md").read_text()
    named = set(re.findall(r"^\.\. auto(?:class|function|exception):: (\w+)$", page, re.MULTILINE))

    assert named | {"errors"} == {*muniment.__all__}


def test_every_file_that_contributing_names_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    named = re.findall(r"`((?:src|tests|docs)/[^`]+)`", text)

    assert len(named) > 15
    assert [each for each in named if not (ROOT / each).exists()] == []


def test_every_page_stands_in_the_table_of_contents_once() -> None:
    """The site is built strictly, and not in this suite: a page twice or nowhere would break it."""
    index = (DOCS / "index.md").read_text()
    named = [
        line
        for block in re.findall(r"```\{toctree\}\n(.*?)```", index, re.DOTALL)
        for line in block.split()
        if (DOCS / f"{line}.md").exists()
    ]
    pages = {str(each.relative_to(DOCS).with_suffix("")) for each in DOCS.glob("*.md")} - {"index"}

    assert len(named) == len(set(named))
    assert pages - set(named) == set()

"""Every page is spelled as English is."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "examples/**/*.*", "packages/**/*.md", "deploy/**/*.*")
    for path in ROOT.glob(pattern)
    if path.suffix in {".md", ".py", ".yaml", ".yml", ".toml"}
)


def misspelt(*paths: Path) -> str:
    checked = [sys.executable, "-m", "codespell_lib", "--quiet-level", "3", *map(str, paths)]
    return subprocess.run(
        checked, cwd=ROOT, check=False, capture_output=True, text=True, timeout=120
    ).stdout


def test_no_page_has_a_word_that_is_often_misspelt() -> None:
    assert len(PAGES) > 100
    assert misspelt(*PAGES) == ""


@pytest.mark.parametrize("word", ["recieve", "occured", "seperate"])
def test_a_misspelt_word_is_told_with_its_line(tmp_path: Path, word: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# A page\n\nWhat they {word} here.\n")

    assert f"page.md:3: {word} ==>" in misspelt(page)

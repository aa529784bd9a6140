"""The three walks of the documentation name the files that really run, as those tell it."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "walks.md"
ROW = re.compile(r"^\| `([\w/]+\.py)` \| (.*) \|$", re.MULTILINE)


def walks(page: str) -> dict[str, dict[str, str]]:
    """By walk, each file with its sentence."""
    parts = (part.partition("\n") for part in page.split("\n## ")[1:])
    return {title: dict(ROW.findall(rows)) for title, _, rows in parts}


def test_the_walks_name_every_file_on_the_way() -> None:
    made = subprocess.run(
        [sys.executable, "-m", "bench.walks"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout

    assert len(walks(made)) == 3
    assert walks(PAGE.read_text("utf-8")) == walks(made), "python -m bench.walks > docs/walks.md"

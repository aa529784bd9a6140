"""The map of the house is the house: every room stands in it with its own sentence."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "muniment"
PAGE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
ROW = re.compile(r"^\| `([\w/]+)/` \| (.+) \|$", re.MULTILINE)


def rooms() -> dict[str, str]:
    found = {}
    for path in sorted(SOURCE.rglob("__init__.py")):
        if path.parent != SOURCE:
            text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
            found[path.parent.relative_to(SOURCE).as_posix()] = text.splitlines()[0]
    return found


def test_the_map_names_every_room_and_says_what_it_knows() -> None:
    page = PAGE.partition("The rooms, each")[2].partition("## ")[0]

    assert dict(ROW.findall(page)) == rooms()


def test_every_file_that_the_page_names_is_there() -> None:
    named = re.findall(
        r"`((?:adapters|engine|retrieval|rules|layers|log|model)/[\w/]+?)(?:\.py)?(?:\.\w+)?`", PAGE
    )

    gone = [
        each
        for each in named
        if not (SOURCE / f"{each}.py").exists() and not (SOURCE / each).is_dir()
    ]
    assert gone == []

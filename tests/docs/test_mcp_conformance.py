"""Each point of the MCP specification that the page lists is shown by a test that is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "mcp-conformance.md"
ROW = re.compile(
    r"^\| (?P<point>[^|]+) \| (?P<does>[^|]*) \| (?P<why>[^|]*) \| `(?P<test>\S+)` \|$"
)
SAID = {"does", "does not", "does not apply"}

ROWS = [found for line in PAGE.read_text().splitlines() if (found := ROW.match(line))]


@pytest.mark.parametrize("row", ROWS, ids=[str(n) for n in range(len(ROWS))])
def test_a_point_says_whether_it_is_so_why_not_and_by_which_test(row: re.Match[str]) -> None:
    file, _, name = row["test"].partition("::")
    (found,) = (ROOT / "tests" / "behaviour").rglob(file)

    assert re.search(rf"^(async )?def {name}\(", found.read_text(), re.MULTILINE)
    assert row["does"] in SAID
    assert row["does"] == "does" or row["why"]


def test_every_test_of_the_points_stands_on_the_page() -> None:
    points = (ROOT / "tests/behaviour/doors/test_mcp_points.py").read_text()
    tests = set(re.findall(r"^def (test_\w+)\(", points, re.MULTILINE))

    assert len(ROWS) > len(tests) > 15
    assert tests <= {row["test"].partition("::")[2] for row in ROWS}

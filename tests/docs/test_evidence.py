"""What the page on evidence shows runs as it stands there."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "evidence.md"
SECTIONS = {
    section.partition("\n")[0]: section
    for section in re.split(r"^## ", PAGE.read_text(), flags=re.MULTILINE)[1:]
}
OURS = ("Rollback", "Hold")


@pytest.mark.parametrize("name", OURS)
def test_the_example_of_a_section_runs(name: str) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", SECTIONS[name], flags=re.DOTALL)

    exec(compile(example, f"{PAGE.name}: {name}", "exec"), {})  # noqa: S102

"""The first hour of a stranger: the wheel in an empty environment, and every page as it stands."""

import sys
from pathlib import Path

import pytest
from bench import first_hour

import muniment


def test_a_stranger_installs_the_wheel_and_everything_on_the_pages_goes(tmp_path: Path) -> None:
    """What the wheel asks for is borrowed from this environment, and nothing else is there."""
    told = {name: what for name, _, what in first_hour.walk(tmp_path, borrow=True)}

    assert told["muniment --version"] == f"muniment {muniment.__version__}"
    assert told["README: terminal"] == "6 commands"
    assert int(told["Start: terminal"].split()[0]) > 10
    assert told["serve, and its curl lines"] == "2 calls"
    assert len([name for name in told if name.startswith("tutorial: ")]) == 3


def test_a_page_that_is_not_true_ends_the_walk(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1 + 1)  # 3\n```\n")
    stranger = first_hour.Newcomer(tmp_path, borrow=True)
    stranger.bin = Path(sys.executable).parent

    with pytest.raises(first_hour.FailedError, match="promises '3'"):
        stranger.python(page)

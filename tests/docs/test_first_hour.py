"""The first hour of a stranger: the wheel in an empty environment, and every page as it stands."""

import sys
from pathlib import Path

import pytest
from bench import first_hour, page_walk
from bench.page_walk import FailedError, PageWalk

import muniment


def walked(tmp_path: Path, text: str) -> PageWalk:
    page = tmp_path / "page.md"
    page.write_text(text)
    return PageWalk(page, tmp_path / "home", Path(sys.executable).parent)


def test_a_stranger_installs_the_wheel_and_everything_on_the_pages_goes(tmp_path: Path) -> None:
    """What the wheel asks for is borrowed from this environment, and nothing else is there."""
    told = {name: what for name, _, what in first_hour.walk(tmp_path, borrow=True)}

    assert told["muniment --version"] == f"muniment {muniment.__version__}"
    assert told["README: every line"] == "11 run, 3 not"
    assert told["Start: every line"] == "19 run, 2 not"
    assert len([name for name in told if name.startswith("tutorial: ")]) == 3


def test_every_reason_for_not_running_a_line_is_that_of_a_line_there_is() -> None:
    said = "".join(page.read_text() for page in first_hour.PAGES.values())

    assert [line for line in page_walk.NOT_RUN if line not in said] == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("```python\nprint(1 + 1)  # 3\n```\n", "promises '3'"),
        ("```console\n$ muniment version\nmuniment 9\n```\n", "prints muniment"),
        ("```sh\nmuniment recal tea\n```\n", "There is no command"),
        ("```sh\nmuniment forget ep:…\n```\n", "nothing like ep:…"),
        ("```sh\nbrew install muniment\n```\n", "nobody runs 'brew install muniment'"),
        ("```yaml\na: 1\n```\n", "nobody runs a block of yaml"),
        ("Try `muniment recal tea`.\n", "There is no command"),
    ],
)
def test_a_page_that_is_not_true_ends_the_walk(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(FailedError, match=why):
        walked(tmp_path, text).run()


def test_what_a_page_shows_is_what_is_printed(tmp_path: Path) -> None:
    page = walked(tmp_path, "```console\n$ muniment version\nmuniment …, python 3.…\n```\n")

    assert page.run() == "1 run, 0 not"

"""Lines that a person wrote: a file of them is known, and what is new of it is told."""

import json
from pathlib import Path

import pytest
from tests.terminal import Shell

from muniment.adapters.cli.errors import Exit

GOOD: dict[str, object] = {"kind": "episode", "text": "Ann sings", "user": "nora"}
LAST: dict[str, object] = {"kind": "episode", "text": "Bob paints", "user": "nora"}
LONG = "Ann sings in the choir of the harbour. " * 7_500  # 300 kB


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell("--store", str(tmp_path / "memory"))


def written(tmp_path: Path, *lines: dict[str, object]) -> str:
    file = tmp_path / "told.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(file)


def found(shell: Shell, words: str, *options: str) -> list[object]:
    return [each["text"] for each in shell.listed("hits", "recall", words, *options)]


def test_what_was_there_already_is_not_said_to_be_kept(shell: Shell, tmp_path: Path) -> None:
    once = shell("import", written(tmp_path, GOOD))
    grown = shell("import", written(tmp_path, GOOD, LAST))
    again = shell("import", written(tmp_path, GOOD, LAST))

    assert once.stdout == "Imported 1 lines: 1 kept\n"
    assert grown.stdout == "Imported 2 lines: 1 kept, 1 there already\n"
    assert again.stdout == "Imported 2 lines: 2 there already\n"


@pytest.mark.parametrize("others", [(), (LAST,)], ids=["alone", "with another"])
def test_a_file_is_known_also_by_a_long_first_line(
    shell: Shell, tmp_path: Path, others: tuple[dict[str, object], ...]
) -> None:
    told = shell("import", written(tmp_path, {**GOOD, "text": LONG}, *others), "--json")

    assert told.exit_code == Exit.DONE, told.output
    assert json.loads(told.stdout)["from"] == "muniment"
    assert found(shell, "the choir", "--user", "nora")

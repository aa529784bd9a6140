"""Keeping order on the terminal: conversations listed, memory compacted, by hand and in pipes."""

from pathlib import Path

import pytest
from tests.behaviour.seed_003 import golden_talks
from tests.terminal import Shell

import muniment
from muniment.adapters.cli.errors import Exit


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    folder = tmp_path / "memory"
    with muniment.open(folder) as memory:
        chat = memory.agent("default", user="tuff").thread("slack", explicit=True)
        for text in golden_talks.turns("trip"):
            chat.turn(text)
    return Shell("--store", str(folder), "--user", "tuff")


@pytest.mark.covers("D-156")
def test_conversations_are_listed(shell: Shell) -> None:
    (thread,) = shell.listed("threads", "threads")

    assert thread["channels"] == ["slack"]
    assert thread["turn_count"] == len(golden_talks.turns("trip"))
    assert "slack" in shell("threads").stdout
    assert "threads.1.turn_count: 17" in shell("threads", "--plain").stdout


@pytest.mark.covers("D-156", "D-148")
def test_memory_is_compacted_by_hand_and_then_there_is_nothing_left_to_do(shell: Shell) -> None:
    (told,) = shell.listed("compacted", "compact")

    assert told["done"] is True
    assert int(str(told["tokens_after"])) < int(str(told["tokens_before"]))
    again = shell("compact")
    assert (again.exit_code, again.stdout.strip()) == (
        Exit.DONE,
        "Nothing to compact: a summary would not be shorter.",
    )
    thinned = shell.listed("compacted", "compact", "--items", "0")
    assert thinned[-1]["by"] == "utility_density"
    assert shell("compact", "--sample", "--tokens", "5").exit_code == Exit.INPUT
    assert shell("prove").exit_code == Exit.DONE

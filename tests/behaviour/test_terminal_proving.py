"""Proving at the terminal: what is wrong says where, and whoever kept the heads notices more."""

import shutil
from pathlib import Path

import apsw
import pytest
from tests.terminal import Shell

from muniment.adapters.cli.errors import Exit


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    made("remember", "I moved to Lisbon in March")
    return made


def kept(shell: Shell, path: Path) -> str:
    path.write_text(shell("prove", "--json").stdout, encoding="utf-8")
    return str(path)


def test_a_log_that_goes_on_from_the_kept_heads_is_told_so(shell: Shell, tmp_path: Path) -> None:
    heads = kept(shell, tmp_path / "heads.json")
    shell("remember", "And back again in May")

    told = shell("prove", "--since", heads)

    assert told.exit_code == Exit.DONE, told.output
    assert "each of them goes on" in told.output
    assert shell.document("prove", "--since", heads)["since"] == heads


def test_a_store_that_was_put_back_is_noticed_by_who_kept_the_heads(
    shell: Shell, tmp_path: Path
) -> None:
    memory, copy = tmp_path / "memory", tmp_path / "copy"
    shutil.copytree(memory, copy)
    shell("remember", "And back again in May")
    heads = kept(shell, tmp_path / "heads.json")
    shutil.rmtree(memory)
    shutil.copytree(copy, memory)

    assert shell("prove").exit_code == Exit.DONE, "a whole older copy proves: only a head tells"
    told = shell("prove", "--since", heads)
    assert told.exit_code == Exit.INTEGRITY
    assert "main/agent/default/actor" in told.stderr
    assert "ends before" in told.stderr

    for n in range(3):
        shell("remember", f"Another life, day {n}")
    assert "Another entry" in shell("prove", "--since", heads).stderr


def test_a_log_that_is_gone_is_noticed(shell: Shell, tmp_path: Path) -> None:
    heads = kept(shell, tmp_path / "heads.json")
    other = Shell("--store", str(tmp_path / "other"))
    other("remember", "Nothing of that", "--agent", "bob")

    assert other("prove", "--since", heads).exit_code == Exit.INTEGRITY


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"streams": [{"stream": "main"}]}'])
def test_what_is_no_proof_is_told_so(shell: Shell, tmp_path: Path, text: str) -> None:
    (tmp_path / "heads.json").write_text(text, encoding="utf-8")

    told = shell("prove", "--since", str(tmp_path / "heads.json"))

    assert told.exit_code == Exit.INPUT
    assert "heads.json" in told.stderr


def damage(store: Path, seq: int) -> None:
    """Change a header of the only log of a store, past all that guards it."""
    (file,) = (store / "streams").glob("*.db")
    with apsw.Connection(str(file)) as connection:
        for (name,) in list(
            connection.execute("SELECT name FROM sqlite_master WHERE type='trigger'")
        ):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("UPDATE entry SET header = X'00' WHERE seq = ?", (seq,))


def test_a_damaged_log_is_named(shell: Shell, tmp_path: Path) -> None:
    damage(tmp_path / "memory", 3)

    told = shell("prove")

    assert told.exit_code == Exit.INTEGRITY
    assert "main/agent/default/actor" in told.stderr

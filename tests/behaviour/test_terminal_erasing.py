"""Erasing at the terminal: everybody on the way is told whom it is about, and what is left."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.terminal import Shell

from muniment.adapters.cli.errors import Exit


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell("--store", str(tmp_path / "memory"))
    made("init", "--preset", "team")
    made("remember", "I moved to Lisbon in March", "--user", "tuff")
    made("remember", "My dog is called Rex", "--user", "bea")
    return made


# Dies where the person's key is gone, and nothing is folded without it yet.
KILLED = """
import os, sys
import muniment
from muniment.adapters.storage.sqlite.store import SqliteStore
SqliteStore.shelve = lambda *told, **named: os._exit(9)
with muniment.open(sys.argv[1]) as memory:
    memory.eraser().carry_out(sys.argv[2])
"""


def findings(shell: Shell) -> dict[str, dict[str, str]]:
    told: Any = shell.document("doctor")["findings"]
    return {each["what"]: each for each in told}


def asked(shell: Shell, user: str) -> str:
    return str(shell.document("erase", user)["request_id"])


def test_whoever_votes_sees_whom_an_erasure_is_about_and_who_has_voted(shell: Shell) -> None:
    request = asked(shell, "tuff")

    told = shell("approve", request, "--as", "ann").output
    assert "erase user_tuff" in told

    listed = shell("requests").output
    assert "erase user_tuff" in listed
    assert "ann approve" in listed


def test_an_approved_erasure_is_carried_out_for_the_person_that_is_named(shell: Shell) -> None:
    request = asked(shell, "tuff")
    shell("approve", request, "--as", "ann")
    shell("approve", request, "--as", "ben")

    wrong = shell("erase", "bea", "--carry-out", request)
    assert wrong.exit_code == Exit.INPUT
    assert "user_tuff" in wrong.stderr
    assert shell("about", "tuff").exit_code == Exit.DONE

    assert shell("erase", "tuff", "--carry-out", request).exit_code == Exit.DONE
    assert shell("about", "tuff").exit_code == Exit.NOT_FOUND
    assert shell("about", "bea").exit_code == Exit.DONE


def test_what_is_left_is_told_with_the_file_it_is_in(shell: Shell, tmp_path: Path) -> None:
    request = asked(shell, "tuff")
    shell("approve", request, "--as", "ann")
    shell("approve", request, "--as", "ben")
    notes = tmp_path / "memory" / "notes.txt"
    notes.write_text("I moved to Lisbon in March", encoding="utf-8")

    told = shell("erase", "--carry-out", request)
    assert told.exit_code == Exit.REFUSED
    assert "notes.txt" in told.stderr

    notes.unlink()
    assert shell("erase", "--carry-out", request).exit_code == Exit.DONE


def test_neither_a_person_nor_a_request_is_not_enough(shell: Shell) -> None:
    assert shell("erase").exit_code == Exit.INPUT


def test_an_erasure_that_was_killed_is_named_with_the_command_that_completes_it(
    shell: Shell, tmp_path: Path
) -> None:
    request = asked(shell, "tuff")
    shell("approve", request, "--as", "ann")
    shell("approve", request, "--as", "ben")
    words = [sys.executable, "-c", KILLED, str(tmp_path / "memory"), request]
    assert subprocess.run(words, check=False).returncode == 9

    told = findings(shell)["erasure"]
    assert (told["state"], told["code"]) == ("warn", "ERASURE_UNFINISHED")
    proved = shell("prove")
    assert (proved.exit_code, "[ERASURE_UNFINISHED]" in proved.stderr) == (Exit.INTEGRITY, True)
    assert request in proved.stderr

    assert shell(*told["do"].split()[1:]).exit_code == Exit.DONE
    assert shell("prove").exit_code == Exit.DONE
    assert "erasure" not in findings(shell)

"""Conversations on the terminal: turns, traces, what a write retired, and a dream."""

import json
import re
from pathlib import Path

import pytest
from tests.terminal import Shell

from muniment.adapters.cli.errors import Exit


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell("--store", str(tmp_path / "memory"), "--user", "tuff")


def test_a_turn_is_recorded_and_traced(shell: Shell) -> None:
    result = shell("turn", "--said", "My name is Tuff", "--answered", "Hello Tuff")

    assert result.exit_code == Exit.DONE, result.output
    assert "profile" in result.stdout
    assert "memory_write" in shell("trace").stdout


@pytest.mark.covers("B-111", "B-112", "B-113")
def test_a_trace_in_plain_form_has_one_key_a_line_and_no_brackets_around_values(
    shell: Shell,
) -> None:
    shell("turn", "--said", "I prefer trains", "--answered", "Noted")

    lines = shell("trace", "--plain").stdout.splitlines()

    assert lines
    assert all(re.fullmatch(r"[\w.$:@-]+: .*|[\w.$:@-]+:", line) for line in lines)
    assert any(line.startswith("traces.count: ") for line in lines)
    assert any(re.match(r"traces\.1\.type: memory_", line) for line in lines)


def test_a_denied_turn_says_its_reason(shell: Shell) -> None:
    result = shell("turn", "--said", "the api key is " + "sk-" + "a1B2" * 12)

    assert "Denied: " in result.stdout
    assert "a1B2" not in result.stdout


def test_what_a_correction_retired_is_listed_and_brought_back(shell: Shell) -> None:
    shell("turn", "--said", "My name is Ada")
    seq = str(shell.document("turn", "--said", "Actually my name is Bea")["seq"])

    listed = shell("retired", seq)
    assert "Ada" in listed.stdout

    assert "Brought back." in shell("retired", seq, "--undo").stdout


def test_a_dream_says_what_it_did_or_that_nothing_was_owed(shell: Shell) -> None:
    shell("remember", "something to dream of")

    told = json.loads(shell("dream", "--json").stdout)

    assert "total" in told
    assert shell("dream").exit_code == Exit.DONE


def test_an_agent_that_never_wrote_has_nothing_to_trace_or_dream(shell: Shell) -> None:
    shell("remember", "something")

    assert shell("trace", "--agent", "nobody").exit_code == Exit.NOT_FOUND
    assert shell("dream", "--agent", "nobody").exit_code == Exit.NOT_FOUND

"""Answer gate: a build fails where recorded questions are answered otherwise now."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from tests import world
from tests.terminal import Shell

from muniment.adapters.cli.errors import Exit
from muniment.engine.api.memory import Memory
from muniment.model.errors import InputError
from muniment.model.policy import Policy, Privacy, RecallPolicy
from muniment.testing import assert_same_answers

BROKEN = Policy(privacy=Privacy(deny_patterns=("lisbon",)))  # somebody's slip of the pen


def production() -> Memory:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    ada.remember("I live in Lisbon near the castle")
    ada.recall("Where do I live?")
    ada.flush()
    return memory


def store(folder: Path) -> Shell:
    shell = Shell("--store", str(folder), "--user", "tuff")
    shell("remember", "I live in Lisbon near the castle")
    shell("recall", "Where do I live?")
    return shell


def file_of(policy: Policy, folder: Path) -> Path:
    path = folder / "policy.json"
    path.write_bytes(msgspec.json.encode(policy))
    return path


def test_the_same_version_and_policy_pass() -> None:
    assert assert_same_answers(production()).questions == 1


def test_a_broken_policy_is_caught_with_the_question_that_it_breaks() -> None:
    with pytest.raises(AssertionError, match="Where do I live") as caught:
        assert_same_answers(production(), policy=BROKEN)
    assert "I live in Lisbon near the castle" in str(caught.value)


def test_what_is_allowed_to_differ_may_and_no_more() -> None:
    memory = production()
    assert assert_same_answers(memory, policy=BROKEN, allow={"refused": 1, "answered": 1}).counts
    with pytest.raises(AssertionError, match="answered: 1 more than allowed"):
        assert_same_answers(memory, policy=BROKEN, allow={"refused": 5})
    with pytest.raises(InputError, match="answerd"):
        assert_same_answers(memory, policy=BROKEN, allow={"answerd": 1})


def test_a_memory_that_was_never_asked_shows_nothing_and_fails() -> None:
    memory = world.memory()
    memory.agent("ada", user="tuff").remember("I live in Lisbon")
    with pytest.raises(AssertionError, match="nothing was shown"):
        assert_same_answers(memory)


def test_an_answer_that_only_loses_its_tail_is_a_change() -> None:
    memory = world.memory()
    ada = memory.agent("ada", user="tuff")
    for each in ("The red boat is new", "The blue boat is old"):
        ada.remember(each)
    ada.recall("Which boat is it?")
    ada.flush()
    with pytest.raises(AssertionError, match="answered: 1 more than allowed") as failed:
        assert_same_answers(memory, policy=Policy(recall=RecallPolicy(results_max=1)))
    assert "'Which boat is it?' loses: The blue boat is old" in str(failed.value)
    assert "gains" not in str(failed.value)


def test_the_terminal_ends_with_one_and_writes_what_a_build_server_reads(tmp_path: Path) -> None:
    shell, report = store(tmp_path / "m"), tmp_path / "gate.xml"
    broken = str(file_of(BROKEN, tmp_path))
    assert shell("gate").exit_code == Exit.DONE
    failed = shell("gate", "--policy", broken, "--junit", str(report))
    assert failed.exit_code == Exit.REFUSED
    assert "Where do I live?" in failed.output
    failures = ElementTree.parse(report).getroot().iter("failure")  # noqa: S314 - our own file
    assert [each.get("message") for each in failures] == ["1 more than allowed"] * 2
    allowed = ("--allow", "refused=1", "--allow", "answered=1")
    assert shell("gate", "--policy", broken, *allowed).exit_code == Exit.DONE


def test_the_pytest_plugin_fails_on_a_broken_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Plugins of others that happen to be installed take seconds to import, and are not asked.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    store(tmp_path / "m")
    broken = str(file_of(BROKEN, tmp_path))
    plugin = ("-p", "muniment.adapters.testing.pytest_plugin", "-p", "no:cacheprovider")

    def run(*options: str) -> "subprocess.CompletedProcess[str]":
        words = (sys.executable, "-m", "pytest", "-q", *plugin, "-p", "no:xdist")
        gate = ("--rootdir", str(tmp_path), "--memory-gate", str(tmp_path / "m"))
        return subprocess.run(
            [*words, *gate, *options], cwd=tmp_path, capture_output=True, text=True, check=False
        )

    assert "1 passed" in run().stdout
    failed = run("--memory-gate-policy", broken)
    assert "1 failed" in failed.stdout
    assert "Where do I live?" in failed.stdout

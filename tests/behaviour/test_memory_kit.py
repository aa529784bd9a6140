"""The test kit: what must be told and what must not is asserted, and a leak or a loss is caught."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest

from muniment import testing
from muniment.model.errors import InputError
from muniment.model.policy import Policy
from muniment.testing import MemoryKit

STORY = """
story: a correction takes the place of what was said
steps:
  - {user: tuff, says: My dog is called Rex}
  - {user: tuff, corrects: Rex, to: My dog is called Max}
  - {later_days: 3}
  - {user: tuff, remembers: Max, asked: What is my dog called?}
  - {user: tuff, has_forgotten: Rex}
  - {user: bea, never_tells: Max}
  - {user: tuff, refuses: my password is hunter2-vAult-9931}
  - {replays: true}
"""
BROKEN = """
story: what nobody said is not known
steps:
  - {user: tuff, says: My dog is called Rex}
  - {user: tuff, remembers: Max, asked: What is my dog called?}
"""


def test_a_story_in_python_holds() -> None:
    with MemoryKit() as kit:
        kit.says("I moved to Lisbon in March")
        kit.records("Remember this for me: I prefer tea", ai="Noted")
        kit.assert_remembers("Lisbon", asked="Where did I move?")
        kit.assert_remembers("tea", asked="What do I prefer?")
        kit.forgets("Lisbon")
        kit.assert_forgets("Lisbon")
        kit.assert_never_tells("bea", "tea")
        kit.assert_replays()


def test_two_kits_write_the_same_bytes() -> None:
    heads = []
    for _ in range(2):
        with MemoryKit() as kit:
            kit.says("I moved to Lisbon in March")
            heads.append([each.head for each in kit.assert_replays()])
    assert heads[0] == heads[1]


def test_a_loss_a_leak_and_a_broken_log_are_each_caught() -> None:
    with MemoryKit() as kit:
        kit.says("My dog is called Rex", user="")
        with pytest.raises(AssertionError, match="is not told 'Max'"):
            kit.assert_remembers("Max", asked="What is my dog called?")
        with pytest.raises(AssertionError, match="recall of bea tells"):
            kit.assert_never_tells("bea", "Rex")  # about nobody: everybody is told
        with pytest.raises(AssertionError, match="tells 'Rex'"):
            kit.assert_forgets("Rex", user="tuff")
        with pytest.raises(AssertionError, match="was kept"):
            kit.assert_refuses("A word that nobody minds")


def test_a_policy_that_keeps_secrets_is_caught() -> None:
    allowing = msgspec.structs.replace(Policy().privacy, secret=type(Policy().privacy.secret).ALLOW)
    kit = MemoryKit(msgspec.structs.replace(Policy(), privacy=allowing))

    with kit, pytest.raises(AssertionError, match="was kept"):
        kit.assert_refuses("my password is hunter2-vAult-9931")


def test_a_story_in_yaml_is_played_and_its_broken_step_is_named(tmp_path: Path) -> None:
    path = tmp_path / "dog.story.yaml"
    path.write_text(STORY, encoding="utf-8")
    (story,) = testing.read(path)
    testing.play(story)
    path.write_text(BROKEN, encoding="utf-8")
    (broken,) = testing.read(path)

    with pytest.raises(AssertionError, match="step 2"):
        testing.play(broken)


def played(path: Path) -> None:
    for story in testing.read(path):
        testing.play(story)


@pytest.mark.parametrize(
    "text",
    ["story: x", "story: x\nsteps: [{user: a}]", "story: x\nsteps: [{sings: a}]", "[", "12"],
)
def test_a_story_that_is_none_is_told_so(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.story.yaml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(InputError):
        played(path)


def run_pytest(folder: Path) -> "subprocess.CompletedProcess[str]":
    plugin = "muniment.adapters.testing.pytest_plugin"
    return subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", plugin, "-p", "no:cacheprovider"),
            *("-p", "no:xdist", "--junitxml", "report.xml", "--rootdir", str(folder), "."),
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_misspelt_step_is_named_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "typo.story.yaml").write_text("story: x\nsteps: [{sayz: a}]", encoding="utf-8")
    told = run_pytest(tmp_path)
    assert "typo.story.yaml: Object contains unknown field `sayz`" in told.stdout
    assert "stories.py" not in told.stdout


def test_the_plugin_collects_stories_and_reports_them_as_junit(tmp_path: Path) -> None:
    (tmp_path / "dog.story.yaml").write_text(STORY, encoding="utf-8")
    (tmp_path / "broken.story.yaml").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "test_own.py").write_text(
        "def test_kit(memory_kit):\n    memory_kit.says('I like tea')\n"
        "    memory_kit.assert_remembers('tea')\n",
        encoding="utf-8",
    )

    told = run_pytest(tmp_path)

    assert told.returncode == 1, told.stdout + told.stderr
    suite = ET.parse(tmp_path / "report.xml").getroot()[0]  # noqa: S314 - our own report
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    assert "step 2" in told.stdout

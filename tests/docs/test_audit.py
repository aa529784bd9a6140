"""The page for those who answer for it is true: its day at the terminal goes as it is printed."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from bench.page_walk import fits
from tests.docs.test_readme import ROOT
from tests.terminal import Shell

PAGE = (ROOT / "docs" / "audit.md").read_text()
GAP = "…"


def meant(word: str, told: list[str]) -> str:
    """A word with a gap is the one of that form that was printed last: `req:…`, `muniment/…/e1`."""
    if GAP not in word:
        return word
    form = re.compile(re.escape(word).replace(GAP, r"[\w/+=-]+"))  # keys hold all that base64 has
    return [found[0] for line in told for found in form.finditer(line)][-1]


def goes_as_printed(session: str) -> None:
    """A session of the page: our commands at the terminal, all others in a bare Python."""
    told: list[str] = []
    for step in session.split("$ ")[1:]:
        command, *printed = step.splitlines()
        program, *words = [meant(word, told) for word in shlex.split(command)]
        if program == "muniment":
            said = Shell()(*words).output.splitlines()
        else:
            done = subprocess.run([sys.executable, *words], capture_output=True, check=False)
            said = done.stdout.decode().splitlines()
        assert len(said) == len(printed), (command, said)
        assert all(map(fits, printed, said)), (command, said)
        told += said


def sessions() -> list[str]:
    return re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)


def test_the_day_of_an_auditor_goes_as_it_is_printed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    day, _ = sessions()
    goes_as_printed(day)


def test_the_heads_that_are_kept_can_be_compared(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The two lines of the page, without the shell between them."""
    monkeypatch.chdir(tmp_path)
    (lines,) = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    keep, compare = lines.splitlines()
    write, _, file = keep.partition(" > ")
    shell = Shell()
    shell("remember", "I moved to Lisbon in March")

    Path(file).write_text(shell(*shlex.split(write)[1:]).stdout, encoding="utf-8")

    assert shell(*shlex.split(compare)[1:]).exit_code == 0


def test_what_an_outsider_is_given_is_checked_as_it_is_printed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    _, outside = sessions()
    goes_as_printed(outside)

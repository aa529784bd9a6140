"""The tool that changes one module at a time tells what its tests notice from what they do not."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULE = "src/muniment/rules/governance.py"
TESTS = "tests/behaviour/doors/test_gates_of_the_gateway.py"
RIGHT = "if approvals + rejections < policy.quorum:"


def tried(right: str, wrong: str) -> str:
    asked = ("-m", "tests.planted.mutants", MODULE, TESTS, "--instead", right, wrong)
    done = subprocess.run(
        [sys.executable, *asked], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    ("wrong", "counts"),
    [
        (RIGHT.replace("<", "<="), "1 noticed, 0 survived"),
        (RIGHT.replace("policy.quorum", "policy.quorum + 0"), "0 noticed, 1 survived"),
        (RIGHT.replace("if", "while True: ...\n    if"), "1 noticed, 0 survived"),
    ],
    ids=["an-approval-too-many", "the-same-sum", "without-end"],
)
def test_a_change_is_noticed_by_its_tests_or_survives_them(wrong: str, counts: str) -> None:
    told = tried(RIGHT, wrong)
    assert f"1 changes, {counts}, 0 not applied" in told
    assert (f"+    {wrong}" in told) is ("1 survived" in counts)  # a survivor is shown

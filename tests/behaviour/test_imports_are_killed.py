"""An import that is killed, wherever that is, is run again: everything is there, and once."""

import json
import subprocess
import sys
from pathlib import Path

from tests import soaking

ROOT = Path(__file__).parents[2]
KILLS = soaking.times(24, 1_000)
ENDS = soaking.times(10, 300)


def test_what_was_killed_and_run_again_is_whole_and_nothing_is_doubled(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.simulation.importing", str(tmp_path), str(KILLS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)

    assert told["wrong"] == [], "something was lost, doubled or changed"
    assert told["stopped"] == ""
    assert told["kills"] >= KILLS
    assert told["resumed"] >= 2, "an import of ours and one of another memory were cut short"


def test_over_http_a_killed_service_and_a_sender_who_leaves_lose_and_double_nothing(
    tmp_path: Path,
) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.simulation.importing_over_http", str(tmp_path), str(ENDS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)

    assert told["wrong"] == [], "something was lost, doubled or changed"
    assert told["killed"] + told["left"] >= ENDS
    assert told["killed"] >= 2, "a service was killed while it imported"
    assert told["left"] >= 2

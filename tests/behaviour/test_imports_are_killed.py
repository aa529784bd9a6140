"""An import that is killed, wherever that is, is run again: everything is there, and once."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests import soaking

ROOT = Path(__file__).parents[2]
KILLS = soaking.times(24, 1_000)
ENDS = soaking.times(10, 300)


def lived_through(simulation: str, folder: Path, ends: int) -> dict[str, Any]:
    """What a simulation tells after so many ends; whatever it was, nothing is wrong."""
    run = subprocess.run(
        [sys.executable, "-m", simulation, str(folder), str(ends)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    told: dict[str, Any] = json.loads(run.stdout)
    assert told["wrong"] == [], "something was lost, doubled or changed"
    return told


def test_what_was_killed_and_run_again_is_whole_and_nothing_is_doubled(tmp_path: Path) -> None:
    told = lived_through("tests.simulation.importing", tmp_path, KILLS)

    assert told["stopped"] == ""
    assert told["kills"] >= KILLS
    assert told["resumed"] >= 2, "an import of ours and one of another memory were cut short"


def test_over_http_a_killed_service_and_a_sender_who_leaves_lose_and_double_nothing(
    tmp_path: Path,
) -> None:
    told = lived_through("tests.simulation.importing_over_http", tmp_path, ENDS)

    assert told["killed"] + told["left"] >= ENDS
    assert told["killed"] >= 2, "a service was killed while it imported"
    assert told["left"] >= 2

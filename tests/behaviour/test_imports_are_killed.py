"""An import that is killed, wherever that is, is run again: everything is there, and once."""

import json
import subprocess
import sys
from pathlib import Path

from tests import soaking

ROOT = Path(__file__).parents[2]
KILLS = soaking.times(24, 1_000)


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

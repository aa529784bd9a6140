"""Acknowledged means durable: four writers on one file are killed again and again."""

import json
import subprocess
import sys
from pathlib import Path

from tests.simulation.killing import sentence
from tests.soaking import times

import muniment
from muniment.model.events import EpisodeWritten
from muniment.model.scope import StreamKind

ROOT = Path(__file__).parents[2]
WRITERS = 4
KILLS = times(150, soak=3_000)


def test_every_acknowledged_entry_is_there_once_after_every_kill(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.simulation.killing", str(tmp_path), str(KILLS), str(WRITERS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)

    memory = muniment.open(tmp_path / "memory")
    (stream,) = (each for each in memory.streams() if each.kind is StreamKind.AGENT)
    lines = memory.log(stream)
    said = [line.event.summary for line in lines if isinstance(line.event, EpisodeWritten)]
    promised = {sentence(*key.split("-")) for key in told["acknowledged"]}
    proofs = memory.prove()

    assert told["stopped"] == ""
    assert told["kills"] >= KILLS
    assert len(told["acknowledged"]) > KILLS // 3, "the writers hardly wrote: nothing was tested"
    assert promised <= set(said), "an acknowledged entry was lost"
    assert len(said) == len(set(said)), "an entry was written twice"
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1)), "there is a gap"
    assert {proof.entries for proof in proofs if "agent" in proof.stream} == {len(lines)}
    memory.close()

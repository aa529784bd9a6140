"""An import that is killed, wherever that is, is run again: everything is there, and once."""

import signal
import subprocess
import sys
import time
from pathlib import Path

from tests import soaking
from tests.foreign_files import j
from tests.terminal import Shell

import muniment

KILLS = soaking.times(4, 1_000)
MEMORIES = 600


def test_what_was_killed_and_run_again_is_whole_and_nothing_is_doubled(tmp_path: Path) -> None:
    file = tmp_path / "mem0.json"
    told = [{"id": str(n), "memory": f"Fence {n} was painted"} for n in range(MEMORIES)]
    file.write_bytes(j({"results": told}))
    options = ["--store", str(tmp_path / "memory"), "--user", "tuff"]
    command = [sys.executable, "-m", "muniment", "import", str(file), *options]
    shell = Shell(*options)
    killed = 0

    for n in range(KILLS):
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.4 + n * 0.37 % 2.1)
        running.send_signal(signal.SIGKILL)
        killed += running.wait() == -signal.SIGKILL
    report = shell.document("import", str(file))

    assert killed
    assert report["kept"] == MEMORIES
    with muniment.open(tmp_path / "memory") as memory:
        texts = [each.text for each in memory.exchange().records()]
        assert sorted(texts) == sorted(str(each["memory"]) for each in told)
        memory.prove()

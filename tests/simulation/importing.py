"""Imports that are killed without warning, again and again, and run again until they are done.

Run as a process of its own (`python -m tests.simulation.importing FOLDER KILLS [BEFORE]`): each
import is forked from a warm parent and dies after so much of its own CPU time, wherever that finds
it; who has tried so many times before goes on with other moments.
"""

import json
import os
import shutil
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Final

import msgspec
from click.testing import Result
from tests.foreign_files import j
from tests.terminal import Shell

import muniment

PEOPLE: Final = 12
KILLS_OF_ONE_MAX: Final = 12  # then it is let through
DONE: Final = 0
OURS: Final = ".jsonl"

Held = Counter[tuple[str, ...]]


def files(folder: Path) -> list[Path]:
    """An export of ours with every kind of work under way, and one of another memory."""
    foreign = [
        {"id": f"{who}-{n}", "memory": f"Fence {n} of user {who} was painted", "user_id": f"u{who}"}
        for who in range(PEOPLE)
        for n in range(3)
    ]
    theirs = folder / "mem0.json"
    theirs.write_bytes(j({"results": foreign}))
    ours = folder / "ours.jsonl"
    with muniment.open(folder / "source") as memory:
        for who in range(PEOPLE // 3):
            _live(memory, f"u{who}")
        lines = (msgspec.json.encode(each) for each in memory.exchange().records())
        ours.write_bytes(b"".join(line + b"\n" for line in lines))
    return [theirs, ours]


def _live(memory: muniment.Memory, user: str) -> None:
    ada = memory.agent("ada", user=user)
    ada.remember(f"I, {user}, moved to Lisbon in March")
    ada.remember_many([f"{user} likes tea", f"{user} likes rain"])
    ada.conversation(session=user).record(user=f"My name is {user.title()}", ai="Hello")
    ada.documents().put(("prefs",), user, {"theme": "dark"})
    ada.thread("mail").turn(f"we speak of {user}")
    job = ada.job(f"seed {user}", session=user)
    job.wm_insert({"type": "fact", "value": f"{user} waits"})
    job.set_goal("g", f"help {user}")
    job.memorize({"type": "thought", "text": f"The dose of {user} was changed to 25 mg"})


def held(folder: Path, *, ids: bool) -> Held:
    """What a memory holds, each as often as it does; its log is proved on the way.

    Of another's file each memory makes its own ids; ours come along.
    """
    with muniment.open(folder) as memory:
        memory.prove()
        lines = list(memory.exchange().records())
    return Counter(
        (each.kind, each.event, each.user, each.id if ids else "", each.text) for each in lines
    )


def spread(n: int) -> float:
    """Between 0 and 1, and nowhere near the ones before it."""
    return n * 0.618_033_988_75 % 1


def run_once(file: Path, folder: Path, cpu_seconds: float) -> int:
    """Import in a process of its own that has so much time to live; its status."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    code = 1
    try:
        told = imported(file, folder)
        code = DONE if told.exit_code == DONE else 1
        if code != DONE:  # an import that stops by itself is a failure to be seen
            (folder.parent / "stopped").write_text(told.output + repr(told.exception))
    finally:
        os._exit(code)


def imported(file: Path, folder: Path) -> Result:
    return Shell("--store", str(folder), "--agent", "ada")("import", str(file))


def main(root: Path, wanted: int, tried: int) -> dict[str, object]:
    kills, rounds, resumed, wrong = 0, 0, 0, []
    lives: dict[Path, tuple[float, Held]] = {}
    for file in files(root):
        calm, began = root / f"calm {file.stem}", time.process_time()
        assert imported(file, calm).exit_code == DONE
        lives[file] = (time.process_time() - began, held(calm, ids=file.suffix == OURS))
    while kills < wanted:
        file = list(lives)[rounds % len(lives)]
        cpu, expected = lives[file]
        folder, died = root / "memory", 0
        while died < KILLS_OF_ONE_MAX:
            tried += 1
            if not os.WIFSIGNALED(run_once(file, folder, 0.01 + spread(tried) * cpu)):
                break
            died += 1
        status = run_once(file, folder, 60.0)
        if status != DONE or held(folder, ids=file.suffix == OURS) != expected:
            wrong.append(f"round {rounds}, {file.name}, {died} kills, status {status}")
        kills, rounds, resumed = kills + died, rounds + 1, resumed + (died > 0)
        shutil.rmtree(folder)
    stopped = root / "stopped"
    said = stopped.read_text() if stopped.exists() else ""
    return {"kills": kills, "rounds": rounds, "resumed": resumed, "wrong": wrong, "stopped": said}


if __name__ == "__main__":
    before = int(sys.argv[3]) if len(sys.argv) > len(["program", "folder", "kills"]) else 0
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]), before)))

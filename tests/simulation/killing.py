"""Writers on one store, killed again and again without warning; what they were promised must be
there.

Run as a process of its own (`python -m tests.simulation.killing FOLDER KILLS WRITERS`): it forks
its writers from a warm parent, so that a restart costs no import.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

import muniment
from muniment.log.keyring import SeededEntropy

LIFE_MS_MIN = 30  # long enough to open the store, short enough to die in the middle of a write
LIFE_MS_SPREAD = 60
LIFE_MS_MAX = 500
OPENING_SECONDS_MAX = 60


def write_for_ever(folder: Path, acknowledged: Path, name: str) -> None:
    """Remember one sentence after another; say which only after it was acknowledged."""
    memory = muniment.open(folder)
    ada = memory.agent("ada", user="tuff")
    with acknowledged.open("ab", buffering=0) as told:
        number = 0
        while True:
            number += 1
            key = f"{name}-{number}"
            ada.remember(sentence(name, number), key=key)
            told.write(f"{key}\n".encode())


def sentence(name: str, number: int | str) -> str:
    return f"writer {name} says sentence {number}"


def fork_writer(folder: Path, acknowledged: Path, name: str) -> int:
    child = os.fork()
    if child:
        return child
    try:
        write_for_ever(folder, acknowledged, name)
    except BaseException as error:  # a writer that stops by itself is a failure to be seen
        with (acknowledged.parent / "stopped").open("a") as told:
            told.write(f"{name}: {error!r}\n")
    finally:
        os._exit(1)


def opening_ms(acknowledged: Path, began: float) -> int:
    """How long it takes here until somebody is promised something: a busy machine lives slower."""
    while not acknowledged.stat().st_size and time.monotonic() < began + OPENING_SECONDS_MAX:
        time.sleep(0.001)
    return int((time.monotonic() - began) * 1000)


def main(folder: Path, kills: int, writers: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    store, acknowledged = folder / "memory", folder / "acknowledged"
    acknowledged.touch()
    draw = SeededEntropy(b"lives")
    alive = [fork_writer(store, acknowledged, "w0")]
    opened_ms = opening_ms(acknowledged, time.monotonic())
    shortest_ms = min(max(LIFE_MS_MIN, opened_ms), LIFE_MS_MAX)
    alive += [fork_writer(store, acknowledged, f"w{n}") for n in range(1, writers)]
    for turn in range(kills):
        time.sleep((shortest_ms + draw(1)[0] % LIFE_MS_SPREAD) / 1000 / writers)
        place = draw(1)[0] % writers
        os.kill(alive[place], signal.SIGKILL)
        os.waitpid(alive[place], 0)
        alive[place] = fork_writer(store, acknowledged, f"r{turn}")
    for child in alive:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    stopped = folder / "stopped"
    print(
        json.dumps(
            {
                "kills": kills + writers,
                "acknowledged": acknowledged.read_text().split(),
                "stopped": stopped.read_text() if stopped.exists() else "",
            }
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))

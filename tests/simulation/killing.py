"""Writers on one store, killed again and again without warning; what they were promised must be
there.

Run as a process of its own (`python -m tests.simulation.killing FOLDER KILLS WRITERS`): it forks
its writers from a parent that has written once, so that a restart costs no import. How long a
writer lives goes by what was acknowledged, not by the clock alone: on a busy machine lives are
longer, and as much is written between two kills.
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
LIFE_MS_MAX = 8_000
OPENING_SECONDS_MAX = 60
KILLS_A_PROMISE = 2  # where fewer are made, lives are too short here


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


def warm() -> None:
    """What a writer needs is imported when it is first used: here, and not after every fork."""
    with muniment.open(":memory:") as memory:
        memory.agent("ada", user="tuff").remember(sentence("nobody", 0), key="nobody")


def promises(acknowledged: Path) -> int:
    return acknowledged.read_bytes().count(b"\n")


def main(folder: Path, kills: int, writers: int) -> None:
    warm()
    folder.mkdir(parents=True, exist_ok=True)
    store, acknowledged = folder / "memory", folder / "acknowledged"
    acknowledged.touch()
    draw = SeededEntropy(b"lives")
    alive = [fork_writer(store, acknowledged, "w0")]
    opened_ms = opening_ms(acknowledged, time.monotonic())
    shortest_ms = min(max(LIFE_MS_MIN, opened_ms), LIFE_MS_MAX)
    alive += [fork_writer(store, acknowledged, f"w{n}") for n in range(1, writers)]
    life_ms = shortest_ms
    for turn in range(kills):
        time.sleep((life_ms + draw(1)[0] % LIFE_MS_SPREAD) / 1000 / writers)
        behind = promises(acknowledged) < turn // KILLS_A_PROMISE
        life_ms = min(2 * life_ms, LIFE_MS_MAX) if behind else max(life_ms // 2, shortest_ms)
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

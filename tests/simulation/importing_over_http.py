"""Imports over HTTP that end in the middle: the service is killed, or whoever sends a file leaves.

Run as a process of its own (`python -m tests.simulation.importing_over_http FOLDER ENDS`): for each
try a service is forked from a warm parent, and dies after so much of its own CPU time, wherever
that finds it; every third sender leaves instead, with the file half sent or the answer not awaited.
"""

import json
import os
import shutil
import signal
import socket
import sys
import time
from pathlib import Path
from typing import Final

import httpx2
from tests.service import serving
from tests.simulation.importing import OURS, Held, files, held, spread

from muniment.adapters.gateway.api_keys import ANY
from muniment.model.scope import Role

TRIES_OF_ONE_MAX: Final = 6  # then it is let through
SECONDS_MAX: Final = 120
LEAVES: Final = 3  # every so manyth sender leaves, and the service lives
LEFT, KILLED, DONE = "left", "killed", "done"
BEGUN_CPU_SECONDS: Final = 0.005  # until the first byte of a file has come


def served(folder: Path, telling: int, cpu_seconds: float) -> None:
    """A service in this process until it is killed; who asks for nothing waits for it."""
    with serving(folder) as running:
        keys = {
            OURS: running.key(role=Role.ADMIN, who="otto"),
            ".json": running.key(role=Role.AGENT, agent="ada", user=ANY),
        }
        os.write(telling, json.dumps({"url": running.url, "keys": keys}).encode() + b"\n")
        if cpu_seconds:
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
        while True:
            time.sleep(1)


def started(folder: Path, cpu_seconds: float = 0.0) -> tuple[int, dict[str, dict[str, str]]]:
    """The process of a service, and what it said when it answered."""
    heard, telling = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.close(heard)
            served(folder, telling, cpu_seconds)
        finally:
            os._exit(1)
    os.close(telling)
    with os.fdopen(heard) as told:
        return child, json.loads(told.readline())


def sent(file: Path, told: dict[str, dict[str, str]]) -> httpx2.Response:
    key = {"authorization": f"Bearer {told['keys'][file.suffix]}"}
    url = f"{told['url']}/v1/import"
    return httpx2.post(url, content=file.read_bytes(), headers=key, timeout=SECONDS_MAX)


def left(file: Path, told: dict[str, dict[str, str]], part: float) -> None:
    """Send a part of the file, or all of it and not wait for the answer."""
    data = file.read_bytes()
    host, _, port = str(told["url"]).removeprefix("http://").partition(":")
    head = f"POST /v1/import HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Length: {len(data)}\r\n"
    head += f"Authorization: Bearer {told['keys'][file.suffix]}\r\n\r\n"
    with socket.create_connection((host, int(port)), timeout=SECONDS_MAX) as connection:
        connection.sendall(head.encode() + data[: int(len(data) * min(part * 1.5, 1.0))])
        time.sleep(part / 10)


def ended(file: Path, folder: Path, n: int, cpu: float) -> str:
    """One try that somebody ends: how it ended. A service is gone when this returns."""
    leaves = n % LEAVES == 0
    moment = 0.0 if leaves else BEGUN_CPU_SECONDS + spread(n) * cpu
    child, told = started(folder, moment)
    how = LEFT
    try:
        if leaves:
            left(file, told, spread(n))
        else:
            how = DONE if sent(file, told).is_success else KILLED
    except httpx2.TransportError:
        how = KILLED
    cpu_of(child)
    return how


def cpu_of(child: int) -> float:
    """Kill a service; the CPU time that it has used."""
    os.kill(child, signal.SIGKILL)
    used = os.wait4(child, 0)[2]
    return used.ru_utime + used.ru_stime


def whole(file: Path, folder: Path) -> tuple[int, float, Held]:
    """An import that nobody ends: its status, the CPU time it took, and what is there then."""
    starting = cpu_of(started(folder)[0])
    child, told = started(folder)
    status = sent(file, told).status_code
    return status, cpu_of(child) - starting, held(folder, ids=file.suffix == OURS)


def main(root: Path, wanted: int) -> dict[str, object]:
    counts, wrong, n, rounds = {LEFT: 0, KILLED: 0, DONE: 0}, [], 0, 0
    calm = {file: whole(file, root / f"calm {file.stem}") for file in files(root)}
    while counts[LEFT] + counts[KILLED] < wanted:
        file = list(calm)[rounds % len(calm)]
        _, cpu, expected = calm[file]
        folder, rounds = root / "memory", rounds + 1
        for _ in range(TRIES_OF_ONE_MAX):
            n += 1
            counts[ended(file, folder, n, cpu)] += 1
        status, _, found = whole(file, folder)
        if status != httpx2.codes.OK or found != expected:
            wrong.append(f"round {rounds}, {file.name}, after {n} tries: {status}")
        shutil.rmtree(folder)
    return {**counts, "rounds": rounds, "wrong": wrong}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]))))

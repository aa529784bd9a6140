"""A crowd at the HTTP door: a thousand connections, most of them slow or hostile, and some honest.

`python -m tests.simulation.crowd 1000 60` serves a memory in a process of its own, lets so many in
for so many seconds and prints how the honest ones fared and how much memory the server took. It
ends with 1 where an honest call was refused or lost, or where the memory was not bounded.
"""

import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from itertools import count, cycle
from pathlib import Path
from typing import Final

import msgspec

from muniment.adapters.config import Settings
from muniment.adapters.door_files import open_credentials
from muniment.adapters.gateway import api_keys
from muniment.adapters.gateway.api_keys import Grant
from muniment.adapters.system.clock import SystemClock

HONEST: Final = 20  # one in so many connections asks as one should, and waits for the answer
GROWTH_MB_MAX: Final = 256  # what a thousand connections may take beside the memory itself
STEP_SECONDS: Final = 0.5
PATIENCE_SECONDS: Final = 30  # of an honest one, for one answer


class Figures(msgspec.Struct):
    """What was seen of one crowd."""

    connections: int
    seconds: float
    calls: int = 0
    failed: list[str] = []
    waited_ms: list[float] = []
    before_mb: float = 0
    peak_mb: float = 0
    hung_up: Counter[str] = msgspec.field(default_factory=Counter)

    @property
    def is_good(self) -> bool:
        grown = self.peak_mb - self.before_mb
        return bool(self.calls) and not self.failed and grown < GROWTH_MB_MAX

    def table(self) -> str:
        waited = sorted(self.waited_ms) or [0.0]
        told = {
            "connections at a time": f"{self.connections:,}, one in {HONEST} of them honest",
            "seconds": f"{self.seconds:.0f}",
            "honest calls": f"{self.calls:,}, {len(self.failed)} failed",
            "answered in ms": f"median {waited[len(waited) // 2]:.0f}, "
            f"99 % {waited[len(waited) * 99 // 100]:.0f}, longest {waited[-1]:.0f}",
            "memory of the server": f"{self.before_mb:.0f} MB before, {self.peak_mb:.0f} at most",
            "connections it ended": ", ".join(f"{n:,} {what}" for what, n in self.hung_up.items()),
        }
        return "\n".join(f"{name:<22} {its}" for name, its in told.items())


class Door(msgspec.Struct, frozen=True):
    """Where it is, with whose key one comes, and until when there is a crowd."""

    port: int
    key: str
    until: float

    @property
    def is_open(self) -> bool:
        return time.monotonic() < self.until

    def request(self, path: str, body: object) -> bytes:
        data = json.dumps(body).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\n"
            f"authorization: Bearer {self.key}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(data)}\r\n\r\n"
        )
        return head.encode() + data


Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Guest = Callable[[Door, Line], Awaitable[None]]


async def drips(door: Door, line: Line) -> None:
    """A head that never ends, a few letters at a time."""
    line[1].write(b"GET /v1/facts HTTP/1.1\r\nhost: x\r\nx-slow: ")
    while door.is_open and not line[0].at_eof():
        line[1].write(b"a")
        await line[1].drain()
        await asyncio.sleep(STEP_SECONDS)


async def owes_a_body(door: Door, line: Line) -> None:
    """A body that was announced and does not come."""
    whole = door.request("/v1/remember", {"text": "x" * 2_000})
    line[1].write(whole[:-1_900])
    await line[0].read()


async def says_nothing(door: Door, line: Line) -> None:
    assert door.is_open
    await line[0].read()


async def floods(door: Door, line: Line) -> None:
    """A head without end, as fast as it is taken."""
    line[1].write(b"GET / HTTP/1.1\r\nx: ")
    while door.is_open:
        line[1].write(b"a" * 65_536)
        await line[1].drain()


async def talks_nonsense(door: Door, line: Line) -> None:
    line[1].write(bytes(range(256)) * 8 + b"\r\n\r\n")
    await line[0].read()
    assert door.port


async def never_listens(door: Door, line: Line) -> None:
    """Asks without a pause and reads no answer."""
    while door.is_open:
        line[1].write(door.request("/v1/recall", {"query": "tea"}))
        await line[1].drain()
        await asyncio.sleep(STEP_SECONDS)


async def guesses(door: Door, line: Line) -> None:
    """A key that is none, again and again."""
    wrong = msgspec.structs.replace(door, key="mk_00000000_" + "a" * 43 + "_00000000")
    while door.is_open and not line[0].at_eof():
        line[1].write(wrong.request("/v1/recall", {"query": "tea"}))
        await line[0].read(4_096)
        await asyncio.sleep(STEP_SECONDS)


GUESTS: Final[tuple[Guest, ...]] = (
    drips, owes_a_body, says_nothing, drips, floods, talks_nonsense, never_listens, guesses,
)  # fmt: skip


async def stays(door: Door, guest: Guest, told: Figures) -> None:
    """One place in the crowd: whoever is hung up on comes back."""
    while door.is_open:
        try:
            line = await asyncio.open_connection("127.0.0.1", door.port)
        except OSError:
            told.hung_up["at the door"] += 1
            await asyncio.sleep(STEP_SECONDS)
            continue
        try:
            await asyncio.wait_for(guest(door, line), max(door.until - time.monotonic(), 0.01))
        except TimeoutError:
            break
        except OSError:
            pass
        finally:
            line[1].transport.abort()
        told.hung_up[guest.__name__.replace("_", " ")] += door.is_open
        await asyncio.sleep(STEP_SECONDS)


async def asks(door: Door, number: int, told: Figures) -> None:
    """An honest one: tells something, asks for it, waits for both answers, begins anew."""
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    try:
        for turn in count():
            if not door.is_open:
                return
            said = f"Guest {number} ordered dish {turn}"
            await _call(door, (reader, writer), "/v1/remember", {"text": said}, told)
            asked = {"query": f"what did guest {number} order", "limit": 3}
            await _call(door, (reader, writer), "/v1/recall", asked, told)
    except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
        told.failed.append(f"{type(error).__name__}: {error}")
    finally:
        writer.close()


async def _call(door: Door, line: Line, path: str, body: object, told: Figures) -> None:
    begun = time.monotonic()
    line[1].write(door.request(path, body))
    async with asyncio.timeout(PATIENCE_SECONDS):
        head = (await line[0].readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        await line[0].readexactly(int(length[1]) if length else 0)
    told.calls += 1
    told.waited_ms.append((time.monotonic() - begun) * 1000)
    if " 200 " not in head.splitlines()[0]:
        told.failed.append(f"{path}: {head.splitlines()[0]}")


async def crowd(
    honest: list[Door], hostile: Door, watch: Callable[[], float], told: Figures
) -> None:
    guests = cycle(GUESTS)
    people = [asks(door, n, told) for n, door in enumerate(honest)]
    people += [stays(hostile, next(guests), told) for _ in range(told.connections - len(honest))]

    async def watches() -> None:
        while hostile.is_open:
            told.peak_mb = max(told.peak_mb, watch())
            await asyncio.sleep(0.2)

    await asyncio.gather(watches(), *people)


def memory_mb(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def run(connections: int, seconds: float) -> Figures:
    """Serve a memory, let the crowd in, and say what was seen."""
    told = Figures(connections=connections, seconds=seconds)
    with tempfile.TemporaryDirectory() as made:
        store = Path(made) / "memory"
        keys = list(issued(store, 1 + connections // HONEST))
        command = [sys.executable, "-m", "muniment", "serve", f"--store={store}", "--port=0"]
        said = Path(made) / "log"  # a file, not a pipe: one that nobody empties stops the server
        with (
            said.open("w") as log,
            subprocess.Popen(command, stderr=log, text=True) as server,
        ):
            port = port_of(server, said)
            told.before_mb = memory_mb(server.pid)
            until = time.monotonic() + seconds
            hostile, *honest = (Door(port, key, until) for key in keys)
            asyncio.run(crowd(honest, hostile, lambda: memory_mb(server.pid), told))
            server.terminate()
    return told


def port_of(server: subprocess.Popen[str], said: Path) -> int:
    """Where it listens, as it says in its log."""
    while server.poll() is None:
        if found := re.search(r"at http://\S+:(\d+)", said.read_text()):
            return int(found[1])
        time.sleep(0.05)
    raise RuntimeError(said.read_text())


def issued(store: Path, count: int) -> Iterator[str]:
    """A key for each, the first of an agent of its own: calls of one agent wait for each other."""
    keys, now = open_credentials(store, Settings()), SystemClock().now()
    for number in range(count):
        grant = Grant(agent="ada" if number else "mallory", user=f"guest-{number}")
        yield api_keys.issue(keys, grant, now=now, days=1)[0]


def main() -> int:
    connections, seconds = (int(each) for each in (*sys.argv[1:], "1000", "60")[:2])
    told = run(connections, seconds)
    print(told.table())
    print("\n".join(told.failed[:10]))
    return not told.is_good


if __name__ == "__main__":
    sys.exit(main())

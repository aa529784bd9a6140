"""Progress of a long work: how far it is, of how much, how long still; silent if nobody looks."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from muniment.adapters.cli.output import is_terminal
from muniment.engine.api.memory import Memory
from muniment.engine.audit.replay import Progress
from muniment.model.errors import MunimentError

ESTIMATE_SECONDS: Final = 1.0  # before that nobody can say
MINUTE: Final = 60


@contextmanager
def watched(what: str) -> Iterator[Callable[[str], None]]:
    """The line itself; who works says how far it is."""
    if not is_terminal(sys.stderr):
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what}…") as status:
        yield lambda told: status.update(f"{what}… {told}")


@contextmanager
def progress(
    what: str, unit: str = "entries", total: Callable[[], int] = lambda: 0
) -> Iterator[Progress]:
    """A counter over several logs: each begins at one again, the sum goes on."""
    with watched(what) as tell:
        finished, here, began = 0, 0, time.monotonic()
        of = total() if is_terminal(sys.stderr) else 0

        def step(seq: int) -> None:
            nonlocal finished, here
            if seq < here:
                finished += here
            here = seq
            tell(so_far(finished + here, of, time.monotonic() - began, unit))

        yield step


def so_far(done: int, of: int, seconds: float, unit: str) -> str:
    """How far it is: `1,200 of 50,000 lines, about 20 s left`."""
    if not of or done > of:
        return f"{done:,} {unit}"
    told = f"{done:,} of {of:,} {unit}"
    if not done or seconds < ESTIMATE_SECONDS:
        return told
    left = round(seconds * (of - done) / done)
    return f"{told}, about {f'{left} s' if left < MINUTE else f'{left // MINUTE + 1} min'} left"


def entries_of(memory: Memory) -> int:
    """How many entries all logs hold; what cannot be read is found by the work itself."""
    try:
        return sum(memory.head(stream) for stream in memory.streams())
    except MunimentError:
        return 0

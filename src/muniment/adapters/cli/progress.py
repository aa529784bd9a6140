"""How a long work is watched: a line on standard error while somebody looks, else silence."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from muniment.adapters.cli.output import is_terminal
from muniment.engine.audit.replay import Progress


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
def progress(what: str, unit: str = "entries") -> Iterator[Progress]:
    """A counter over several logs: each begins at one again, the sum goes on."""
    with watched(what) as tell:
        finished, here = 0, 0

        def step(seq: int) -> None:
            nonlocal finished, here
            if seq < here:
                finished += here
            here = seq
            tell(f"{finished + here:,} {unit}")

        yield step

"""Progress of long work: how much is done and how long is left; only at a terminal."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

import click

from muniment.adapters.cli.output import columns, is_terminal, painted
from muniment.adapters.cli.word_wrap import cut
from muniment.adapters.storage.long_reads import Reading
from muniment.engine.api.memory import Memory
from muniment.engine.audit.stage_progress import Progress, Stages, over_logs, unwatched
from muniment.model.errors import MunimentError

ESTIMATE_SECONDS: Final = 1.0  # before that nobody can say
MINUTE: Final = 60
REDRAW_SECONDS: Final = 0.1  # faster than that nobody reads
WIPE: Final = "\r\x1b[2K"  # to the first column, and nothing on the line
WHEEL: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
WHEEL_COLUMNS: Final = 3  # with the blank behind it, and one that stays free for the cursor


@contextmanager
def watched(what: str) -> Iterator[Callable[[str], None]]:
    """The line itself; who works says how far it is."""
    if not is_terminal(sys.stderr):
        yield lambda _: None
        return
    line = _StatusLine(f"{what}…")
    line.draw()
    before = _own_line.set(line)
    try:
        yield line.tell
    finally:
        _own_line.reset(before)
        line.wipe()


@contextmanager
def long_reads() -> Iterator[Reading | None]:
    """For a command without progress of its own: how far it has read a log, after a second."""
    if not is_terminal(sys.stderr):
        yield None
        return
    line = _ReadLine()
    try:
        yield line.reading
    finally:
        line.reading(0, 0)


class _StatusLine:
    """The last line of a screen, drawn over itself and wiped at the end."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._told = ""
        self._steps = 0
        self._next = 0.0
        self._heard = time.monotonic()
        self._moves = os.environ.get("TERM") != "dumb"  # such a screen gets the first line only

    def tell(self, told: str) -> None:
        self._heard = time.monotonic()
        self._tell(told)

    def tell_read(self, told: str) -> None:
        """What is read for the work, while the work itself has said nothing for a second."""
        if time.monotonic() - self._heard >= ESTIMATE_SECONDS:
            self._tell(f"reading {told}")

    def _tell(self, told: str) -> None:
        self._told = told
        if self._moves and time.monotonic() >= self._next:
            self.draw()

    def draw(self) -> None:
        self._next = time.monotonic() + REDRAW_SECONDS
        self._steps += 1
        if not self._moves:
            click.echo(self._what, err=True)
            return
        wheel = painted(WHEEL[self._steps % len(WHEEL)], "good")
        line = cut(f"{self._what} {self._told}".rstrip(), columns() - WHEEL_COLUMNS)
        click.echo(f"{WIPE}{wheel} {line}", nl=False, err=True)

    def wipe(self) -> None:
        if self._moves:
            click.echo(WIPE, nl=False, err=True)


# The line of a work that tells its own progress.
_own_line: Final = ContextVar[_StatusLine | None]("own_line", default=None)


class _ReadLine:
    """Shows one read of a log after the other; nothing before one has taken a second."""

    def __init__(self) -> None:
        self._line: _StatusLine | None = None
        self._began, self._first, self._at = 0.0, 0, 0
        self._is_slow = False  # one read was shown: those that follow are shown at once

    def reading(self, done: int, of: int) -> None:
        own = _own_line.get()
        if not of or own:
            self._wipe()
        if not of:
            return
        if done <= self._at or not self._at:  # it begins, or another read does
            self._began, self._first = time.monotonic(), done
        self._at = done
        seconds = time.monotonic() - self._began
        told = so_far(done, of, seconds, "entries", before=self._first)
        if own:
            own.tell_read(told)
        elif self._is_slow or seconds >= ESTIMATE_SECONDS:
            self._is_slow = True
            self._line = self._line or _StatusLine("Reading…")
            self._line.tell(told)

    def _wipe(self) -> None:
        if self._line:
            self._line.wipe()
            self._line = None


@contextmanager
def progress(
    what: str, unit: str = "entries", total: Callable[[], int] = lambda: 0
) -> Iterator[Progress]:
    """A counter over several logs: each begins at one again, the sum goes on."""
    with stages(what, unit) as shown:
        yield over_logs(shown, "", total() if is_terminal(sys.stderr) else 0)


@contextmanager
def stages(what: str, unit: str = "") -> Iterator[Stages]:
    """Several works one after the other; how long is left is said of the one that is done now."""
    if not is_terminal(sys.stderr):
        yield unwatched
        return
    with watched(what) as tell:
        now, began, before = "", time.monotonic(), 0

        def shown(stage: str, done: int, of: int) -> None:
            nonlocal now, began, before
            if stage != now:
                now, began, before = stage, time.monotonic(), done
            seconds = time.monotonic() - began
            tell(f"{stage} {so_far(done, of, seconds, unit, before=before)}".strip())

        yield shown


def so_far(done: int, of: int, seconds: float, unit: str, *, before: int = 0) -> str:
    """How far it is: `1,200 of 50,000 lines, about 20 s left`; `before` was done earlier."""
    if not of or done > of:
        return f"{done:,} {unit}".rstrip() if done else ""
    told = f"{done:,} of {of:,} {unit}".rstrip()
    if done <= before or seconds < ESTIMATE_SECONDS:
        return told
    left = round(seconds * (of - done) / (done - before))
    return f"{told}, about {f'{left} s' if left < MINUTE else f'{left // MINUTE + 1} min'} left"


def entries_of(memory: Memory) -> int:
    """How many entries all logs hold; what cannot be read is found by the work itself."""
    try:
        return sum(memory.head(stream) for stream in memory.streams())
    except MunimentError:
        return 0

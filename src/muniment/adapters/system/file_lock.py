"""File locks: they hold between processes; a system without them keeps nobody apart."""

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Final

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

AT_HAND: Final = fcntl is not None


def take(descriptor: int, *, wait: bool = True) -> None:
    """Until it is let go or closed; without waiting, BlockingIOError where another has it."""
    fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def let_go(descriptor: int) -> None:
    fcntl.flock(descriptor, fcntl.LOCK_UN)


@contextlib.contextmanager
def alone(opened: Callable[[], int], *, wait: bool = True) -> Iterator[None]:
    """For as long as the block lasts.

    With a descriptor for each time, so that threads and forked children exclude each other too.
    """
    if not AT_HAND:
        yield
        return
    descriptor = opened()
    try:
        take(descriptor, wait=wait)
        yield
    finally:
        os.close(descriptor)

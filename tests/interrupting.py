"""Ctrl-C at a step that a test names: what a signal's handler raises, where Python hears it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from types import FrameType, ModuleType

HEARD = {"call", "c_return", "return"}  # where Python hears a signal, or may
PATIENCE_S = 30


class Stopped(BaseException):
    """What a signal's handler raises."""


@contextmanager
def interrupted_at(step: int, *modules: ModuleType) -> Iterator[list[str]]:
    """Raise at one step of the code that takes something and gives it back, as a handler would."""
    watched = {module.__file__ for module in modules}
    steps: list[str] = []

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event not in HEARD or not _is_seen(frame, event):
            return
        # What is raised while an object goes away, Python itself passes over.
        if not any(each.f_code.co_name == "__del__" for each in callers(frame)):
            steps.append(f"{frame.f_code.co_qualname}:{frame.f_lineno} {event}")
            if len(steps) == step:
                raise Stopped

    def _is_seen(frame: FrameType, event: str) -> bool:
        """In that code, or just as what it called has come to its end."""
        if frame.f_code.co_filename in watched:
            return True
        caller = frame.f_back
        return event == "return" and caller is not None and caller.f_code.co_filename in watched

    sys.setprofile(watch)
    try:
        yield steps
    finally:
        sys.setprofile(None)


def callers(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def ends(work: Callable[[], object]) -> bool:
    """Whether it comes to an end at all."""
    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    return not thread.is_alive()


def at_every_step(
    modules: tuple[ModuleType, ...], work: Callable[[int], object], after: Callable[[str], None]
) -> int:
    """Cut the work off at one step after another until none is left; how many there were."""
    step = 0
    while True:
        step += 1
        with interrupted_at(step, *modules) as steps:
            try:
                work(step)
            except Stopped:
                pass
            else:
                return step
        after(steps[-1])

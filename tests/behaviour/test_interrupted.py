"""Ctrl-C between any two steps: whoever was interrupted goes on, and nobody else waits for it."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import FrameType

import pytest

import muniment
from muniment.adapters.sqlite import files, store, turns

WATCHED = {module.__file__ for module in (files, store, turns)}
HEARD = {"call", "c_return", "return"}  # where Python hears a signal, or may
PATIENCE_S = 30


class Stopped(BaseException):
    """What a signal's handler raises."""


@contextmanager
def interrupted_at(step: int) -> Iterator[list[str]]:
    """Raise at one step of the code that takes a file and a turn at it, as a handler would."""
    steps: list[str] = []

    def watch(frame: FrameType, event: str, told: object) -> None:
        if event not in HEARD or frame.f_code.co_filename not in WATCHED:
            return
        # What is raised while an object goes away, Python itself passes over.
        if not any(each.f_code.co_name == "__del__" for each in callers(frame)):
            steps.append(f"{frame.f_code.co_qualname}:{frame.f_lineno} {event} {told}")
            if len(steps) == step:
                raise Stopped

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


def test_whoever_is_interrupted_at_any_step_of_a_write_keeps_nobody_waiting(tmp_path: Path) -> None:
    def beside() -> None:
        with muniment.open(tmp_path) as other:
            other.agent("ada", user="tuff").remember("somebody else writes")

    beside()
    memory = muniment.open(tmp_path)
    ada = memory.agent("ada", user="tuff")
    ada.remember("the first one opens the file")
    step, total = 0, 1
    while step < total:
        step += 1
        with interrupted_at(step) as steps:
            try:
                ada.remember(f"cut off at {step}")
                total = step  # nothing was left to be interrupted
            except Stopped:
                total = step + 1
        assert ends(beside), f"somebody else waits: {steps[-1]}"
        ada.remember(f"went on after {step}")  # in the thread that was cut off
    assert step > len(WATCHED)
    memory.close()

    with muniment.open(tmp_path) as again:
        (proof,) = again.prove()
        told = [hit.text for hit in again.agent("ada", user="tuff").recall("went on").hits]
    assert proof.undecided == 0
    assert any(text.startswith("went on after") for text in told)


@pytest.mark.parametrize("step", range(1, 13))
def test_a_memory_closes_for_whoever_was_interrupted_while_it_was_opened(
    tmp_path: Path, step: int
) -> None:
    with muniment.open(tmp_path) as before:
        before.agent("ada", user="tuff").remember("there is a log")
    memory = muniment.open(tmp_path)
    with interrupted_at(step), pytest.raises(Stopped):
        memory.agent("ada", user="tuff").remember("cut off")
    memory.close()  # would wait for its own lock for ever
    with muniment.open(tmp_path) as again:
        again.agent("ada", user="tuff").remember("goes on")
        assert again.prove()

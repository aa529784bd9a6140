"""Executors: work over many streams in this process, in a process pool, or on Ray.

The work is one function over plain values, so every engine gives the same answers in the same
order. A worker that dies takes nothing along: what it had begun is done again by another.
"""

import multiprocessing
import multiprocessing.process
import os
import pickle
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from threading import Thread
from typing import Any, Final, Protocol, TypeVar

from muniment.adapters.system import optional_packages
from muniment.engine.audit.stage_progress import Stages
from muniment.model.errors import InputError, StoreError

Task = TypeVar("Task")
Done = TypeVar("Done")

ENDED_WITHIN: Final = 30.0  # seconds, for a process that was told to end
DEATHS_MAX: Final = 2  # of one task: what kills every worker that touches it is no accident


class Executor(Protocol):
    """The port: a function over many values, the answers in their order."""

    def map(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> Iterator[Done]: ...


class InProcess:
    """One after the other, right here."""

    def map(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> Iterator[Done]:
        return (work(task) for task in tasks)


class WatchedExecutor:
    """Another one, and somebody who sees how many of its tasks are done."""

    def __init__(self, executor: Executor, progress: Stages) -> None:
        self._executor, self._progress = executor, progress

    def map(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> Iterator[Done]:
        for number, done in enumerate(self._executor.map(work, tasks), start=1):
            self._progress("", number, len(tasks))
            yield done


class ProcessPool:
    """So many processes on this machine, begun afresh: none inherits a connection or a lock."""

    def __init__(self, workers: int) -> None:
        if workers < 1:
            raise InputError("there must be at least one worker")
        self._workers = workers

    def map(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> Iterator[Done]:
        _check_sendable(work, tasks)
        done = 0
        deaths = 0
        while done < len(tasks):
            try:
                for answer in self._once(work, tasks[done:]):
                    yield answer
                    done, deaths = done + 1, 0
            except BrokenProcessPool as error:
                deaths += 1
                if deaths > DEATHS_MAX:
                    raise StoreError("every worker that tried this died") from error

    def _once(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> Iterator[Done]:
        spawn = multiprocessing.get_context("spawn")
        others = set(multiprocessing.active_children())
        with ProcessPoolExecutor(self._workers, mp_context=spawn, initializer=_begin) as pool:
            try:
                yield from pool.map(work, tasks)
            except BaseException as error:
                if isinstance(error, Exception):
                    raise
                # Nobody waits for what was begun: it is begun again by who asks again.
                pool.shutdown(wait=False, cancel_futures=True)
                for worker in set(multiprocessing.active_children()) - others:
                    worker.kill()
                raise


def _begin() -> None:
    """In a worker: it ends with whoever began it, however that ends, and by nobody else's word."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()


def _end_with(parent: multiprocessing.process.BaseProcess | None) -> None:
    if parent is not None:
        parent.join()
        os._exit(1)


def _check_sendable(work: Callable[[Task], Done], tasks: Sequence[Task]) -> None:
    """Before the first process begins; deep inside a pool the error would name nobody's value."""
    try:
        pickle.dumps((work, tasks))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InputError(f"this cannot be sent to other processes: {error}") from error


class RayCluster:
    """The workers of a Ray cluster: the one at an address, or a small one of our own."""

    def __init__(self, workers: int = 2, *, address: str = "") -> None:
        optional_packages.expect("ray")
        self._workers = workers
        self._address = address

    def map(self, work: Callable[[Task], Done], tasks: Sequence[Task]) -> Iterator[Done]:
        import ray

        ours = not ray.is_initialized()
        if ours:
            ray.init(**self._cluster())
        try:
            # A worker that was killed is replaced, and its task begun again.
            remote: Any = ray.remote(max_retries=DEATHS_MAX)(_plain(work))
            pending = [remote.remote(task) for task in tasks]
            for each in pending:
                yield ray.get(each)
        finally:
            if ours:
                _end(ray)

    def _cluster(self) -> dict[str, Any]:
        quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "error"}
        if self._address:
            return {"address": self._address, **quiet}
        return {"num_cpus": self._workers, "object_store_memory": 80 * 1024 * 1024, **quiet}


def _end(ray: Any) -> None:  # noqa: ANN401  # a module that has no types
    """Ray ends the processes that it began and waits a second: on a slow machine one is left."""
    node = getattr(ray._private.worker, "_global_node", None)  # noqa: SLF001  # nothing else knows them
    begun = [process for _, process in node.live_processes()] if node is not None else []
    ray.shutdown()
    for process in begun:
        with suppress(subprocess.TimeoutExpired):
            process.wait(ENDED_WITHIN)


def _plain(work: Callable[[Task], Done]) -> Callable[[Task], Done]:
    """Ray takes functions only, and work may be any callable value."""

    def done(task: Task) -> Done:
        return work(task)

    return done


def executor(workers: int, *, ray: bool = False) -> Executor:
    """The engine for so many workers; one worker needs none."""
    if ray:
        return RayCluster(workers)
    return ProcessPool(workers) if workers > 1 else InProcess()

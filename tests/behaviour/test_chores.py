"""Work over all streams: the same answers from one process, from many, and from a cluster."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.terminal import Shell

import muniment
from muniment.adapters import chores
from muniment.adapters.chores import Chore, Result
from muniment.adapters.config import Settings
from muniment.adapters.executors import Executor, InProcess, ProcessPool, RayCluster
from muniment.model.errors import InputError, StoreError

AGENTS = ("ada", "bob", "cleo", "dan")


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("lived") / "memory"
    with muniment.open(folder) as memory:
        for name in AGENTS:
            agent = memory.agent(name, user="tuff")
            agent.remember_many([f"{name} said sentence {n} about tea" for n in range(20)])
    return str(folder)


def done_by(address: str, verb: str, engine: Executor) -> list[Result]:
    return list(chores.work(address, verb, Settings(), engine))


class Dying:
    """The work, but the first to reach one stream is killed in the middle of it."""

    def __init__(self, mark: Path, stream: str) -> None:
        self.mark, self.stream = mark, stream

    def __call__(self, chore: Chore) -> Result:
        if chore.stream == self.stream:
            try:
                self.mark.touch(exist_ok=False)
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return chores.do(chore)


def killed_once(address: str, engine: Executor, mark: Path) -> list[Result]:
    tasks = chores.chores(address, "prove", Settings())
    return list(engine.map(Dying(mark, tasks[1].stream), tasks))


def test_a_killed_worker_of_a_pool_is_replaced(lived: str, tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    told = killed_once(lived, ProcessPool(2), mark)
    assert mark.exists()
    assert [its.stream for its in told] == [f"main/agent/{name}/actor" for name in AGENTS]
    assert told == done_by(lived, "prove", InProcess())


def test_a_killed_worker_of_a_ray_cluster_is_replaced(lived: str, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray IS NOT TESTED: it is not installed")
    mark = tmp_path / "killed"
    told = killed_once(lived, RayCluster(2), mark)
    assert mark.exists()
    assert told == done_by(lived, "prove", InProcess())


def kill_always(task: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return task


def test_what_kills_every_worker_ends_in_an_error() -> None:
    with pytest.raises(StoreError, match="died"):
        list(ProcessPool(1).map(kill_always, [1]))


def test_dreams_of_all_agents_are_done_by_many(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "m") as memory:
        for name in AGENTS[:2]:
            memory.agent(name, user="tuff").remember(f"{name} drinks tea")
    told = done_by(str(tmp_path / "m"), "dream", ProcessPool(2))
    assert [its.stream for its in told] == ["main/agent/ada/actor", "main/agent/bob/actor"]


def test_the_terminal_rebuilds_with_workers(lived: str) -> None:
    shell = Shell("--store", lived)
    assert shell.document("rebuild", "--workers", "2") == shell.document("rebuild")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: chores.chores("x", "unheard", Settings()),
        lambda: chores.chores(":memory:", "prove", Settings()),
        lambda: ProcessPool(0),
    ],
)
def test_what_cannot_be_done_is_said(wrong: Callable[[], object]) -> None:
    with pytest.raises(InputError):
        wrong()

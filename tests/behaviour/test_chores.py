"""Work over all streams: the same answers from one process, from many, and from a cluster."""

import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from tests.terminal import Shell

import muniment
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.operations import bulk_jobs
from muniment.adapters.operations.bulk_jobs import BulkOptions, Chore, Result
from muniment.adapters.operations.executors import Executor, InProcess, ProcessPool, RayCluster
from muniment.engine.streams.ports import Neighbours
from muniment.model.errors import InputError, StoreError
from muniment.retrieval.context.weight_feedback import Proposal

AGENTS = ("ada", "bob", "cleo", "dan")
RECENT = BulkOptions(user="tuff", coefficients={"similarity_ppm": 0, "recency_ppm": 1_000_000})


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("lived") / "memory"
    with muniment.open(folder) as memory:
        for name in AGENTS:
            agent = memory.agent(name, user="tuff")
            agent.remember_many([f"{name} said sentence {n} about tea" for n in range(20)])
            with agent.job("a turn") as job:
                told = job.assemble_context("what was said about tea?", 60)
                job.used([told.pieces[-1].id], context=told)
                job.outcome("success")
    return str(folder)


def done_by(address: str, verb: str, engine: Executor) -> list[Result]:
    return list(bulk_jobs.work(address, verb, Settings(), engine))


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
        return bulk_jobs.do(chore)


def killed_once(tasks: list[Chore], engine: Executor, mark: Path) -> list[Result]:
    told = list(engine.map(Dying(mark, tasks[1].stream), tasks))
    assert mark.exists()
    return told


def test_a_killed_worker_of_a_pool_is_replaced(lived: str, tmp_path: Path) -> None:
    tasks = bulk_jobs.chores(lived, "prove", Settings())
    told = killed_once(tasks, ProcessPool(2), tmp_path / "killed")
    assert [its.stream for its in told] == [f"main/agent/{name}/actor" for name in AGENTS]
    assert told == done_by(lived, "prove", InProcess())


def test_a_killed_worker_of_a_ray_cluster_is_replaced(lived: str, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray IS NOT TESTED: it is not installed")
    weighed = bulk_jobs.chores(lived, "what-if", Settings(), RECENT)
    proved = bulk_jobs.chores(lived, "prove", Settings())
    told = killed_once([*weighed, *proved], RayCluster(2), tmp_path / "killed")
    assert told == [bulk_jobs.do(each) for each in (*weighed, *proved)]


def test_past_contexts_of_all_agents_are_weighed_by_many(lived: str) -> None:
    told = list(bulk_jobs.work(lived, "what-if", Settings(), ProcessPool(2), RECENT))
    assert [its.stream for its in told] == [f"main/agent/{name}/actor" for name in AGENTS]
    with muniment.open(lived) as memory:
        for name, its in zip(AGENTS, told, strict=True):
            alone = memory.agent(name, user="tuff").what_if(RECENT.coefficients)
            assert msgspec.json.decode(its.told, type=Proposal) == alone
            assert alone.quality_before.turns == 1
            assert alone.after.recency_ppm == 1_000_000


def test_the_terminal_weighs_all_agents(lived: str) -> None:
    shell = Shell("--store", lived, "--user", "tuff")
    words = ("what-if", "--recency", "1", "--similarity", "0", "--all")
    told = shell.document(*words, "--workers", "2")
    assert told == shell.document(*words)
    assert sorted(told["agents"]) == [f"main/agent/{name}/actor" for name in AGENTS]  # type: ignore[call-overload]
    assert "main/agent/cleo/actor" in shell(*words).stdout


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


class Counting:
    """An embedder of the caller's own, whose every word is kept."""

    name, dims, pure = "counting-1", 8, False

    def embed(self, text: str) -> bytes:
        return bytes([len(word) % 100 + 1 for word in (text.split() + [""] * 8)[:8]])


@pytest.mark.parametrize("engine", [InProcess(), ProcessPool(1)], ids=["here", "pool"])
def test_a_worker_opens_the_memory_as_its_caller_does(tmp_path: Path, engine: Executor) -> None:
    address = str(tmp_path / "m")
    settings = Settings(neighbours=Neighbours(embedders=(Counting(),)), open_tables=True)
    with open_memory(address, settings) as memory:
        ada = memory.agent("ada", user="tuff")
        memory.indexing().switch("ada", Counting.name)
        ada.remember("ada drinks tea")
        with ada.job("a turn") as job:
            told = job.assemble_context("what was said about tea?", 60)
            job.used([told.pieces[-1].id], context=told)
            job.outcome("success")

    (weighed,) = bulk_jobs.work(address, "what-if", settings, engine, RECENT)
    list(bulk_jobs.work(address, "rebuild", settings, engine))

    assert msgspec.json.decode(weighed.told, type=Proposal).evidence.succeeded == 1
    (path,) = (tmp_path / "m" / "streams").glob("*.db")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as link:
        rows = link.execute("SELECT summary FROM episodic_stage1").fetchall()
    assert ("ada drinks tea",) in rows


def test_what_cannot_be_sent_to_other_processes_is_said(lived: str) -> None:
    class Local(Counting):
        pass

    settings = Settings(neighbours=Neighbours(embedders=(Local(),)))
    with pytest.raises(InputError, match="other processes"):
        list(bulk_jobs.work(lived, "prove", settings, ProcessPool(2)))


def test_the_terminal_rebuilds_with_workers(lived: str) -> None:
    shell = Shell("--store", lived)
    assert shell.document("rebuild", "--workers", "2") == shell.document("rebuild")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: bulk_jobs.chores("x", "unheard", Settings()),
        lambda: bulk_jobs.chores(":memory:", "prove", Settings()),
        lambda: ProcessPool(0),
    ],
)
def test_what_cannot_be_done_is_said(wrong: Callable[[], object]) -> None:
    with pytest.raises(InputError):
        wrong()

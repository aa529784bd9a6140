"""Ctrl-C between any two steps: whoever was interrupted goes on, and nobody else waits for it."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.interrupting import Stopped, at_every_step, ends, interrupted_at
from tests.postgres import fresh_schema

import muniment
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.storage import memory_store
from muniment.adapters.storage.sqlite import connection_pool, store, stream_locks
from muniment.adapters.system import keyed_locks
from muniment.engine.api.memory import Memory

if TYPE_CHECKING:
    from muniment.adapters.storage.postgres.dev_server import PostgresServer

FILES = (connection_pool, keyed_locks, store, stream_locks)


def proves(memory: Memory) -> None:
    (proof,) = memory.prove()
    told = [hit.text for hit in memory.agent("ada", user="tuff").recall("went on").hits]
    assert proof.undecided == 0
    assert any(text.startswith("went on after") for text in told)


def test_whoever_is_interrupted_at_any_step_of_a_write_keeps_nobody_waiting(tmp_path: Path) -> None:
    def beside() -> None:
        with muniment.open(tmp_path) as other:
            other.agent("ada", user="tuff").remember("somebody else writes")

    def goes_on(step: str) -> None:
        assert ends(beside), f"somebody else waits: {step}"
        ada.remember(f"went on after {step}")  # in the thread that was cut off

    beside()
    memory = muniment.open(tmp_path)
    ada = memory.agent("ada", user="tuff")
    ada.remember("the first one opens the file")
    steps = at_every_step(FILES, lambda step: ada.remember(f"cut off at {step}"), goes_on)
    assert steps > len(FILES)
    memory.close()

    with muniment.open(tmp_path) as again:
        proves(again)


def test_a_memory_that_lies_nowhere_keeps_nobody_waiting_either() -> None:
    memory = muniment.open(":memory:")
    ada = memory.agent("ada", user="tuff")

    def goes_on(step: str) -> None:
        assert ends(lambda: ada.remember("somebody else writes")), f"somebody else waits: {step}"
        ada.remember(f"went on after {step}")

    at_every_step(
        (memory_store, keyed_locks), lambda step: ada.remember(f"cut off at {step}"), goes_on
    )
    proves(memory)


# A line that is cut off as it is handed over belongs to nobody: Python closes it, and warns.
@pytest.mark.filterwarnings("ignore:.*was deleted while still open:ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("crowd", [False, True])
def test_whoever_is_interrupted_at_a_server_keeps_nobody_waiting(
    tmp_path: Path, postgres: "PostgresServer", *, crowd: bool
) -> None:
    """Neither a thread beside it nor, where writers have met, another process at the server."""
    from muniment.adapters.storage.postgres import connection_pool, stream_locks  # noqa: PLC0415
    from muniment.adapters.storage.postgres import store as server  # noqa: PLC0415

    settings = Settings(schema=fresh_schema(), keys=str(tmp_path))
    memory, other = (open_memory(postgres.dsn, settings) for _ in range(2))
    ada, elsewhere = (each.agent("ada", user="tuff") for each in (memory, other))
    ada.remember("the first one makes the log")

    def goes_on(step: str) -> None:
        assert ends(lambda: ada.remember("a thread beside it writes")), step
        assert ends(lambda: elsewhere.remember("somebody else writes")), step
        ada.remember(f"went on after {step}")  # in the thread that was cut off

    def write(step: int) -> None:
        if crowd:  # the other store writes between two writes of ours: both have met somebody
            elsewhere.remember(f"came before {step}")
        ada.remember(f"cut off at {step}")

    at_every_step((connection_pool, server, keyed_locks, stream_locks), write, goes_on)
    memory.close()
    other.close()
    with open_memory(postgres.dsn, settings) as again:
        proves(again)


@pytest.mark.parametrize("step", range(1, 13))
def test_a_memory_closes_for_whoever_was_interrupted_while_it_was_opened(
    tmp_path: Path, step: int
) -> None:
    with muniment.open(tmp_path) as before:
        before.agent("ada", user="tuff").remember("there is a log")
    memory = muniment.open(tmp_path)
    with interrupted_at(step, *FILES), pytest.raises(Stopped):
        memory.agent("ada", user="tuff").remember("cut off")
    memory.close()  # would wait for its own lock for ever
    with muniment.open(tmp_path) as again:
        again.agent("ada", user="tuff").remember("goes on")
        assert again.prove()

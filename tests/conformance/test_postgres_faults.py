"""Races, kills and crashes on a real server: what was acknowledged is there, and there once."""

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from threading import Event, Thread

import psycopg
import pytest
from tests.conformance.cuts import CuttingProxy
from tests.conformance.streams import ALICE, START, STREAM, batch, run_all
from tests.postgres import fresh_schema, private_server
from tests.soaking import times

from muniment.adapters.storage.postgres import connection
from muniment.adapters.storage.postgres.connection import Reach
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.adapters.storage.postgres.store import PostgresStore
from muniment.log.keyring import SeededEntropy
from muniment.log.store import Store
from muniment.model.errors import HeadMovedError, KeyReusedError, OutcomeUnknownError, StoreError

APPENDS_EACH = 100
BACKEND_KILLS = times(15, soak=180)
SERVER_CRASHES = times(5, soak=20)  # together: 20 crash cycles, or 200
CUTS = times(300, soak=5_000)
PATIENCE_SECONDS = 30  # for a server that is recovering
# Counted, not timed: a machine that stood still for a while must not look like a server that did.
ATTEMPTS_MAX = 3_000

BACKENDS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'muniment'"


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """One that nobody else uses, for it will not end well; and a small one recovers quickly."""
    yield from private_server()


@pytest.fixture
def store(server: PostgresServer) -> Iterator[PostgresStore]:
    store = PostgresStore(server.dsn, schema=fresh_schema())
    yield store
    store.close()


def write_once(store: Store, key: str, *, subject: str = ALICE) -> None:
    """As a careful client does: settle by key, append where the stream ends, until it is there."""
    for _ in range(ATTEMPTS_MAX):
        try:
            if store.find(STREAM, key) is not None:
                return
            head = store.head(STREAM) or START
            its = batch(head.seq + 1, operation=key, subject=subject)
            store.append(STREAM, its, expect=head)
        except (HeadMovedError, KeyReusedError):
            continue
        except StoreError:
            time.sleep(0.01)  # unknown or not written: the key will tell
        else:
            return
    raise AssertionError(f"the server did not come back for {ATTEMPTS_MAX} attempts")


def race(dsn: str, schema: str, name: str) -> None:
    store = PostgresStore(dsn, schema=schema)
    for number in range(APPENDS_EACH):
        write_once(store, f"{name}-{number}")
    store.close()


def keys_of(store: Store) -> list[str]:
    entries = list(store.read(STREAM))
    assert [its.seq for its in entries] == list(range(1, len(entries) + 1))
    return [its.operation for its in entries]


class Writing:
    """A thread that writes key after key and remembers what was acknowledged."""

    def __init__(self, store: Store) -> None:
        self.acknowledged: list[str] = []
        self._store = store
        self._stop = Event()
        self._failure: list[BaseException] = []
        self._thread = Thread(target=self._run)

    def __enter__(self) -> "Writing":
        self._thread.start()
        return self

    def __exit__(self, *told: object) -> None:
        self._stop.set()
        self._thread.join()
        if self._failure:
            raise self._failure[0]

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def wait_for_more(self) -> None:
        seen = len(self.acknowledged)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(self.acknowledged) <= seen + 2 and self._thread.is_alive():
            assert time.monotonic() < deadline, "nothing was written any more"
            time.sleep(0.002)

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                key = f"key-{len(self.acknowledged)}"
                write_once(self._store, key)
                self.acknowledged.append(key)
        except BaseException as error:
            self._failure.append(error)


def test_two_processes_on_one_stream_leave_no_gap_and_no_double(
    server: PostgresServer, store: PostgresStore
) -> None:
    spawn = multiprocessing.get_context("spawn")
    racers = [
        spawn.Process(target=race, args=(server.dsn, store.schema, name)) for name in ("one", "two")
    ]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert [racer.exitcode for racer in racers] == [0, 0]
    wanted = {f"{name}-{number}" for name in ("one", "two") for number in range(APPENDS_EACH)}
    keys = keys_of(store)
    assert len(keys) == len(wanted)
    assert set(keys) == wanted


def test_a_killed_backend_loses_nothing_and_doubles_nothing(
    server: PostgresServer, store: PostgresStore
) -> None:
    kills = 0
    with Writing(store) as writing:
        while kills < BACKEND_KILLS:
            writing.wait_for_more()
            time.sleep(kills % 10 / 1000)  # at another moment of a write each time
            kills += kill_a_backend(server)
        writing.wait_for_more()
    assert keys_of(store) == writing.acknowledged


def kill_a_backend(server: PostgresServer) -> bool:
    """kill -9, as the kernel does when memory runs out; the server then restarts everything."""
    with suppress(psycopg.Error):
        with psycopg.connect(server.dsn) as link:
            found = link.execute(BACKENDS).fetchall()
        for (pid,) in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                return True
    return False


def test_a_server_that_stops_dead_loses_nothing_and_doubles_nothing(
    server: PostgresServer, store: PostgresStore
) -> None:
    with Writing(store) as writing:
        for _ in range(SERVER_CRASHES):
            writing.wait_for_more()
            server.crash()
            server.start()
        writing.wait_for_more()
    assert keys_of(store) == writing.acknowledged


def test_hundreds_of_cut_lines_lose_nothing_and_double_nothing(
    server: PostgresServer, store: PostgresStore
) -> None:
    """Wherever a connection breaks, the key settles what became of the write it carried."""
    draw = SeededEntropy(b"cuts")

    def budget() -> int:
        return 500 + int.from_bytes(draw(2), "big") % 9_000

    with CuttingProxy(f"{server.folder}/.s.PGSQL.5432", budget) as line:
        dsn = f"postgresql://muniment@127.0.0.1:{line.port}/postgres?sslmode=disable"
        through = PostgresStore(server.dsn, schema=store.schema)  # the first call must get through
        through._links._reach = Reach(dsn=dsn, schema=store.schema)
        through._links.drop_idle()
        deadline = time.monotonic() + CUTS
        with Writing(through) as writing:
            while line.cuts < CUTS and time.monotonic() < deadline and writing.is_alive:
                time.sleep(0.01)
            line.cutting = False
        through.close()
    assert line.cuts >= CUTS
    assert keys_of(store) == writing.acknowledged
    assert len(writing.acknowledged) > CUTS // 10, "hardly anything was written: nothing was tested"


@pytest.fixture
def muted(
    server: PostgresServer, store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[CuttingProxy, PostgresStore]]:
    """A store behind a line that may fall silent, and which is not waited for so long."""
    monkeypatch.setattr(connection, "GRACE_SECONDS", 1)
    with CuttingProxy(f"{server.folder}/.s.PGSQL.5432", lambda: 1) as line:
        line.cutting = False
        dsn = f"postgresql://muniment@127.0.0.1:{line.port}/postgres?sslmode=disable"
        reach = Reach(dsn=dsn, schema=store.schema, statement_timeout_ms=1_000)
        through = PostgresStore(dsn, reach=reach)
        yield line, through
        through.close()


def test_a_write_on_a_line_that_fell_silent_ends_and_its_key_tells_what_became_of_it(
    muted: tuple[CuttingProxy, PostgresStore],
) -> None:
    line, store = muted
    line.mute_after = b"append_entries"

    with pytest.raises(OutcomeUnknownError, match="the server has not answered for 2 seconds"):
        store.append(STREAM, batch(1, operation="key"), expect=START)

    write_once(store, "key")
    assert keys_of(store) == ["key"]


def test_a_question_on_a_line_that_fell_silent_is_asked_again_on_another(
    muted: tuple[CuttingProxy, PostgresStore],
) -> None:
    line, store = muted
    write_once(store, "key")
    line.mute_after = b"read_entries"

    assert keys_of(store) == ["key"]
    assert not line.mute_after


def test_many_threads_without_turns_still_write_each_key_once(
    store: PostgresStore,
) -> None:
    writers = 4

    def write(name: int) -> None:
        for number in range(20):
            write_once(store, f"{name}-{number}")

    run_all([lambda name=name: write(name) for name in range(writers)])  # type: ignore[misc]
    assert sorted(keys_of(store)) == sorted(f"{a}-{b}" for a in range(writers) for b in range(20))

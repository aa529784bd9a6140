"""More than one copy: a replica that takes over, and a backup that goes back to a moment."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import psycopg
import pytest
from tests.conformance.streams import STREAM, everything, grow
from tests.conformance.test_postgres_faults import Writing, keys_of

from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.adapters.storage.postgres.store import PostgresStore

SMALL = {"shared_buffers": "16MB", "max_wal_size": "64MB"}
PATIENCE_SECONDS = 60


@pytest.fixture
def pair(postgres: PostgresServer) -> Iterator[tuple[PostgresServer, PostgresServer]]:
    """A server and its replica; a commit is acknowledged when both have it."""
    del postgres  # where there is none, this is skipped with the same words
    primary, replica = PostgresServer(settings=SMALL), PostgresServer(settings=SMALL)
    primary.start()
    replica.copy_of(primary)
    replica.start()
    with psycopg.connect(primary.dsn, autocommit=True) as link:
        link.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        link.execute("SELECT pg_reload_conf()")
        wait_for(link, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
    yield primary, replica
    for server in (primary, replica):
        server.crash()
        server.remove()


def wait_for(link: psycopg.Connection[tuple[object, ...]], query: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        with suppress(psycopg.errors.UndefinedTable):  # a replica hears of tables later, too
            found = link.execute(query.encode()).fetchone()
            if found and found[0]:
                return
        time.sleep(0.05)
    raise AssertionError(query)


def test_a_promoted_replica_has_everything_that_was_acknowledged(
    pair: tuple[PostgresServer, PostgresServer],
) -> None:
    """One address names both: whoever can be written to is found, before and after."""
    primary, replica = pair
    both = primary.dsn.replace("host=", f"host={replica.folder},")
    with closing(PostgresStore(f"{both}&target_session_attrs=read-write")) as store:
        with Writing(store) as writing:
            for _ in range(3):
                writing.wait_for_more()
            primary.crash()
            with psycopg.connect(replica.dsn, autocommit=True) as link:
                link.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
                link.execute("SELECT pg_promote()")
            writing.wait_for_more()
        assert keys_of(store) == writing.acknowledged
        assert len(writing.acknowledged) > 6


def test_a_replica_answers_and_takes_no_write(pair: tuple[PostgresServer, PostgresServer]) -> None:
    primary, replica = pair
    with (
        closing(PostgresStore(primary.dsn)) as store,
        psycopg.connect(replica.dsn, autocommit=True) as link,
    ):
        head = grow(store, 3)
        wait_for(link, "SELECT count(*) = 1 FROM muniment.head WHERE seq = 3")
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction):
            link.execute("DELETE FROM muniment.shelf_row")
    with closing(PostgresStore(replica.dsn)) as reader:
        assert reader.head(STREAM) == head
        assert len(list(reader.read(STREAM))) == 3


@pytest.fixture
def archive(postgres: PostgresServer) -> Iterator[Path]:
    """A folder that the server may write to, whoever it runs as."""
    folder = Path(tempfile.mkdtemp(prefix="muniment-archive-"))
    shutil.chown(folder, postgres.folder.owner(), postgres.folder.group())
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def test_a_backup_goes_back_to_a_named_moment(archive: Path) -> None:
    """A base backup and the archived log: what was written by then, and nothing after it."""
    extra = {"archive_mode": "on", "archive_command": f"cp %p {archive}/%f", **SMALL}
    server, restored = PostgresServer(settings=extra), PostgresServer(settings=SMALL)
    try:
        server.start()
        wanted = lived_twice(server, restored)
        server.stop()
        restored.recover_to("before the mistake", archive)
        restored.start()
        with psycopg.connect(restored.dsn, autocommit=True) as link:
            wait_for(link, "SELECT NOT pg_is_in_recovery()")
        with closing(PostgresStore(restored.dsn)) as back:
            assert everything(back) == wanted
            assert grow(back).seq == 6
    finally:
        for each in (server, restored):
            each.crash()
            each.remove()


def lived_twice(server: PostgresServer, backup: PostgresServer) -> list[object]:
    """A backup, some life, a named moment, and more life; what there was at that moment."""
    with (
        closing(PostgresStore(server.dsn)) as store,
        psycopg.connect(server.dsn, autocommit=True) as link,
    ):
        grow(store, 2)
        backup.copy_of(server, follows=False)
        grow(store, 3)
        wanted = everything(store)
        link.execute("SELECT pg_create_restore_point('before the mistake')")
        grow(store, 1)
        link.execute("SELECT pg_switch_wal()")
        wait_for(link, "SELECT archived_count > 1 FROM pg_stat_archiver")
    return wanted

"""The store on PostgreSQL keeps the same promises, and some that only a server must keep."""

import os
import subprocess
import sys
import time
from threading import Event, Thread

import psycopg
import pytest
from psycopg import errors as sqlstates
from tests.conformance.store_contract import SharedStoreContract
from tests.conformance.streams import ALICE, STREAM, birth, death, everything, grow
from tests.postgres import NewStore, fresh_schema

from muniment.adapters.storage.postgres import errors, keepalive
from muniment.adapters.storage.postgres.connection import Reach
from muniment.adapters.storage.postgres.connection_pool import IDLE_MAX
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.adapters.storage.postgres.store import PostgresStore
from muniment.log.store import Derived, Find, Store
from muniment.model.errors import (
    InputError,
    IntegrityError,
    MunimentError,
    OutcomeUnknownError,
    StorageFullError,
    StoreError,
)


class TestPostgresStore(SharedStoreContract):
    @pytest.fixture
    def store(self, new_postgres_store: NewStore) -> Store:
        return new_postgres_store()


def test_what_one_postgres_store_wrote_another_reads(new_postgres_store: NewStore) -> None:
    schema = fresh_schema()
    first, second = new_postgres_store(schema), new_postgres_store(schema)
    grow(first, 3, birth(1), checkpoint=b"desk")
    assert everything(second) == everything(first)
    grow(second, 2)
    first.close()
    assert everything(new_postgres_store(schema)) == everything(second)


def test_schemas_of_one_database_never_see_each_other(new_postgres_store: NewStore) -> None:
    first, second = new_postgres_store(), new_postgres_store()
    grow(first, 3)
    assert second.streams() == []


def test_rows_that_have_ended_are_still_told_when_every_row_is_asked_for(
    new_postgres_store: NewStore,
) -> None:
    store = new_postgres_store()
    grow(store, 2, birth(1), birth(2, id_=b"other"), death(2, id_=b"i"))
    found = list(store.rows(STREAM, Find(shelf="facts", at=2, every=True)))
    assert [(row.born, row.died) for row in found] == [(2, None), (1, 2)]


DENIED = [
    "UPDATE entry SET header = ''",
    "UPDATE entry SET operation = 'x'",
    "DELETE FROM entry",
    "TRUNCATE entry",
    "UPDATE fragment SET data = NULL",
    "UPDATE fragment SET data = 'other'",
    "DELETE FROM fragment",
    "TRUNCATE fragment",
    "UPDATE head SET seq = 1",
    "DELETE FROM head",
    "TRUNCATE head",
    "UPDATE shelf_row SET died = NULL",
    "UPDATE shelf_row SET born = 7",
    "SET session_replication_role = 'replica'; DELETE FROM entry",
]


@pytest.mark.parametrize("statement", DENIED)
def test_the_tables_themselves_refuse_to_forget(
    postgres: PostgresServer, new_postgres_store: NewStore, statement: str
) -> None:
    schema = fresh_schema()
    store = new_postgres_store(schema)
    grow(store, 2, birth(1), birth(2), operation="")
    grow(store, 1, death(3, id_=b"i"))
    before = everything(store)
    options = f"-c search_path={schema}"
    with (
        psycopg.connect(postgres.dsn, options=options) as link,
        pytest.raises(psycopg.errors.RestrictViolation),
    ):
        link.execute(statement.encode())
    assert everything(store) == before


def test_a_part_can_be_emptied_only_by_shredding_it(
    postgres: PostgresServer, new_postgres_store: NewStore
) -> None:
    schema = fresh_schema()
    store = new_postgres_store(schema)
    grow(store, 2)
    assert store.shred(STREAM, ALICE) == 2
    with psycopg.connect(postgres.dsn, options=f"-c search_path={schema}") as link:
        held = link.execute("SELECT count(*) FROM fragment WHERE data IS NOT NULL").fetchone()
        assert held == (0,)
        with pytest.raises(psycopg.errors.RestrictViolation):
            link.execute("UPDATE fragment SET data = 'back'")


def test_a_server_that_may_lose_what_it_acknowledged_is_refused(postgres: PostgresServer) -> None:
    with psycopg.connect(postgres.dsn, autocommit=True) as link:
        set_fsync(link, "off")
        try:
            with pytest.raises(StoreError, match="fsync"):
                PostgresStore(postgres.dsn, schema=fresh_schema())
        finally:
            set_fsync(link, "on")


def set_fsync(link: psycopg.Connection[tuple[str]], wanted: str) -> None:
    """The server reads its settings anew in its own time, so we wait until it has."""
    link.execute(f"ALTER SYSTEM SET fsync = {wanted}".encode())
    link.execute("SELECT pg_reload_conf()")
    while link.execute("SHOW fsync").fetchone() != (wanted,):
        time.sleep(0.01)


@pytest.mark.parametrize("schema", ["", "Has Space", 'quo"te', "pg_mine", "a" * 64, "x;y"])
def test_a_name_that_is_no_schema_is_refused(schema: str) -> None:
    with pytest.raises(InputError):
        PostgresStore("postgresql:///nowhere", schema=schema)


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_that_cannot_hold_every_text_is_refused_before_it_holds_any(
    postgres: PostgresServer, encoding: str
) -> None:
    name = f"in_{encoding.lower()}"
    with psycopg.connect(postgres.dsn, autocommit=True) as link:
        link.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' TEMPLATE template0".encode())
    dsn = postgres.dsn.replace("/postgres?", f"/{name}?")

    with pytest.raises(StoreError, match=f"encoded as {encoding}; a memory needs one in UTF8"):
        PostgresStore(dsn)

    with psycopg.connect(dsn) as link:
        assert link.execute("SELECT to_regnamespace('muniment')").fetchone() == (None,)


def test_a_server_that_is_not_there_says_so_at_once() -> None:
    with pytest.raises(StoreError):
        PostgresStore("postgresql:///nowhere?host=/nonexistent")


@pytest.mark.parametrize(
    ("state", "told"),
    [
        ("53100", StorageFullError),
        ("XX001", IntegrityError),
        ("XX002", IntegrityError),
        ("08006", OutcomeUnknownError),
        ("57P01", OutcomeUnknownError),
        ("57P02", OutcomeUnknownError),
        ("57P03", OutcomeUnknownError),
        ("57014", StoreError),
        ("55P03", StoreError),
        ("40001", StoreError),
        ("25006", StoreError),
    ],
)
def test_what_the_server_says_becomes_one_of_our_promises(
    state: str, told: type[Exception]
) -> None:
    raised = sqlstates.lookup(state)("told by the server")
    assert type(errors.told_by_call(raised)) is told


def test_a_lost_line_before_anything_was_sent_means_that_nothing_was_written() -> None:
    assert type(errors.told(psycopg.OperationalError("gone"))) is StoreError
    assert type(errors.told_by_call(psycopg.OperationalError("gone"))) is OutcomeUnknownError


def test_a_lock_that_is_not_released_ends_in_an_error_and_not_in_waiting(
    postgres: PostgresServer, new_postgres_store: NewStore
) -> None:
    schema = fresh_schema()
    grow(new_postgres_store(schema), 1)
    impatient = PostgresStore("", reach=Reach(dsn=postgres.dsn, schema=schema, lock_timeout_ms=50))
    with psycopg.connect(postgres.dsn, options=f"-c search_path={schema}") as link:
        link.execute("SELECT * FROM head FOR UPDATE")
        with pytest.raises(StoreError, match="lock timeout"):
            grow(impatient)
    grow(impatient)
    impatient.close()


# Told by the server itself: how much time each statement had that wrote a row of a shelf.
NOTE_PATIENCE = """
CREATE TABLE noted (patience text);
CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO noted VALUES (current_setting('statement_timeout'));
  RETURN NULL;
END $$;
CREATE TRIGGER noting AFTER INSERT ON shelf_row EXECUTE FUNCTION note();
"""


def test_what_goes_through_a_whole_log_has_more_time_and_the_next_call_the_usual(
    postgres: PostgresServer, new_postgres_store: NewStore
) -> None:
    schema = fresh_schema()
    store = new_postgres_store(schema)
    grow(store, 1)
    with psycopg.connect(postgres.dsn, options=f"-c search_path={schema}") as link:
        link.execute(NOTE_PATIENCE.encode())
    changes = (birth(1),)

    store.shelve(STREAM, Derived(changes=changes, checkpoint=b"desk"), upto=1)
    grow(store, 1, birth(2))
    with pytest.raises(InputError):
        store.shelve(STREAM, Derived(changes=(*changes, birth(1)), checkpoint=b"desk"), upto=2)
    grow(store, 1, birth(3))

    with psycopg.connect(postgres.dsn, options=f"-c search_path={schema}") as link:
        noted = [told for (told,) in link.execute("SELECT patience FROM noted").fetchall()]
    assert noted == ["1h", "1min", "1min"]


def test_an_address_says_itself_when_a_machine_counts_as_gone() -> None:
    usual = keepalive.with_keepalives("postgresql://db/memory?sslmode=require")
    own = keepalive.with_keepalives("postgresql://db/memory?tcp_user_timeout=99&keepalives=0")

    assert "tcp_user_timeout=30000" in usual.split()
    assert "sslmode=require" in usual.split()
    assert {"tcp_user_timeout=99", "keepalives=0", "host=db", "dbname=memory"} <= set(own.split())


def test_readers_do_not_wait_for_a_writer(
    postgres: PostgresServer, new_postgres_store: NewStore
) -> None:
    schema = fresh_schema()
    store = new_postgres_store(schema)
    grow(store, 3, birth(1))
    before = everything(store)
    with psycopg.connect(postgres.dsn, options=f"-c search_path={schema}") as link:
        link.execute("SELECT * FROM head FOR UPDATE")
        assert everything(store) == before


def test_an_idle_connection_that_the_server_closed_is_not_used_again(
    postgres: PostgresServer, new_postgres_store: NewStore
) -> None:
    store = new_postgres_store()
    grow(store, 1)
    end = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = %s"
    with psycopg.connect(postgres.dsn, autocommit=True) as link:
        link.execute(end, ("muniment",))
    grow(store, 1)  # an append is never repeated by the store, so this one found a new line
    assert [its.seq for its in store.read(STREAM)] == [1, 2]


def test_so_many_connections_wait_for_the_next_caller_and_none_after_the_end(
    new_postgres_store: NewStore,
) -> None:
    store = new_postgres_store()
    taken = [store._links.take() for _ in range(IDLE_MAX + 2)]

    for link in taken:
        store._links.give(link)
    assert sum(not link.closed for link in taken) == IDLE_MAX

    last = store._links.take()
    store.close()
    store._links.give(last)
    assert all(link.closed for link in taken)


def test_after_a_collision_writers_of_other_stores_queue(new_postgres_store: NewStore) -> None:
    schema = fresh_schema()
    first, second = new_postgres_store(schema), new_postgres_store(schema)
    for store in (first, second):
        store._locks.collided(STREAM)
    entered, order = Event(), list[str]()

    def wait() -> None:
        entered.set()
        with second.write_lock(STREAM):
            order.append("second")

    other = Thread(target=wait)
    with first.write_lock(STREAM):
        other.start()
        entered.wait()
        other.join(0.1)
        order.append("first")
    other.join()
    assert order == ["first", "second"]


FORKING = """
import os, sys
from tests.conformance.streams import OTHER, STREAM, everything, grow
from muniment.adapters.storage.postgres.store import PostgresStore
store = PostgresStore(sys.argv[1], schema=sys.argv[2])
grow(store, 3)
child = os.fork()
if not child:
    grow(store, 5, stream=OTHER)
    store.close()
    sys.exit(0)
assert os.waitpid(child, 0)[1] == 0
grow(store, 1)
assert [len(list(store.read(stream))) for stream in (STREAM, OTHER)] == [4, 5]
store.close()
print("both wrote")
"""


def test_a_forked_child_leaves_its_parents_connections_alone(postgres: PostgresServer) -> None:
    told = subprocess.run(
        [sys.executable, "-W", "error", "-c", FORKING, postgres.dsn, fresh_schema()],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    assert (told.stdout, told.stderr) == ("both wrote\n", "")


def test_a_new_store_finds_its_rows_by_the_right_index_from_the_first_day(
    postgres: PostgresServer, new_postgres_store: NewStore
) -> None:
    """A plan is kept as long as a session lives, and it is made when the tables are empty."""
    schema, size = fresh_schema(), 2000
    store = new_postgres_store(schema)

    def visit(seq: int) -> None:
        assert store.find(STREAM, f"key-{seq}") == seq
        grow(store, 1, death(store_head(store) + 1, id_=b"%d" % seq))
        ended = Find(shelf="facts", at=store_head(store), id_token=b"%d" % seq)
        assert list(store.rows(STREAM, ended)) == []
        newest = Find(shelf="facts", at=store_head(store), limit=3)
        assert len(list(store.rows(STREAM, newest))) == 3

    for seq in range(1, 20):  # long enough for the server to settle on its plans
        grow(store, 1, birth(store_head(store) + 1, id_=b"%d" % seq), operation=f"key-{seq}")
    for seq in range(1, 20):
        assert store.find(STREAM, f"key-{seq}") == seq
    first = store_head(store) + 1
    grow(store, size, *(birth(seq, id_=b"%d" % seq) for seq in range(first, first + size)))
    grow(store, 1, birth(store_head(store) + 1, id_=b"x"), operation="last")
    for seq in range(1, 20):
        visit(seq)
    store.close()
    assert rows_visited(postgres, schema) < 3 * size


def store_head(store: Store) -> int:
    head = store.head(STREAM)
    return head.seq if head else 0


def rows_visited(postgres: PostgresServer, schema: str) -> int:
    """What the server counted of its own work; it tells when a session has ended."""
    work = (
        "SELECT sum(idx_tup_fetch + seq_tup_read)::int FROM pg_stat_user_tables"
        " WHERE schemaname = %s AND relname IN ('entry', 'shelf_row')"
    )
    for _ in range(100):
        with psycopg.connect(postgres.dsn) as link:
            (visited,) = link.execute(work, (schema,)).fetchone() or (0,)
        if visited:
            return int(visited)
        time.sleep(0.02)
    raise AssertionError("the server told nothing")


def failing(postgres: PostgresServer, schema: str, state: str, times: int) -> None:
    """Let the server fail so many inserts of an entry; a sequence counts on over a rollback."""
    body = f"""
    SET search_path TO {schema};
    CREATE SEQUENCE tries;
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
      IF nextval('tries') <= {times} THEN RAISE 'made to fail' USING ERRCODE = '{state}'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER fails BEFORE INSERT ON entry FOR EACH ROW EXECUTE FUNCTION fail();
    """
    with psycopg.connect(postgres.dsn) as link:
        link.execute(body.encode())


@pytest.mark.parametrize("state", ["40001", "40P01"])
def test_a_lost_race_between_transactions_is_tried_again_a_few_times(
    postgres: PostgresServer, new_postgres_store: NewStore, state: str
) -> None:
    patient, unlucky = fresh_schema(), fresh_schema()
    for schema, times in ((patient, 5), (unlucky, 6)):
        new_postgres_store(schema)
        failing(postgres, schema, state, times)
    assert grow(new_postgres_store(patient)).seq == 1
    store = new_postgres_store(unlucky)
    with pytest.raises(StoreError, match=state):
        grow(store)
    assert everything(store) == [None, [], [[], []], None, []]


@pytest.mark.parametrize(
    ("state", "told"), [("53100", StorageFullError), ("XX001", IntegrityError)]
)
def test_a_full_or_torn_disk_says_so_and_nothing_is_written(
    postgres: PostgresServer, new_postgres_store: NewStore, state: str, told: type[MunimentError]
) -> None:
    schema = fresh_schema()
    store = new_postgres_store(schema)
    grow(store, 2, birth(1), checkpoint=b"desk")
    before = everything(store)
    failing(postgres, schema, state, 1)
    with pytest.raises(told):
        grow(store, 1, death(3, id_=b"i"), checkpoint=b"other")
    assert everything(store) == before
    assert grow(store).seq == 3

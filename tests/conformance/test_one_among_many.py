"""One person among many in one log: what is read for them does not grow with the others."""

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from tests import world
from tests.conformance.streams import ALICE, BOB, STREAM, birth, grow
from tests.postgres import NewStore

from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.adapters.storage.postgres.schema.stream_names import NOWHERE
from muniment.adapters.storage.sqlite import SqliteStore
from muniment.adapters.storage.sqlite.connection_pool import StreamFile
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Find, Store
from muniment.model.errors import NotFoundError

FEW, MANY = 30, 3_000
ASKED = "SELECT seq FROM find_about(%s, %s, %s, false, %s, 0, 1000000)"
TOUCHED = """
SELECT coalesce(sum(seq_tup_read + idx_tup_fetch), 0) FROM pg_stat_xact_user_tables
WHERE schemaname = current_schema()
"""

SEARCHED = """
SELECT * FROM find_births(%s, %s, %s, false, %s, %s::bigint[], %s, %s, %s, %s::bigint[])
"""
TOUCHED_BY_TABLE = """
SELECT relname, coalesce(seq_tup_read + idx_tup_fetch, 0) FROM pg_stat_xact_user_tables
WHERE schemaname = current_schema()
"""


def crowded(store: Store, others: int) -> list[int]:
    """Three entries of hers, one of nobody's, and so many of his around them."""
    grow(store, others // 2, subject=BOB)
    first = grow(store, 3, subject=ALICE).seq - 2
    last = grow(store, 1, parts=0).seq
    grow(store, others // 2, subject=BOB)
    return list(range(first, last + 1))


def test_a_folder_takes_no_more_steps_for_one_person_the_more_there_are(tmp_path: Path) -> None:
    steps = []
    for others in (FEW, MANY):
        store = SqliteStore(tmp_path / str(others), ballast_bytes=0)
        hers = crowded(store, others)
        with store._files.use(STREAM) as file:
            assert isinstance(file, StreamFile)
            counted = 0

            def step() -> bool:
                nonlocal counted
                counted += 1
                return False

            file.db.set_progress_handler(step, 1)
            assert store.about(STREAM, frozenset({ALICE}), after=0, upto=10**6) == hers
            file.db.set_progress_handler(None)
        store.close()
        steps.append(counted)
    assert 0 < steps[1] <= 1.2 * steps[0], steps


def test_a_server_touches_no_more_rows_for_one_person_the_more_there_are(
    postgres: PostgresServer, new_postgres_store: NewStore
) -> None:
    touched = []
    for others in (FEW, MANY):
        store = new_postgres_store()
        hers = crowded(store, others)
        assert store.about(STREAM, frozenset({ALICE}), after=0, upto=10**6) == hers
        options = (
            f"-c search_path={store.schema},pg_temp -c enable_seqscan=off -c enable_bitmapscan=off"
        )
        with psycopg.connect(postgres.dsn, options=options) as link:
            place = (NOWHERE.tenant, NOWHERE.agent, bytes.fromhex(STREAM), [ALICE])
            assert [seq for (seq,) in link.execute(ASKED, place).fetchall()] == hers
            (rows,) = link.execute(TOUCHED).fetchone() or (0,)
        touched.append(int(rows))
    assert 0 < touched[1] <= touched[0] + 4, touched


def test_a_server_tells_where_rows_begin_and_reads_nothing_there(
    postgres: PostgresServer, new_postgres_store: NewStore
) -> None:
    store = new_postgres_store()
    grow(store, MANY, *(birth(seq, id_=b"%d" % (seq % 3)) for seq in range(1, MANY + 1)))
    finds = [Find(shelf="facts", at=MANY, id_token=b"%d" % n, limit=2) for n in range(4)]
    expected = [[MANY, MANY - 3], [MANY - 2, MANY - 5], [MANY - 1, MANY - 4], []]
    assert store.births(STREAM, finds) == expected
    options = (
        f"-c search_path={store.schema},pg_temp -c enable_seqscan=off -c enable_bitmapscan=off"
    )
    with psycopg.connect(postgres.dsn, options=options) as link:
        columns = [list(column) for column in zip(*map(searched, finds), strict=True)]
        place = (NOWHERE.tenant, NOWHERE.agent, bytes.fromhex(STREAM))
        assert len(link.execute(SEARCHED, (*place, *columns)).fetchall()) == 6
        touched: dict[str, int] = dict(link.execute(TOUCHED_BY_TABLE).fetchall())
    assert touched["entry"] == touched["fragment"] == 0
    assert 0 < touched["shelf_row"] <= 12


def searched(find: Find) -> tuple[object, ...]:
    return find.shelf, find.at, find.every, find.id_token, find.key_token, find.limit


def relations(store: Store) -> list[object]:
    """What one of three people told of others, asked for in every way there is."""
    memory = world.memory(store=store)
    for name in ("mona", "tuff", "vera"):
        agent = memory.agent("ada", user=name)
        agent.remember(f"My sister {name.title()}ina works at Acme")
        agent.remember_many([f"My dentist Doctor {name.title()} lives in Porto"] * 2)
    tuff = memory.agent("ada", user="tuff")
    told = [tuff.entities(), tuff.about("Tuffina"), tuff.path_between("user", "Acme")]
    tuff.merge_entities("Acme", into="Porto")
    tuff.remember("My brother Ivo lives in Faro")
    ivo = next(hit.id for hit in tuff.recall("brother Ivo").hits if "Ivo" in hit.text)
    told += [tuff.about("Ivo"), tuff.about("Acme")]
    tuff.forget(ivo)
    with pytest.raises(NotFoundError):
        tuff.about("Ivo")
    with pytest.raises(NotFoundError):
        tuff.about("Veraina")
    return [*told, tuff.entities(at=5), memory.agent("ada").entities()]


def test_every_store_knows_the_same_entities_of_one_person(
    tmp_path: Path, new_postgres_store: NewStore
) -> None:
    makers: list[Callable[[], Store]] = [
        lambda: SqliteStore(tmp_path, ballast_bytes=0),
        new_postgres_store,
    ]
    expected = relations(ScratchStore())
    assert "Tuffina" in str(expected)
    assert "Veraina" not in str(expected)
    for make in makers:
        store = make()
        assert relations(store) == expected
        store.close()

"""Behind row security a transaction sees the stream that it has named, and no other.

Everything here speaks as an ordinary role: a superuser is exempt and would see nothing of this.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from tests import world
from tests.conformance.store_contract import SharedStoreContract
from tests.conformance.streams import OTHER, STREAM, birth, everything, grow
from tests.postgres import fresh_schema

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.postgres import migrations, residue
from muniment.adapters.postgres.connection import Link, Reach
from muniment.adapters.postgres.server import Server
from muniment.adapters.postgres.store import PostgresStore
from muniment.engine.memory import Memory
from muniment.log.store import Store
from muniment.model.errors import StoreError
from muniment.model.scope import Persona, agent_stream

OWNER, READER = "ordinary_owner", "ordinary_reader"
NAME = "SELECT set_config('muniment.stream', %s, true)"
SPOKEN, HIDDEN = "tea with lemon every morning", "a hidden thought about tea"
TABLES = """
SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
  AND a.attname = 'stream' ORDER BY c.relname COLLATE "C"
"""
WALLED = ["checkpoint", "entry", "episode", "fragment", "head", "segment", "shelf_row"]


@pytest.fixture(scope="session")
def roles(postgres: Server) -> Server:
    """The server, with two roles that nobody would call powerful."""
    with psycopg.connect(postgres.dsn) as link:
        for role in (OWNER, READER):
            link.execute(f"CREATE ROLE {role} LOGIN NOSUPERUSER NOBYPASSRLS".encode())
        database = sql.Identifier(link.info.dbname)
        link.execute(sql.SQL(f"GRANT CREATE ON DATABASE {{}} TO {OWNER}").format(database))
    return postgres


def address(server: Server, role: str) -> str:
    return re.sub(r"\buser=\w+", f"user={role}", server.dsn)


@dataclass
class Place:
    """A schema that an ordinary role owns."""

    server: Server
    schema: str

    @property
    def dsn(self) -> str:
        return address(self.server, OWNER)

    def link(self, role: str = "") -> Link:
        """Plain SQL, past everything of ours; without a role as a superuser."""
        dsn = address(self.server, role) if role else self.server.dsn
        return psycopg.connect(dsn, autocommit=True, options=f"-c search_path={self.schema}")


@pytest.fixture
def place(roles: Server) -> Place:
    return Place(roles, fresh_schema())


@pytest.fixture
def store(place: Place) -> Iterator[PostgresStore]:
    store = PostgresStore(place.dsn, schema=place.schema)
    yield store
    store.close()


@pytest.fixture
def lived_in(place: Place, tmp_path: Path) -> Iterator[Memory]:
    """Two personas of one agent, and both have spoken."""
    settings = Settings(keys=str(tmp_path), schema=place.schema, seed=b"wall", clock=False)
    with open_memory(place.dsn, settings) as memory:
        for agent, text in (
            (memory.agent("ada", user="tuff"), SPOKEN),
            (memory.subconscious("ada"), HIDDEN),
        ):
            for n in range(3):
                agent.remember(f"{text}, {n}")
        with place.link() as superuser:  # what a short life has no need of
            superuser.execute("INSERT INTO checkpoint SELECT stream, seq, '' FROM head")
            superuser.execute("INSERT INTO segment SELECT stream, 'none', 1, 1, '' FROM head")
        yield memory


def ref(memory: Memory, persona: Persona) -> str:
    return world.house(memory).stream(agent_stream("main", "ada", persona)).ref


def seen(link: Link, table: str) -> set[str]:
    query = sql.SQL("SELECT DISTINCT encode(stream, 'hex') FROM {}").format(sql.Identifier(table))
    return {stream for (stream,) in link.execute(query).fetchall()}


def size(link: Link, table: str) -> int:
    return link.execute(sql.SQL("TABLE {}").format(sql.Identifier(table))).rowcount


def one(link: Link, query: str, *values: object) -> object:
    (value,) = link.execute(query.encode(), values).fetchone() or (None,)
    return value


class TestPostgresStoreOfAnOrdinaryRole(SharedStoreContract):
    @pytest.fixture
    def store(self, place: Place) -> Iterator[Store]:
        store = PostgresStore(place.dsn, schema=place.schema)
        yield store
        store.close()


# ── What is seen ────────────────────────────────────────────────────────────────────────────────


def test_without_a_name_nothing_is_seen(place: Place, lived_in: Memory) -> None:
    with place.link() as superuser, place.link(OWNER) as link:
        for table in (*WALLED, "episodic_stage1"):
            assert size(superuser, table) > 0, table
            assert size(link, table) == 0, table


def test_of_two_personas_only_the_named_one_is_seen(place: Place, lived_in: Memory) -> None:
    actor, subconscious = ref(lived_in, Persona.ACTOR), ref(lived_in, Persona.SUBCONSCIOUS)
    with place.link() as superuser, place.link(OWNER) as link:
        for table in WALLED:
            assert seen(superuser, table) >= {actor, subconscious}, table
            for named in (actor, subconscious):
                with link.transaction():
                    link.execute(NAME, (named,))
                    assert seen(link, table) == {named}, table
        with link.transaction():
            link.execute(NAME, (actor,))
            shown = str(link.execute("TABLE episodic_stage1").fetchall())
        assert SPOKEN in shown
        assert HIDDEN not in shown


@pytest.mark.parametrize("name", ["*", "%", "zz", "' OR true --"])
def test_a_name_that_is_no_stream_opens_nothing(
    place: Place, store: PostgresStore, name: str
) -> None:
    grow(store, 1)
    with place.link(OWNER) as link, link.transaction():
        link.execute(NAME, (name,))
        with pytest.raises(psycopg.errors.InvalidParameterValue):
            link.execute("TABLE entry")


def test_a_name_ends_with_its_transaction(place: Place, store: PostgresStore) -> None:
    grow(store, 2)
    with place.link(OWNER) as link:
        for _ in range(2):
            with link.transaction():
                link.execute(NAME, (STREAM,))
                assert size(link, "entry") == 2
            assert size(link, "entry") == 0


def test_the_stores_own_lines_remember_no_name(store: PostgresStore) -> None:
    grow(store, 2, birth(1), operation="key")
    everything(store)
    store.find(STREAM, "key")
    store.shred(STREAM, "a" * 32)
    store.streams()
    with store._links.use() as link:
        for setting in ("stream", "listing", "shredding"):
            assert not one(link, "SELECT current_setting(%s, true)", f"muniment.{setting}")
        assert size(link, "entry") == 0


# ── What is changed ─────────────────────────────────────────────────────────────────────────────


INSERTS = [
    "INSERT INTO head VALUES (%s, 9, '')",
    "INSERT INTO entry VALUES (%s, 9, '', '')",
    "INSERT INTO fragment VALUES (%s, 9, 0, '', '')",
    "INSERT INTO shelf_row VALUES (%s, 'facts', 9, 9, NULL, '', '')",
    "INSERT INTO checkpoint VALUES (%s, 9, '')",
    "INSERT INTO segment VALUES (%s, 'words', 9, 9, '')",
    "INSERT INTO episode VALUES"
    " ('ep', %s, 9, 9, NULL, '', '', '', '', '{}', '[]', '{}', ARRAY['a'])",
]


@pytest.mark.parametrize("listing", ["", "on"])
@pytest.mark.parametrize("insert", INSERTS)
def test_nothing_is_written_for_another_stream(
    place: Place, store: PostgresStore, insert: str, listing: str
) -> None:
    third = "e" * 32
    grow(store, 1)
    grow(store, 1, stream=OTHER)
    with place.link(OWNER) as link:
        for named in (STREAM, ""):
            with link.transaction(force_rollback=True):
                link.execute(NAME, (named,))
                link.execute("SELECT set_config('muniment.listing', %s, true)", (listing,))
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    link.execute(insert.encode(), (bytes.fromhex(third),))
        with link.transaction():  # and for one's own it is
            link.execute(NAME, (third,))
            assert link.execute(insert.encode(), (bytes.fromhex(third),)).rowcount == 1


def test_what_is_not_seen_is_not_changed(place: Place, store: PostgresStore) -> None:
    for stream in (STREAM, OTHER):
        grow(store, 2, birth(1), stream=stream, checkpoint=b"desk")
    with place.link(OWNER) as link, link.transaction():
        link.execute(NAME, (STREAM,))
        assert link.execute("DELETE FROM shelf_row").rowcount == 1
        assert link.execute("UPDATE checkpoint SET data = 'other'").rowcount == 1
    assert store.checkpoint(OTHER) == (2, b"desk")
    assert store.checkpoint(STREAM) == (2, b"other")


# ── Who sees more than one ──────────────────────────────────────────────────────────────────────


def test_only_the_owner_lists_the_streams_and_a_listing_shows_no_more(
    place: Place, store: PostgresStore
) -> None:
    grow(store, 1)
    grow(store, 1, stream=OTHER)
    assert store.streams() == [STREAM, OTHER]
    listing = "SELECT set_config('muniment.listing', 'on', true)"
    with place.link(OWNER) as link, link.transaction():
        link.execute(listing)
        for table in WALLED:
            assert seen(link, table) == ({STREAM, OTHER} if table == "head" else set()), table
        link.execute(f"GRANT USAGE ON SCHEMA {place.schema} TO {READER}".encode())
        link.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {place.schema} TO {READER}".encode())
    reader = PostgresStore(address(place.server, READER), schema=place.schema)
    assert len(list(reader.read(STREAM))) == 1
    with pytest.raises(StoreError, match="only the owner"):
        reader.streams()
    reader.close()
    with place.link(READER) as link, link.transaction():
        link.execute(listing)
        assert seen(link, "head") == set()


def test_the_residue_scan_looks_behind_every_wall(place: Place, lived_in: Memory) -> None:
    reach = Reach(dsn=place.dsn, schema=place.schema)
    for text in (SPOKEN, HIDDEN):
        told = residue.scan(reach, [text.encode()])
        assert told.found == ("table episode",)
        assert told.files == len(WALLED) + 1
    assert residue.scan(reach, [b"never said"]).found == ()


def test_an_erasure_behind_walls_reaches_what_it_must(place: Place, lived_in: Memory) -> None:
    request = lived_in.eraser("root").request("tuff", reason="the person asked")
    lived_in.council("bea").approve(request)
    lived_in.eraser("root").carry_out(request)
    with place.link() as superuser:
        shown = str(superuser.execute("TABLE episode").fetchall())
    assert SPOKEN not in shown
    assert HIDDEN in shown
    assert len(lived_in.prove()) == len(lived_in.streams()) > 2


# ── How it is built ─────────────────────────────────────────────────────────────────────────────


def test_the_catalogue_knows_no_table_without_a_wall(place: Place, store: PostgresStore) -> None:
    with place.link(OWNER) as link:
        tables = [name for (name,) in link.execute(TABLES).fetchall()]
        assert tables == WALLED
        for table in tables:
            forced = "SELECT relrowsecurity AND relforcerowsecurity FROM pg_class WHERE oid = %s"
            assert one(link, f"{forced}::regclass", table), table
            policies = link.execute(
                "SELECT permissive, cmd, roles::text, with_check LIKE '%%muniment.stream%%'"
                " FROM pg_policies WHERE schemaname = current_schema() AND tablename = %s"
                " ORDER BY permissive",
                (table,),
            ).fetchall()
            permissive = ("PERMISSIVE", "ALL", "{public}", False)
            assert policies == [permissive, ("RESTRICTIVE", "ALL", "{public}", True)], table
        views = link.execute(
            "SELECT relname, reloptions FROM pg_class WHERE relkind IN ('v', 'm')"
            " AND relnamespace = current_schema()::regnamespace"
        ).fetchall()
        assert views == [("episodic_stage1", ["security_invoker=true"])]
        definers = (
            "SELECT count(*) FROM pg_proc WHERE prosecdef"
            " AND pronamespace = current_schema()::regnamespace"
        )
        assert one(link, definers) == 0


QUESTIONS = {
    "entry_operation": "SELECT seq FROM entry WHERE stream = %s AND digest = sha256('key')",
    "entry_place": "SELECT header FROM entry WHERE stream = %s AND seq > 7 AND seq < 9",
    "fragment_place": "SELECT data FROM fragment WHERE stream = %s AND seq = 7",
    "shelf_row_id": "SELECT born FROM shelf_row WHERE stream = %s AND shelf = 'facts'"
    " AND id_token = 'i' ORDER BY born DESC, n DESC LIMIT 1",
}


@pytest.mark.parametrize("index", QUESTIONS)
def test_a_wall_leaves_the_indexes_in_reach(place: Place, store: PostgresStore, index: str) -> None:
    grow(store, 300, *(birth(seq, id_=b"%d" % seq) for seq in range(1, 301)), operation="key")
    with place.link(OWNER) as link, link.transaction():
        link.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        query = f"EXPLAIN (COSTS OFF) {QUESTIONS[index]}"
        plan = "\n".join(line for (line,) in link.execute(query.encode(), (STREAM,)).fetchall())
    conditions = QUESTIONS[index].split("ORDER")[0].count(" AND ") + 1
    (condition,) = (line for line in plan.splitlines() if "Index Cond" in line)
    assert f"using {index} " in plan or f"Backward using {index} " in plan, plan
    assert condition.count(" AND ") + 1 == conditions, plan


def test_tables_that_were_there_before_get_their_walls(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(migrations, "_steps", migrations._steps[:3])
        store = PostgresStore(place.dsn, schema=place.schema)
        for stream in (STREAM, OTHER):
            grow(store, 3, birth(1), stream=stream, operation="key", checkpoint=b"desk")
        before = everything(store)
        store.close()
    store = PostgresStore(place.dsn, schema=place.schema)
    assert everything(store) == before
    assert (store.find(STREAM, "key"), store.streams()) == (1, [STREAM, OTHER])
    assert grow(store).seq == 4
    with place.link(OWNER) as link:
        assert [seen(link, table) for table in WALLED] == [set()] * len(WALLED)
    store.close()

"""Behind row security a transaction sees the tenant, persona and stream it named, and no other.

Everything here speaks as an ordinary role: a superuser is exempt and would see nothing of this.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psycopg
import pytest
from psycopg import sql
from tests import world
from tests.conformance.store_contract import SharedStoreContract
from tests.conformance.streams import OTHER, STREAM, birth, everything, grow
from tests.postgres import OWNER, READER, address, fresh_schema

from muniment.adapters.config import Settings, open_memory
from muniment.adapters.storage.postgres import erasure_scan
from muniment.adapters.storage.postgres.connection import Link, Reach
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.adapters.storage.postgres.schema.stream_names import NOWHERE, NamedHomes
from muniment.adapters.storage.postgres.store import PostgresStore
from muniment.engine.api.memory import Memory
from muniment.log.store import Store
from muniment.model.errors import StoreError
from muniment.model.scope import Persona, agent_stream

NAME = """SELECT set_config('muniment.tenant', %s, true),
  set_config('muniment.persona', %s, true), set_config('muniment.stream', %s, true)"""
TENANT = NOWHERE.tenant.hex()
SPOKEN, HIDDEN = "tea with lemon every morning", "a hidden thought about tea"
TABLES = """
SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
  AND a.attname = 'stream' ORDER BY c.relname COLLATE "C"
"""
WALLED = ["checkpoint", "entry", "episode", "fragment", "head", "segment", "shelf_row"]


@dataclass
class Place:
    """A schema that an ordinary role owns."""

    server: PostgresServer
    schema: str

    @property
    def dsn(self) -> str:
        return address(self.server, OWNER)

    def link(self, role: str = "") -> Link:
        """Plain SQL, past everything of ours; without a role as a superuser."""
        dsn = address(self.server, role) if role else self.server.dsn
        return psycopg.connect(dsn, autocommit=True, options=f"-c search_path={self.schema}")


@pytest.fixture
def place(postgres_roles: PostgresServer) -> Place:
    return Place(postgres_roles, fresh_schema())


@pytest.fixture
def store(place: Place) -> Iterator[PostgresStore]:
    store = PostgresStore(place.dsn, schema=place.schema)
    yield store
    store.close()


@pytest.fixture
def lived_in(place: Place, tmp_path: Path) -> Iterator[Memory]:
    """Two personas of one agent, and both have spoken."""
    settings = Settings(
        keys=str(tmp_path), schema=place.schema, seed=b"wall", clock=False, open_tables=True
    )
    with open_memory(place.dsn, settings) as memory:
        for agent, text in (
            (memory.agent("ada", user="tuff"), SPOKEN),
            (memory.subconscious("ada"), HIDDEN),
        ):
            for n in range(3):
                agent.remember(f"{text}, {n}")
        with place.link() as superuser:  # what a short life has no need of
            place_of = "SELECT tenant, stream, hidden"
            superuser.execute(f"INSERT INTO checkpoint {place_of}, seq, '' FROM head".encode())
            superuser.execute(
                f"INSERT INTO segment {place_of}, 'none', 1, 1, '' FROM head".encode()
            )
        yield memory


def ref(memory: Memory, persona: Persona) -> str:
    return world.hub(memory).stream(agent_stream("main", "ada", persona)).ref


def name(
    link: Link, stream: str, *, tenant: str = TENANT, persona: Persona = Persona.ACTOR
) -> None:
    link.execute(NAME, (tenant, persona, stream))


def tenant_of(memory: Memory, named: str = "main") -> str:
    found = world.hub(memory).parts.world.keyring.find("tenant", named)
    assert found is not None
    return found


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
    tenant = tenant_of(lived_in)
    with place.link() as superuser, place.link(OWNER) as link:
        for table in WALLED:
            assert seen(superuser, table) >= {actor, subconscious}, table
            for named, persona in (
                (actor, Persona.ACTOR),
                (subconscious, Persona.SUBCONSCIOUS),
            ):
                with link.transaction():
                    name(link, named, tenant=tenant, persona=persona)
                    assert seen(link, table) == {named}, table
        with link.transaction():
            name(link, actor, tenant=tenant)
            shown = str(link.execute("TABLE episodic_stage1").fetchall())
        assert SPOKEN in shown
        assert HIDDEN not in shown


def test_an_actor_that_knows_the_name_of_a_hidden_stream_sees_none_of_it(
    place: Place, lived_in: Memory
) -> None:
    hidden = ref(lived_in, Persona.SUBCONSCIOUS)
    with place.link(OWNER) as link, link.transaction():
        name(link, hidden, tenant=tenant_of(lived_in), persona=Persona.ACTOR)
        assert [seen(link, table) for table in WALLED] == [set()] * len(WALLED)


def test_a_stream_is_seen_only_together_with_its_tenant(place: Place, lived_in: Memory) -> None:
    actor = ref(lived_in, Persona.ACTOR)
    with place.link(OWNER) as link:
        for tenant in (TENANT, "e" * 32, ""):
            with link.transaction():
                name(link, actor, tenant=tenant, persona=Persona.SUBCONSCIOUS)
                assert [seen(link, table) for table in WALLED] == [set()] * len(WALLED)


def test_two_tenants_of_one_server_list_only_what_is_theirs(place: Place, tmp_path: Path) -> None:
    shared = Settings(schema=place.schema, clock=False, open_tables=True)
    settings = msgspec.structs.replace(shared, keys=str(tmp_path / "one"))
    other = msgspec.structs.replace(shared, keys=str(tmp_path / "two"))
    with open_memory(place.dsn, settings) as first, open_memory(place.dsn, other) as second:
        first.agent("ada").remember("mine alone")
        assert len(first.streams()) == 1
        assert second.streams() == []
        second.agent("ada").remember("also mine")
        homes = {tenant_of(first), tenant_of(second)}
    with place.link() as superuser:
        rows = superuser.execute("SELECT DISTINCT encode(tenant, 'hex') FROM entry").fetchall()
    assert {tenant for (tenant,) in rows} == homes
    assert len(homes) == 2


@pytest.mark.parametrize("wild", ["*", "%", "zz", "' OR true --"])
def test_a_name_that_is_no_stream_opens_nothing(
    place: Place, store: PostgresStore, wild: str
) -> None:
    grow(store, 1)
    with place.link(OWNER) as link, link.transaction():
        name(link, wild)
        with pytest.raises(psycopg.errors.InvalidParameterValue):
            link.execute("TABLE entry")


def test_a_name_ends_with_its_transaction(place: Place, store: PostgresStore) -> None:
    grow(store, 2)
    with place.link(OWNER) as link:
        for _ in range(2):
            with link.transaction():
                name(link, STREAM)
                assert size(link, "entry") == 2
            assert size(link, "entry") == 0


def test_the_stores_own_lines_remember_no_name(store: PostgresStore) -> None:
    grow(store, 2, birth(1), operation="key")
    everything(store)
    store.find(STREAM, "key")
    store.shred(STREAM, "a" * 32)
    store.streams()
    with store._links.use() as link:
        for setting in ("tenant", "persona", "stream", "listing", "shredding"):
            assert not one(link, "SELECT current_setting(%s, true)", f"muniment.{setting}")
        assert size(link, "entry") == 0


# ── What is changed ─────────────────────────────────────────────────────────────────────────────


INSERTS = [
    "INSERT INTO head VALUES (%s, %s, %s, '', 9, '')",
    "INSERT INTO entry VALUES (%s, %s, %s, 9, '', '')",
    "INSERT INTO fragment VALUES (%s, %s, %s, 9, 0, '', '')",
    "INSERT INTO shelf_row VALUES (%s, %s, %s, 'facts', 9, 9, NULL, '', '')",
    "INSERT INTO checkpoint VALUES (%s, %s, %s, 9, '')",
    "INSERT INTO segment VALUES (%s, %s, %s, 'words', 9, 9, '')",
    "INSERT INTO episode VALUES"
    " (%s, %s, %s, 'ep', 9, 9, NULL, '', '', '', '', '{}', '[]', '{}', ARRAY['a'])",
]


@pytest.mark.parametrize("listing", ["", "on"])
@pytest.mark.parametrize("insert", INSERTS)
def test_nothing_is_written_for_another_stream_tenant_or_persona(
    place: Place, store: PostgresStore, insert: str, listing: str
) -> None:
    third, elsewhere = "e" * 32, "d" * 32
    grow(store, 1)
    grow(store, 1, stream=OTHER)
    strange = [(STREAM, TENANT, False), ("", TENANT, False), (third, elsewhere, False)]
    strange += [(third, "", False), (third, TENANT, True)]
    with place.link(OWNER) as link:
        for named, tenant, hidden in strange:
            with link.transaction(force_rollback=True):
                name(link, named, tenant=tenant)
                link.execute("SELECT set_config('muniment.listing', %s, true)", (listing,))
                row = (NOWHERE.tenant, bytes.fromhex(third), hidden)
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    link.execute(insert.encode(), row)
        with link.transaction():  # and for one's own it is
            name(link, third)
            row = (NOWHERE.tenant, bytes.fromhex(third), False)
            assert link.execute(insert.encode(), row).rowcount == 1


def test_what_is_not_seen_is_not_changed(place: Place, store: PostgresStore) -> None:
    for stream in (STREAM, OTHER):
        grow(store, 2, birth(1), stream=stream, checkpoint=b"desk")
    with place.link(OWNER) as link, link.transaction():
        name(link, STREAM)
        assert link.execute("DELETE FROM shelf_row").rowcount == 1
        assert link.execute("UPDATE checkpoint SET data = 'other'").rowcount == 1
    assert store.checkpoint(OTHER) == (2, b"desk")
    assert store.checkpoint(STREAM) == (2, b"other")


# ── Who sees more than one ──────────────────────────────────────────────────────────────────────


def test_a_listing_shows_the_streams_of_a_tenant_and_no_more(
    place: Place, store: PostgresStore
) -> None:
    grow(store, 1)
    grow(store, 1, stream=OTHER)
    assert store.streams() == [STREAM, OTHER]
    listing = "SELECT set_config('muniment.listing', 'on', true)"
    with place.link(OWNER) as link, link.transaction():
        link.execute(listing)
        assert seen(link, "head") == set()
        name(link, "")
        for table in WALLED:
            assert seen(link, table) == ({STREAM, OTHER} if table == "head" else set()), table


def test_who_was_granted_nothing_may_do_nothing(place: Place, store: PostgresStore) -> None:
    grow(store, 1)
    with pytest.raises(StoreError, match="permission denied"):
        PostgresStore(address(place.server, READER), schema=place.schema)


def test_the_residue_scan_looks_behind_every_wall(place: Place, lived_in: Memory) -> None:
    reach = Reach(dsn=place.dsn, schema=place.schema)
    homes = NamedHomes(world.hub(lived_in).parts.world.keyring)
    for text in (SPOKEN, HIDDEN):
        told = erasure_scan.scan(reach, [text.encode()], homes)
        assert told.found == ("table episode",)
        assert told.files == len(WALLED)
    assert erasure_scan.scan(reach, [b"never said"], homes).found == ()


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


HERE = "WHERE tenant = %s AND stream = %s"
QUESTIONS = {
    "entry_operation": ("entry", "digest = sha256('key')"),
    "entry_place": ("entry", "seq > 7 AND seq < 9"),
    "fragment_place": ("fragment", "seq = 7"),
    "shelf_row_id": (
        "shelf_row",
        "shelf = 'facts' AND id_token = 'i' ORDER BY born DESC, n DESC LIMIT 1",
    ),
}


@pytest.mark.parametrize("index", QUESTIONS)
def test_a_wall_leaves_the_indexes_in_reach(place: Place, store: PostgresStore, index: str) -> None:
    grow(store, 300, *(birth(seq, id_=b"%d" % seq) for seq in range(1, 301)), operation="key")
    with place.link(OWNER) as link, link.transaction():
        link.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
        here = (NOWHERE.tenant, bytes.fromhex(STREAM))
        table, which = QUESTIONS[index]
        question = f"SELECT * FROM {table} {HERE} AND {which}"  # noqa: S608
        query = f"EXPLAIN (COSTS OFF) {question}"
        plan = "\n".join(line for (line,) in link.execute(query.encode(), here).fetchall())
    conditions = question.split("ORDER", maxsplit=1)[0].count(" AND ") + 1
    (condition,) = (line for line in plan.splitlines() if "Index Cond" in line)
    assert f"using {index} " in plan or f"Backward using {index} " in plan, plan
    assert condition.count(" AND ") + 1 == conditions, plan

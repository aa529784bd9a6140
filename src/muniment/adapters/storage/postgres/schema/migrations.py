"""Schema migrations: named steps forward, applied once, by one process at a time."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import psycopg
from psycopg import sql

from muniment.adapters.storage.postgres.schema import (
    read_functions,
    row_security,
    tables,
    write_functions,
)
from muniment.model.errors import NewerError, StoreError

Link = psycopg.Connection[tuple[Any, ...]]
Step = Callable[[Link], None]

LOCK: Final = "SELECT pg_advisory_xact_lock(%s)"
KNOWN: Final = "SELECT to_regclass(%s) IS NOT NULL"
VERSION: Final = "SELECT coalesce(max(number), 0) FROM migration"
LEDGER: Final = "CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY, name text)"
ENCODING: Final = "SELECT current_setting('server_encoding')"
TAKEN: Final = "INSERT INTO migration VALUES (%s, %s) ON CONFLICT (number) DO NOTHING"

# What anybody may do by default, nobody may do here: who may what is granted, role by role.
CLOSED: Final = """
DO $$ BEGIN
  EXECUTE format('REVOKE ALL ON SCHEMA %I FROM PUBLIC', current_schema());
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM PUBLIC', current_schema());
  EXECUTE format('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA %I FROM PUBLIC', current_schema());
END $$;
"""


def every_key_begins_with_its_tenant(link: Link) -> None:
    made = tables.LOG + tables.SHELVES + tables.OPEN + tables.SAMPLE + tables.GUARDS
    functions = row_security.DOORS + write_functions.WRITES + read_functions.READS
    walls = row_security.WALLS + row_security.PRIVATE + CLOSED
    link.execute((made + functions + walls).encode())


STEPS: Final[tuple[Step, ...]] = (every_key_begins_with_its_tenant,)


def migrate(link: Link, schema: str, steps: Sequence[Step] = STEPS) -> None:
    """Take the steps that this schema has not taken yet; without any, nothing is changed."""
    if version(link, schema, len(steps)) == len(steps):
        return
    with link.transaction():
        # Whoever waits here finds everything done.
        link.execute(LOCK, (lock_number("migrate", schema),))
        link.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
        if _has(link, "shard"):
            raise StoreError("this is a proxy of another version: renew it with `muniment shards`")
        link.execute(LEDGER)
        now = version(link, schema, len(steps))
        if not now:
            _check_encoding(link)
        for number, step in enumerate(steps, start=1):
            if number > now:
                step(link)
                link.execute(TAKEN, (number, step.__name__))


def ledger() -> list[tuple[int, str]]:
    """Every step there is, by number and name."""
    return [(number, step.__name__) for number, step in enumerate(STEPS, start=1)]


def lock_number(*names: str) -> int:
    """The number that an advisory lock of this name has on the whole server."""
    digest = hashlib.sha256("\x00".join(("muniment", *names)).encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def version(link: Link, schema: str, known_steps: int) -> int:
    """The last step this schema has taken; one beyond those that are known is an error."""
    ledger = sql.Identifier(schema, "migration").as_string(link)
    (known,) = link.execute(KNOWN, (ledger,)).fetchone() or (False,)
    if not known:
        return 0
    (found,) = link.execute(VERSION).fetchone() or (0,)
    if found > known_steps:
        raise NewerError(
            f"the schema has version {found} and this program knows only {known_steps}"
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

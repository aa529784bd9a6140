"""How the tables came to be: named steps forward, taken once, by one process at a time."""

import hashlib
from collections.abc import Callable
from typing import Any, Final

import psycopg
from psycopg import sql

from muniment.adapters.postgres import functions, tables, walls
from muniment.model.errors import StoreError

Link = psycopg.Connection[tuple[Any, ...]]
Step = Callable[[], str]

LOCK: Final = "SELECT pg_advisory_xact_lock(%s)"
KNOWN: Final = "SELECT to_regclass(%s) IS NOT NULL"
VERSION: Final = "SELECT coalesce(max(number), 0) FROM migration"
LEDGER: Final = "CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY, name text)"
TAKEN: Final = "INSERT INTO migration VALUES (%s, %s)"

_steps: list[Step] = []


def migration(step: Step) -> Step:
    """A named step forward; there is none back."""
    _steps.append(step)
    return step


@migration
def log_shelves_and_segments() -> str:
    return tables.LOG + tables.SHELVES + tables.SAMPLE + tables.GUARDS


@migration
def open_episodes() -> str:
    return tables.OPEN


@migration
def one_function_per_write() -> str:
    return functions.CHANGE + functions.APPEND + functions.DERIVE + functions.SHRED


@migration
def a_wall_around_every_stream() -> str:
    return walls.WALLS + one_function_per_write()  # once more: now they name their stream


def migrate(link: Link, schema: str) -> None:
    """Take the steps that this schema has not taken yet; without any, nothing is changed."""
    if _version(link, schema) == len(_steps):
        return
    with link.transaction():
        # Whoever waits here finds everything done.
        link.execute(LOCK, (lock_number("migrate", schema),))
        link.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(schema)))
        link.execute(LEDGER)
        for number in range(_version(link, schema) + 1, len(_steps) + 1):
            step = _steps[number - 1]
            link.execute(step().encode())
            link.execute(TAKEN, (number, step.__name__))


def lock_number(*names: str) -> int:
    """The number that an advisory lock of this name has on the whole server."""
    digest = hashlib.sha256("\x00".join(("muniment", *names)).encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def _version(link: Link, schema: str) -> int:
    ledger = sql.Identifier(schema, "migration").as_string(link)
    (known,) = link.execute(KNOWN, (ledger,)).fetchone() or (False,)
    if not known:
        return 0
    (version,) = link.execute(VERSION).fetchone() or (0,)
    if version > len(_steps):
        raise StoreError(
            f"the schema has version {version} and this program knows only {len(_steps)}"
        )
    return int(version)

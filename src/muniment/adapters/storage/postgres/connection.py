"""PostgreSQL connection: its settings, and requirements on the server."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgspec
import psycopg
from psycopg import sql

from muniment.adapters.storage.postgres import errors, keepalive
from muniment.adapters.storage.postgres.keepalive import GRACE_SECONDS, AttentiveLink
from muniment.adapters.storage.postgres.schema import migrations
from muniment.adapters.storage.postgres.schema.stream_names import StreamHome
from muniment.model.errors import InputError, StoreError

Link = psycopg.Connection[tuple[Any, ...]]

SERVER_MIN: Final = 15
SCHEMA: Final = "muniment"
SCHEMA_NAME: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}", re.ASCII)
CONNECT_TIMEOUT_SECONDS: Final = 10

# A search path with pg_temp at its end, or a temporary table could stand in for one of ours.
# Plans are short and many: compiling them costs more than it gives. Everything is asked by a key,
# in the order of an index: a plan made while a table was small must not read all of a large one.
SETTINGS: Final = """
SET search_path TO {schema}, pg_temp;
SET statement_timeout TO {statement_ms};
SET lock_timeout TO {lock_ms};
SET idle_in_transaction_session_timeout TO {idle_ms};
SET synchronous_commit TO on;
SET default_transaction_isolation TO 'read committed';
SET jit TO off;
SET enable_seqscan TO off;
SET enable_bitmapscan TO off;
"""
TIMEOUT: Final = "SELECT set_config('statement_timeout', %s, false)"
# What row security then shows; for this transaction only, never for the session.
NAME: Final = """
SELECT set_config('muniment.tenant', %s, true), set_config('muniment.stream', %s, true),
  set_config('muniment.persona', %s, true)
"""
PROMISES: Final = "SELECT current_setting('server_version_num')::int, current_setting('fsync')"


class Reach(msgspec.Struct, frozen=True, kw_only=True):
    """Where the server is, and how long we wait for it."""

    dsn: str
    schema: str = SCHEMA
    statement_timeout_ms: int = 60_000
    whole_log_timeout_ms: int = 3_600_000  # what is done to all of a log at once
    lock_timeout_ms: int = 10_000
    idle_timeout_ms: int = 60_000


def check_schema(name: str) -> None:
    if not SCHEMA_NAME.fullmatch(name) or name.startswith("pg_"):
        raise InputError(f"{name[:70]!r} is not the name of a schema: small letters, digits and _")


def connect(reach: Reach) -> Link:
    """A new connection with our settings; any error here means that nothing was written."""
    try:
        link = AttentiveLink.connect(
            keepalive.with_keepalives(reach.dsn),
            autocommit=True,  # every call is a transaction of its own
            connect_timeout=CONNECT_TIMEOUT_SECONDS,
            client_encoding="utf8",
            application_name="muniment",
        )
    except psycopg.Error as error:
        raise errors.told(error) from error
    link.silence_seconds = _silence(reach.statement_timeout_ms)
    try:
        link.execute(_settings(reach))
    except psycopg.Error as error:
        link.close()
        raise errors.told(error) from error
    return link


def prepare(link: Link, reach: Reach) -> None:
    """What is asked once for each store: a server that keeps its word, and our tables on it."""
    try:
        version, fsync = link.execute(PROMISES).fetchone() or (0, "")
        if version < SERVER_MIN * 10_000:
            raise StoreError(f"PostgreSQL {version // 10_000} is too old; {SERVER_MIN} is needed")
        if fsync != "on":
            raise StoreError("the server runs with fsync off, so it may lose acknowledged writes")
        migrations.migrate(link, reach.schema)
    except psycopg.Error as error:
        raise errors.told(error) from error


@contextmanager
def unhurried(link: Link, reach: Reach) -> Iterator[None]:
    """Time for one call that goes through a whole log; who waits for a lock waits no longer."""
    link.execute(TIMEOUT, (str(reach.whole_log_timeout_ms),))
    with keepalive.listening(link, _silence(reach.whole_log_timeout_ms)):
        yield
    link.execute(TIMEOUT, (str(reach.statement_timeout_ms),))


def name(link: Link, place: StreamHome) -> None:
    """Let this transaction see one stream, as the functions do for themselves."""
    persona = "subconscious" if place.hidden else "actor"
    link.execute(NAME, (place.tenant.hex(), place.stream.hex(), persona))


def _silence(timeout_ms: int) -> float:
    return timeout_ms / 1000 + GRACE_SECONDS


def _settings(reach: Reach) -> sql.Composed:
    return sql.SQL(SETTINGS).format(
        schema=sql.Identifier(reach.schema),
        statement_ms=sql.Literal(reach.statement_timeout_ms),
        lock_ms=sql.Literal(reach.lock_timeout_ms),
        idle_ms=sql.Literal(reach.idle_timeout_ms),
    )

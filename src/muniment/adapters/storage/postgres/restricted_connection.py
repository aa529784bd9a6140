"""Restricted connections for untrusted SQL: bound to one tenant and persona.

It logs in as a guest. What its session may see follows from a row that a key has made for this
transaction alone, not from a setting that the session could change.
"""

import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg import sql

from muniment.adapters.storage.postgres import errors
from muniment.adapters.storage.postgres.connection import CONNECT_TIMEOUT_SECONDS, Reach
from muniment.model.errors import StoreError

Link = psycopg.Connection[tuple[Any, ...]]

KEY_BYTES: Final = 32
MAKE: Final = "INSERT INTO door (tenant, digest, hidden) VALUES (%s, %s, %s)"
CLOSE: Final = "DELETE FROM door WHERE tenant = %s"
# A login that could become somebody else is no guest.
WHO: Final = """
SELECT r.rolname FROM pg_roles AS r
WHERE pg_has_role(session_user, r.oid, 'MEMBER')
  AND (r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.oid IN (
    SELECT c.relowner FROM pg_class AS c WHERE c.relnamespace = to_regnamespace(%s)))
LIMIT 1
"""


def make_door(link: Link, tenant: bytes, *, hidden: bool = False) -> bytes:
    """A key to one tenant, for the owner of the tables to give out; it is shown once."""
    key = secrets.token_bytes(KEY_BYTES)
    link.execute(MAKE, (tenant, hashlib.sha256(key).digest(), hidden))
    return key


def close_doors(link: Link, tenant: bytes) -> None:
    """From the next transaction on, no key opens this tenant any more."""
    link.execute(CLOSE, (tenant,))


@contextmanager
def guest(reach: Reach, tenant: bytes, key: bytes) -> Iterator[Link]:
    """One transaction inside a tenant; the connection is never used for anything else."""
    try:
        link: Link = psycopg.connect(
            reach.dsn, connect_timeout=CONNECT_TIMEOUT_SECONDS, application_name="muniment guest"
        )
    except psycopg.Error as error:
        raise errors.told(error) from error
    try:
        powerful = link.execute(WHO, (reach.schema,)).fetchone()
        if powerful:
            raise StoreError(f"this login may switch to {powerful[0]}: it cannot be restricted")
        link.execute(
            sql.SQL("SET LOCAL search_path TO {}, pg_temp").format(sql.Identifier(reach.schema))
        )
        link.execute("SELECT enter(%s, %s)", (tenant, key))
        yield link
    except psycopg.Error as error:
        raise errors.told(error) from error
    finally:
        link.close()  # never back to a pool, and never committed: a guest leaves nothing behind

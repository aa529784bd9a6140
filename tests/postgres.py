"""A real PostgreSQL for the tests: one private server a session, a fresh schema each time."""

import itertools
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # imported late below: a run without these tests needs no driver
    from muniment.adapters.storage.postgres.dev_server import PostgresServer
    from muniment.adapters.storage.postgres.store import PostgresStore

NewStore = Callable[..., "PostgresStore"]

OWNER, READER = "ordinary_owner", "ordinary_reader"

_schemas = itertools.count(1)


def fresh_schema() -> str:
    return f"fresh_{next(_schemas)}"


def private_server() -> Iterator["PostgresServer"]:
    """A server of our own; without one the tests are skipped, and say so."""
    pytest.importorskip("psycopg", reason="PostgreSQL IS NOT TESTED: psycopg is not installed")
    from muniment.adapters.storage.postgres.dev_server import PostgresServer  # noqa: PLC0415
    from muniment.model.errors import StoreError  # noqa: PLC0415

    server = PostgresServer()
    try:
        server.start()
    except StoreError as error:
        server.remove()
        pytest.skip(f"PostgreSQL IS NOT TESTED: {error.detail}")
    yield server
    server.crash()  # nobody needs the data any more, and a clean end takes seconds
    server.remove()


@pytest.fixture(scope="session")
def postgres() -> Iterator["PostgresServer"]:
    yield from private_server()


@pytest.fixture
def new_postgres_store(postgres: "PostgresServer") -> Iterator[NewStore]:
    """Stores in a schema that nobody has used, or in one that is named; closed at the end."""
    from muniment.adapters.storage.postgres.store import PostgresStore  # noqa: PLC0415

    opened: list[PostgresStore] = []

    def new(schema: str = "") -> PostgresStore:
        opened.append(PostgresStore(postgres.dsn, schema=schema or fresh_schema()))
        return opened[-1]

    yield new
    for store in opened:
        store.close()


@pytest.fixture(scope="session")
def postgres_roles(postgres: "PostgresServer") -> "PostgresServer":
    """The server, with two roles that nobody would call powerful."""
    import psycopg  # noqa: PLC0415
    from psycopg import sql  # noqa: PLC0415

    with psycopg.connect(postgres.dsn) as link:
        for role in (OWNER, READER):
            link.execute(f"CREATE ROLE {role} LOGIN NOSUPERUSER NOBYPASSRLS".encode())
        database = sql.Identifier(link.info.dbname)
        link.execute(sql.SQL(f"GRANT CREATE ON DATABASE {{}} TO {OWNER}").format(database))
    return postgres


def address(server: "PostgresServer", role: str) -> str:
    return re.sub(r"\buser=\w+", f"user={role}", server.dsn)

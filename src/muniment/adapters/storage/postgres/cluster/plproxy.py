"""PL/Proxy: a database without data that routes each call to the stream's server.

Each function of a shard has a twin here with the same name and arguments, so a store talks to the
proxy as it would to one server. A stream lives where the hash of its tenant and agent says, or
where a move has put it; all streams of an agent begin together, and no call needs two servers.
"""

from collections.abc import Sequence
from typing import Any, Final

import psycopg
from psycopg import conninfo, sql

from muniment.adapters.storage.postgres import connection, errors
from muniment.adapters.storage.postgres.connection import Reach
from muniment.adapters.storage.postgres.schema import migrations
from muniment.model.errors import InputError, StoreError

Link = psycopg.Connection[tuple[Any, ...]]

EVERYWHERE: Final = ("list_streams", "list_tables", "rewrite_episodes")
ROUTED: Final = """
SELECT p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)
FROM pg_proc AS p WHERE p.pronamespace = to_regnamespace(%s)
  AND (pg_get_function_arguments(p.oid) LIKE 'p_tenant bytea, p_agent bytea, p_stream bytea, %%'
    OR p.proname = ANY (%s)) ORDER BY p.proname
"""
# How a shard is asked: as a store would ask it, see the settings of a connection.
OPTIONS: Final = (
    "-c search_path={schema},pg_temp -c synchronous_commit=on -c jit=off -c enable_seqscan=off"
    " -c enable_bitmapscan=off -c statement_timeout=60000 -c lock_timeout=10000"
)
TABLES: Final = """
CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY, name text);
CREATE TABLE IF NOT EXISTS shard (number integer PRIMARY KEY, address text NOT NULL);
CREATE TABLE IF NOT EXISTS moved (
  tenant bytea NOT NULL, stream bytea NOT NULL, shard integer NOT NULL,
  CONSTRAINT moved_place PRIMARY KEY (tenant, stream)
);
CREATE TABLE IF NOT EXISTS move (
  tenant bytea NOT NULL, stream bytea NOT NULL, source integer NOT NULL, target integer NOT NULL,
  CONSTRAINT move_place PRIMARY KEY (tenant, stream)
);
"""
# With the rights of its owner: who calls a twin may not read where others live.
SHARD_OF: Final = """
CREATE OR REPLACE FUNCTION shard_of(p_tenant bytea, p_agent bytea, p_stream bytea)
RETURNS integer LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  v_shard integer;
  v_hash bytea;
BEGIN
  SELECT m.shard INTO v_shard FROM moved AS m WHERE m.tenant = p_tenant AND m.stream = p_stream;
  IF FOUND THEN
    RETURN v_shard;
  END IF;
  v_hash := sha256(p_tenant || p_agent);
  RETURN (get_byte(v_hash, 0) * 65536 + get_byte(v_hash, 1) * 256 + get_byte(v_hash, 2)) % {count};
END $$;
"""
TWIN: Final = """
DROP FUNCTION IF EXISTS {name} CASCADE;
CREATE FUNCTION {name}({arguments}) RETURNS {result} LANGUAGE plproxy AS $$
  CLUSTER '{cluster}'; RUN ON {where};
$$;
"""
PLACE: Final = "{schema}.shard_of(p_tenant, p_agent, p_stream)"
TOOL: Final = "SELECT FROM pg_available_extensions WHERE name = 'plproxy'"
LOGIN: Final = """
SELECT o.option_name, o.option_value
FROM pg_user_mappings AS m, pg_options_to_table(m.umoptions) AS o
WHERE m.srvname = %s AND m.usename = 'public'
"""
ADDRESSES: Final = "SELECT number, address FROM shard ORDER BY number"


def is_available(link: Link) -> bool:
    return link.execute(TOOL).fetchone() is not None


def build(
    dsn: str, shards: Sequence[str], *, schema: str = connection.SCHEMA, login: str = ""
) -> None:
    """Make (or renew) the proxy at `dsn` over these servers; their tables are made where missing.

    `login` is whom the proxy is to the servers, for all its callers: a writer, and nobody who is
    exempt from row security. Without one it stays who it was; at first, who the addresses name.
    Needs a superuser on the proxy, once. The number of servers is a power of two; to have more of
    them later, pin what is there and move streams one by one: see the operations guide.
    """
    connection.check_schema(schema)
    if not shards or len(shards) & (len(shards) - 1):
        raise InputError("the number of servers must be 1, 2, 4, 8, …")
    routed = [_prepare(shard, schema) for shard in shards]
    try:
        with psycopg.connect(dsn, autocommit=True) as link:
            if not is_available(link):
                raise StoreError(
                    "PL/Proxy is not installed there: on Debian, apt-get install "
                    f"postgresql-{link.info.server_version // 10_000}-plproxy"
                )
            with link.transaction():
                _build(link, schema, shards, routed[0], login)
    except psycopg.Error as error:
        raise errors.told(error) from error


def is_one(link: Link) -> bool:
    """Whether the current schema is that of a proxy."""
    found = link.execute("SELECT to_regclass('shard') IS NOT NULL").fetchone()
    return found == (True,)


def cluster(schema: str) -> str:
    """What PL/Proxy calls the servers behind a schema."""
    return f"{schema}_shards"


def login_of(link: Link, schema: str) -> str:
    """Whom this proxy is to its servers; empty where there is none yet."""
    return _mapped(link, schema).get("user", "")


def addresses(link: Link) -> list[str]:
    """Where the shards of the current schema are, by their numbers."""
    return [address for _, address in link.execute(ADDRESSES).fetchall()]


def pin(link: Link) -> int:
    """Write down where every stream lives now, so that a change of their number moves nothing."""
    pinned = 0
    (schema,) = link.execute("SELECT current_schema()").fetchone() or ("",)
    listing = sql.SQL("SELECT tenant, stream FROM {} WHERE state < 2")
    for number, address in enumerate(addresses(link)):
        with psycopg.connect(address) as shard:
            heads = shard.execute(listing.format(sql.Identifier(schema, "head"))).fetchall()
        for tenant, stream in heads:
            pinned += link.execute(
                "INSERT INTO moved VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
                (tenant, stream, number),
            ).rowcount
    return pinned


def _prepare(shard: str, schema: str) -> list[tuple[str, str, str]]:
    """Tables and functions on one server; what of them a proxy passes on."""
    reach = Reach(dsn=shard, schema=schema)
    link = connection.connect(reach)
    try:
        connection.prepare(link, reach)
        return link.execute(ROUTED, (schema, list(EVERYWHERE))).fetchall()
    except psycopg.Error as error:
        raise errors.told(error) from error
    finally:
        link.close()


def _build(
    link: Link,
    schema: str,
    shards: Sequence[str],
    routed: list[tuple[str, str, str]],
    login: str,
) -> None:
    before = _mapped(link, schema)
    given = {name: str(its) for name, its in conninfo.conninfo_to_dict(shards[0]).items() if its}
    user = login or before.get("user") or given.get("user") or link.info.user
    known = (its.get("password") for its in (given, before) if its.get("user") == user)
    password = next((each for each in known if each), "")
    named = {"schema": sql.Identifier(schema), "cluster": sql.Identifier(cluster(schema))}
    link.execute("CREATE EXTENSION IF NOT EXISTS plproxy")
    link.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {schema}").format(**named))
    link.execute(sql.SQL("SET LOCAL search_path TO {schema}, pg_temp").format(**named))
    link.execute(TABLES)
    link.execute(sql.SQL("DROP SERVER IF EXISTS {cluster} CASCADE").format(**named))
    link.execute(_server(schema, shards))
    link.execute(_mapping(schema, user, password))
    link.execute("DELETE FROM shard")
    for number, shard in enumerate(shards):
        link.execute("INSERT INTO shard VALUES (%s, %s)", (number, shard))
    link.execute(SHARD_OF.format(count=len(shards)).encode())
    for name, arguments, result in routed:
        where = "ALL" if name in EVERYWHERE else PLACE.format(schema=schema)
        twin = TWIN.format(
            name=name, arguments=arguments, result=result, cluster=cluster(schema), where=where
        )
        link.execute(twin.encode())
    for number, step in migrations.ledger():
        link.execute(migrations.TAKEN, (number, step))
    link.execute(migrations.CLOSED)


def _mapped(link: Link, schema: str) -> dict[str, str]:
    return dict(link.execute(LOGIN, (cluster(schema),)).fetchall())


def _mapping(schema: str, user: str, password: str) -> sql.Composed:
    """Options of a server are for everybody to read, those of a mapping are not."""
    options = {"user": user} | ({"password": password} if password else {})
    return sql.SQL("CREATE USER MAPPING FOR PUBLIC SERVER {} OPTIONS ({})").format(
        sql.Identifier(cluster(schema)),
        sql.SQL(", ").join(
            sql.SQL("{} {}").format(sql.SQL(name), sql.Literal(value))
            for name, value in options.items()
        ),
    )


def _server(schema: str, shards: Sequence[str]) -> sql.Composed:
    options: list[sql.Composable] = [sql.SQL("connection_lifetime '1800'")]
    for number, shard in enumerate(shards):
        parts = conninfo.conninfo_to_dict(shard)
        for kept in ("user", "password"):
            parts.pop(kept, None)
        address = conninfo.make_conninfo(
            "",
            **{**parts, "options": OPTIONS.format(schema=schema), "application_name": "muniment"},
        )
        options.append(sql.SQL("{} {}").format(sql.SQL(f"p{number}"), sql.Literal(address)))
    return sql.SQL("CREATE SERVER {} FOREIGN DATA WRAPPER plproxy OPTIONS ({})").format(
        sql.Identifier(cluster(schema)), sql.SQL(", ").join(options)
    )

"""Roles on a PL/Proxy database: those of a server, with functions and without tables.

A proxy uses one login on the servers behind it, whoever calls. So the rights of a caller are the
proxy functions that its role may execute. No role may read where a stream is stored: the one
function that must know runs with the rights of its owner.
"""

from collections.abc import Iterator
from typing import Any, Final

import psycopg
from psycopg import sql

from muniment.adapters.storage.postgres.cluster import plproxy
from muniment.adapters.storage.postgres.schema import roles, schema_check
from muniment.adapters.storage.postgres.schema.roles import PREFIX

Link = psycopg.Connection[tuple[Any, ...]]

ROLES: Final = ("writer", "eraser", "reader", "auditor")
KEPT: Final = ("shard", "moved", "move", "migration")
TWINS: Final = """
SELECT p.proname, p.oid::regprocedure::text FROM pg_proc AS p
JOIN pg_language AS l ON l.oid = p.prolang
WHERE p.pronamespace = current_schema()::regnamespace
  AND (l.lanname = 'plproxy' OR p.proname = 'shard_of')
"""
SERVERS: Final = """
SELECT s.srvname, EXISTS (SELECT FROM aclexplode(s.srvacl) AS a WHERE a.grantee = 0),
  s.srvoptions::text ~ 'password *='
FROM pg_foreign_server AS s WHERE s.srvname = current_schema() || '_shards'
"""
FUNCTIONS: Final = """
SELECT p.proname, l.lanname, p.prosecdef, coalesce(p.proconfig::text, '')
FROM pg_proc AS p JOIN pg_language AS l ON l.oid = p.prolang
WHERE p.pronamespace = current_schema()::regnamespace ORDER BY 1
"""
EXEMPT: Final = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = %s"


def install(link: Link, schema: str, prefix: str = PREFIX) -> list[str]:
    """Make the roles that are missing on the proxy and grant each its twins; needs a superuser."""
    names = _names(prefix)
    with link.transaction():
        link.execute(sql.SQL("SET LOCAL search_path TO {}, pg_temp").format(sql.Identifier(schema)))
        roles.make(link, names)
        grant(link, schema, prefix)
    return names


def grant(link: Link, schema: str, prefix: str = PREFIX) -> None:
    """Give the roles that there are what is theirs; a proxy that was renewed begins without."""
    have = {name for (name,) in link.execute(roles.EXISTING, (_names(prefix),)).fetchall()}
    twins: dict[str, str] = dict(link.execute(TWINS).fetchall())
    if f"{prefix}_owner" in have:
        _hand_over(link, schema, f"{prefix}_owner", twins["shard_of"])
    for role, wanted in granted(set(twins)).items():
        if f"{prefix}_{role}" not in have:
            continue
        to = sql.Identifier(f"{prefix}_{role}")
        cluster = sql.Identifier(plproxy.cluster(schema))
        order = sql.SQL("GRANT USAGE ON SCHEMA {} TO {}; GRANT USAGE ON FOREIGN SERVER {} TO {}")
        link.execute(order.format(sql.Identifier(schema), to, cluster, to))
        for thing, rights in wanted.items():
            what = f"FUNCTION {twins[thing]}" if thing in twins else thing
            link.execute(f"GRANT {rights} ON {what} TO {to.as_string(link)}".encode())


def granted(twins: set[str]) -> dict[str, dict[str, str]]:
    """What each role may do here: of its functions on a server, those that have a twin."""
    return {
        role: {name: "EXECUTE" for name in roles.GRANTS[role] if name in twins}
        | {"shard_of": "EXECUTE", "migration": "SELECT"}
        for role in ROLES
    }


def lint(link: Link, prefix: str = "") -> list[str]:
    """Everything that is not as it must be on a proxy; with a prefix, its roles too."""
    told = [*schema_check.public(link), *_functions(link), *_servers(link), *_logins(link)]
    if prefix:
        twins = {name for name, _ in link.execute(TWINS).fetchall()}
        told += schema_check.rights(link, prefix, granted(twins))
    return told


def _functions(link: Link) -> Iterator[str]:
    for name, language, definer, config in link.execute(FUNCTIONS).fetchall():
        if name == "shard_of":
            if not definer or "pg_temp" not in config.split(",")[-1]:
                yield "shard_of: must run as its owner, with a fixed search path"
        elif language != "plproxy" or definer:
            yield f"{name}: is no twin of a function on the servers"


def _servers(link: Link) -> Iterator[str]:
    for name, everybody, secret in link.execute(SERVERS).fetchall():
        if everybody:
            yield f"server {name}: is open to everybody"
        if secret:
            yield f"server {name}: shows a password to whoever reads the catalogue"


def _logins(link: Link) -> Iterator[str]:
    """Row security shows everything to some: the login of a proxy must not be one of them."""
    (schema,) = link.execute("SELECT current_schema()").fetchone() or ("",)
    login = plproxy.login_of(link, str(schema))
    for number, address in enumerate(plproxy.addresses(link)):
        with psycopg.connect(address) as shard:
            (exempt,) = shard.execute(EXEMPT, (login,)).fetchone() or (True,)
        if exempt:
            yield f"shard {number}: {login}, whom the proxy is there, is exempt from row security"


def _hand_over(link: Link, schema: str, owner: str, shard_of: str) -> None:
    to = sql.Identifier(owner).as_string(link)
    place = sql.Identifier(schema).as_string(link)
    link.execute(f"GRANT USAGE, CREATE ON SCHEMA {place} TO {to}".encode())
    for table in KEPT:
        link.execute(f"ALTER TABLE {table} OWNER TO {to}".encode())
    link.execute(f"ALTER FUNCTION {shard_of} OWNER TO {to}".encode())


def _names(prefix: str) -> list[str]:
    return [f"{prefix}_{role}" for role in ("owner", *ROLES)]

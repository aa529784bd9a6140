"""Schema check: the catalogue of a server compared with what it must be, violation by violation."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import psycopg

from muniment.adapters.storage.postgres.schema.roles import GRANTS, ROLES
from muniment.adapters.storage.postgres.schema.row_security import OWNED, WALLED

Link = psycopg.Connection[tuple[Any, ...]]

DEFINERS: Final = {"enter", "bound_tenant", "bound_hidden", "rewrite_episodes"}
STABLE: Final = {"bound_tenant", "bound_hidden", "list_tables"}
KEYLESS: Final = {"migration"}  # the ledger of the schema itself belongs to no tenant
RIGHT: Final = re.compile(r"(\w+)(?: \(([^)]*)\))?")

TABLES: Final = """
SELECT relname, relrowsecurity AND relforcerowsecurity FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'f') ORDER BY 1
"""
POLICIES: Final = """
SELECT tablename, policyname, permissive, cmd, roles::text,
  coalesce(qual, ''), coalesce(with_check, '')
FROM pg_policies WHERE schemaname = current_schema() ORDER BY 1, 2
"""
VIEWS: Final = """
SELECT relname, relkind::text, coalesce(reloptions::text, '') FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('v', 'm') ORDER BY 1
"""
FUNCTIONS: Final = """
SELECT proname, prosecdef, proleakproof, provolatile::text, coalesce(proconfig::text, '')
FROM pg_proc WHERE pronamespace = current_schema()::regnamespace ORDER BY 1
"""
PUBLIC: Final = """
SELECT 'table ' || c.relname FROM pg_class AS c, aclexplode(c.relacl) AS a
WHERE c.relnamespace = current_schema()::regnamespace AND a.grantee = 0
UNION SELECT 'column of ' || c.relname FROM pg_class AS c
  JOIN pg_attribute AS t ON t.attrelid = c.oid, aclexplode(t.attacl) AS a
WHERE c.relnamespace = current_schema()::regnamespace AND a.grantee = 0
UNION SELECT 'function ' || p.proname FROM pg_proc AS p
WHERE p.pronamespace = current_schema()::regnamespace AND (p.proacl IS NULL
  OR EXISTS (SELECT FROM aclexplode(p.proacl) AS a WHERE a.grantee = 0))
UNION SELECT 'schema ' || n.nspname FROM pg_namespace AS n, aclexplode(n.nspacl) AS a
WHERE n.oid = current_schema()::regnamespace AND a.grantee = 0
ORDER BY 1
"""
KEYS: Final = """
SELECT c.relname, a.attname FROM pg_class AS c
LEFT JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1
"""
FOREIGN: Final = """
SELECT conrelid::regclass::text, conname FROM pg_constraint
WHERE connamespace = current_schema()::regnamespace AND contype = 'f' ORDER BY 1
"""
SLEEPING: Final = """
SELECT tgrelid::regclass::text, tgname FROM pg_trigger
WHERE tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)
  AND NOT tgisinternal AND tgenabled <> 'A' ORDER BY 1
"""
POWERFUL: Final = """
SELECT rolname FROM pg_roles
WHERE rolname = ANY (%s) AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb)
"""
RIGHTS: Final = """
SELECT thing, array_agg(DISTINCT right_) FROM (
  SELECT c.relname AS thing, a.privilege_type AS right_
  FROM pg_class AS c, aclexplode(c.relacl) AS a
  WHERE c.relnamespace = current_schema()::regnamespace AND a.grantee = to_regrole(%(role)s)
  UNION SELECT c.relname, a.privilege_type || ' (' || t.attname || ')'
  FROM pg_class AS c JOIN pg_attribute AS t ON t.attrelid = c.oid, aclexplode(t.attacl) AS a
  WHERE c.relnamespace = current_schema()::regnamespace AND a.grantee = to_regrole(%(role)s)
  UNION SELECT p.proname, a.privilege_type
  FROM pg_proc AS p, aclexplode(p.proacl) AS a
  WHERE p.pronamespace = current_schema()::regnamespace AND a.grantee = to_regrole(%(role)s)
) AS its GROUP BY thing ORDER BY thing
"""


def lint(link: Link, prefix: str = "") -> list[str]:
    """Everything that is not as it must be in the current schema; with a prefix, its roles too."""
    checks = (_tables, _policies, _views, _functions, public, _keys, _rest)
    told = [offence for check in checks for offence in check(link)]
    return told + (list(rights(link, prefix, GRANTS)) if prefix else [])


def _tables(link: Link) -> Iterator[str]:
    found: dict[str, bool] = dict(link.execute(TABLES).fetchall())
    yield from (f"{table}: row security is not forced" for table, ok in found.items() if not ok)
    known = {*WALLED, *OWNED}
    yield from (f"{table}: nobody knows this table" for table in found if table not in known)
    yield from (f"{table}: is missing" for table in known if table not in found)


def _policies(link: Link) -> Iterator[str]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for table, *policy in link.execute(POLICIES).fetchall():
        found.setdefault(table, []).append(tuple(policy))
    for table in WALLED:
        yield from (f"{table}: {offence}" for offence in _gaps(found.get(table, [])))
    for table in set(OWNED) - {"migration"}:
        if [policy[0] for policy in found.get(table, [])] != ["owner_only"]:
            yield f"{table}: is for its owner only"


def _gaps(policies: list[tuple[str, ...]]) -> Iterator[str]:
    for wanted in ("tenant", "persona"):
        if not any(_is_wall(policy, wanted) for policy in policies):
            yield f"no restrictive policy for every command asks for the {wanted}"
    for name, kind, _, roles, qual, check in policies:
        if kind == "PERMISSIVE" and roles == "{public}" and "true" in (qual, check):
            yield f"{name} lets everybody see everything"


def _is_wall(policy: tuple[str, ...], wanted: str) -> bool:
    _, kind, command, roles, qual, check = policy
    asks = f"'muniment.{wanted}'"
    whole = kind == "RESTRICTIVE" and command == "ALL" and roles == "{public}"
    return whole and asks in qual and asks in check


def _views(link: Link) -> Iterator[str]:
    for view, kind, options in link.execute(VIEWS).fetchall():
        if kind == "m":
            yield f"{view}: a materialized view knows no row security"
        elif "security_invoker=true" not in options:
            yield f"{view}: runs with the rights of its owner"


def _functions(link: Link) -> Iterator[str]:
    for name, definer, leakproof, volatile, config in link.execute(FUNCTIONS).fetchall():
        if "search_path=" not in config or "pg_temp" not in config.split(",")[-1]:
            yield f"{name}: its search path is not fixed, with pg_temp last"
        if definer and name not in DEFINERS:
            yield f"{name}: runs with the rights of its owner"
        if leakproof:
            yield f"{name}: is trusted with what row security hides"
        if volatile != ("s" if name in STABLE else "v"):
            yield f"{name}: has the wrong volatility"


def public(link: Link) -> Iterator[str]:
    """What is open to everybody: nothing may be."""
    for (thing,) in link.execute(PUBLIC).fetchall():
        yield f"{thing}: is open to everybody"


def _keys(link: Link) -> Iterator[str]:
    for table, first in link.execute(KEYS).fetchall():
        if first != "tenant" and table not in KEYLESS:
            yield f"{table}: its key does not begin with the tenant"


def _rest(link: Link) -> Iterator[str]:
    for table, name in link.execute(FOREIGN).fetchall():
        yield f"{table}: the foreign key {name} looks behind every wall"
    for table, name in link.execute(SLEEPING).fetchall():
        yield f"{table}: the trigger {name} does not always fire"


def rights(link: Link, prefix: str, wants: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """Where the roles may do more than they are wanted to, or less."""
    names = [f"{prefix}_{role}" for role in ROLES]
    for (name,) in link.execute(POWERFUL, (names,)).fetchall():
        yield f"{name}: is more powerful than any role of ours may be"
    for role, grants in wants.items():
        have: dict[str, list[str]] = dict(
            link.execute(RIGHTS, {"role": f"{prefix}_{role}"}).fetchall()
        )
        for thing in sorted({*grants, *have}):
            wanted, got = _spelled(grants.get(thing, "")), set(have.get(thing, ()))
            yield from (f"{prefix}_{role}: may {right} {thing}" for right in sorted(got - wanted))
            yield from (f"{prefix}_{role}: lacks {right} {thing}" for right in sorted(wanted - got))


def _spelled(rights: str) -> set[str]:
    """As the catalogue tells it: one right for each column."""
    return {
        f"{right} ({column})" if column else right
        for right, columns in RIGHT.findall(rights)
        for column in columns.split(", ")
    }

"""Roles of the server: seven, none of which contains another.

Nobody here is a superuser or exempt from row security. The roles log nobody in: an operator gives
one of them to each login. What a role may do is a table that the catalogue is compared with.
"""

from typing import Any, Final

import psycopg
from psycopg import sql

from muniment.adapters.storage.postgres.schema.row_security import OWNED, WALLED

Link = psycopg.Connection[tuple[Any, ...]]

PREFIX: Final = "muniment"
ROLES: Final = ("owner", "migrator", "writer", "eraser", "reader", "auditor", "guest")
READS: Final = (
    "read_head",
    "find_operation",
    "list_streams",
    "read_entries",
    "pick_entries",
    "find_about",
    "find_births",
    "read_rows",
    "read_checkpoint",
    "read_segments",
    "read_episodes",
)
WRITES: Final = (
    "stay",
    "check_upto",
    "append_entries",
    "change_shelves",
    "put_shelves",
    "reset_projections",
    "put_segment",
)
COMMITMENTS: Final = "SELECT (tenant, stream, hidden, seq, hash, header)"
# Table or function: what may be done with it. An entry has no UPDATE and no DELETE for anybody.
GRANTS: Final[dict[str, dict[str, str]]] = {
    "writer": {
        "head": "SELECT, INSERT, UPDATE (seq, hash)",
        "entry": "SELECT, INSERT",
        "fragment": "SELECT, INSERT",
        "shelf_row": "SELECT, INSERT, UPDATE (died), DELETE",
        "checkpoint": "SELECT, INSERT, UPDATE (seq, data), DELETE",
        "segment": "SELECT, INSERT, UPDATE (upto, data), DELETE",
        "episode": "SELECT, INSERT, UPDATE (died), DELETE",
        "migration": "SELECT",
        **dict.fromkeys((*WRITES, *READS), "EXECUTE"),
    },
    "eraser": {
        "head": "SELECT, UPDATE (seq)",  # to lock it: the trigger lets nobody set it back
        "fragment": "SELECT, UPDATE (data)",
        "episode": "SELECT, DELETE",
        **dict.fromkeys(
            ("stay", "shred_subject", "empty_parts", "rewrite_episodes", "read_raw", "list_tables"),
            "EXECUTE",
        ),
    },
    "reader": {
        **dict.fromkeys((*WALLED, "episodic_stage1", "migration"), "SELECT"),
        **dict.fromkeys(READS, "EXECUTE"),
    },
    "auditor": {
        "head": "SELECT",
        "entry": COMMITMENTS,
        "migration": "SELECT",
        **dict.fromkeys(("read_head", "list_streams"), "EXECUTE"),
    },
    "guest": {
        **dict.fromkeys((*WALLED, "episodic_stage1"), "SELECT"),
        **dict.fromkeys(("enter", "bound_tenant", "bound_hidden"), "EXECUTE"),
    },
}
# A guest sees what its door opened, whatever it names: these two come on top of the other walls.
BOUND: Final = """
DROP POLICY IF EXISTS guest_reads ON {table};
DROP POLICY IF EXISTS guest_is_bound ON {table};
CREATE POLICY guest_reads ON {table} AS PERMISSIVE FOR SELECT TO {guest} USING (true);
CREATE POLICY guest_is_bound ON {table} AS RESTRICTIVE FOR ALL TO {guest}
  USING (tenant = (SELECT bound_tenant()) AND (NOT hidden OR (SELECT bound_hidden())))
  WITH CHECK (false);
"""
LEDGER: Final = """
DROP POLICY IF EXISTS anybody_may_ask ON migration;
CREATE POLICY anybody_may_ask ON migration AS PERMISSIVE FOR SELECT USING (true);
"""
EXISTING: Final = "SELECT rolname FROM pg_roles WHERE rolname = ANY (%s)"
OBJECTS: Final = """
SELECT CASE c.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, c.oid::regclass::text
FROM pg_class AS c
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v')
UNION ALL SELECT 'FUNCTION', p.oid::regprocedure::text FROM pg_proc AS p
WHERE p.pronamespace = current_schema()::regnamespace
"""
FUNCTIONS: Final = """
SELECT p.proname, p.oid::regprocedure::text FROM pg_proc AS p
WHERE p.pronamespace = current_schema()::regnamespace
"""


def install(link: Link, schema: str, prefix: str = PREFIX) -> list[str]:
    """Make the roles that are missing, hand the schema to its owner, grant each role its own.

    Needs a superuser, once; harmless when repeated. Returns the names of the roles.
    """
    names = [f"{prefix}_{role}" for role in ROLES]
    with link.transaction():
        link.execute(sql.SQL("SET LOCAL search_path TO {}, pg_temp").format(sql.Identifier(schema)))
        make(link, names)
        link.execute(_told("GRANT {} TO {}", f"{prefix}_owner", f"{prefix}_migrator"))
        _hand_over(link, schema, f"{prefix}_owner")
        functions: dict[str, str] = dict(link.execute(FUNCTIONS).fetchall())
        for role, grants in GRANTS.items():
            link.execute(_told("GRANT USAGE ON SCHEMA {} TO {}", schema, f"{prefix}_{role}"))
            for thing, rights in grants.items():
                kind, name = ("FUNCTION ", functions[thing]) if thing in functions else ("", thing)
                to = sql.Identifier(f"{prefix}_{role}").as_string(link)
                link.execute(f"GRANT {rights} ON {kind}{name} TO {to}".encode())
        for table in WALLED:
            guest = sql.Identifier(f"{prefix}_guest").as_string(link)
            link.execute(BOUND.format(table=table, guest=guest).encode())
        link.execute(LEDGER)
    return names


def make(link: Link, names: list[str]) -> None:
    """Those of the roles that are missing; they log nobody in."""
    have = {name for (name,) in link.execute(EXISTING, (names,)).fetchall()}
    for name in names:
        if name not in have:
            order = "CREATE ROLE {} NOLOGIN NOSUPERUSER NOBYPASSRLS NOINHERIT"
            link.execute(sql.SQL(order).format(sql.Identifier(name)))


def _hand_over(link: Link, schema: str, owner: str) -> None:
    link.execute(_told("ALTER SCHEMA {} OWNER TO {}", schema, owner))
    to = sql.Identifier(owner).as_string(link)
    for kind, name in link.execute(OBJECTS).fetchall():
        link.execute(f"ALTER {kind} {name} OWNER TO {to}".encode())
    for table in OWNED:
        link.execute(f"ALTER POLICY owner_only ON {table} TO {to}".encode())


def _told(order: str, *names: str) -> sql.Composed:
    return sql.SQL(order).format(*(sql.Identifier(name) for name in names))

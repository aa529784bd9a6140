"""Citus: DDL that distributes the tables by their first column, and its checks.

Citus cannot be had everywhere, so this is written for a person who has it: run the statements as
the owner on the coordinator, once the schema is there. A stream never spans tenants and no
transaction crosses a stream, so every call stays on one worker, row security and all.
"""

from collections.abc import Iterator
from typing import Any, Final

import psycopg

from muniment.adapters.storage.postgres.schema.row_security import WALLED

Link = psycopg.Connection[tuple[Any, ...]]

COLUMN: Final = "tenant"
LOCAL: Final = ("door", "guest", "migration")  # small, and asked by every session: on each node
UNIQUE: Final = """
SELECT c.relname, i.indexrelid::regclass::text, a.attname
FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
LEFT JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
WHERE c.relnamespace = current_schema()::regnamespace AND i.indisunique
"""
COLUMNS: Final = """
SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum = 1
  AND a.attname = %s
"""
ROUTED: Final = """
SELECT p.oid::regprocedure::text FROM pg_proc AS p
WHERE p.pronamespace = current_schema()::regnamespace
  AND pg_get_function_arguments(p.oid) LIKE 'p_tenant bytea, p_agent bytea, p_stream bytea, %%'
ORDER BY 1
"""


def statements(link: Link, schema: str) -> list[str]:
    """What to run on a coordinator, in this order."""
    first, *rest = WALLED
    told = ["CREATE EXTENSION IF NOT EXISTS citus;"]
    told.append(f"SELECT create_distributed_table('{schema}.{first}', '{COLUMN}');")
    told += [
        f"SELECT create_distributed_table('{schema}.{table}', '{COLUMN}',"
        f" colocate_with => '{schema}.{first}');"
        for table in rest
    ]
    told += [f"SELECT create_reference_table('{schema}.{table}');" for table in LOCAL]
    told += [
        f"SELECT create_distributed_function('{function}', 'p_tenant',"
        f" colocate_with => '{schema}.{first}');"
        for (function,) in link.execute(ROUTED).fetchall()
    ]
    return told


def lint(link: Link) -> Iterator[str]:
    """What would keep these tables from being distributed."""
    begin = {table for (table,) in link.execute(COLUMNS, (COLUMN,)).fetchall()}
    yield from (
        f"{table}: does not begin with the {COLUMN}" for table in WALLED if table not in begin
    )
    for table, index, first in link.execute(UNIQUE).fetchall():
        if table in WALLED and first != COLUMN:
            yield f"{index}: a unique key of {table} does not begin with the {COLUMN}"

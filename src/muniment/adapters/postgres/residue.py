"""The residue scan of a server: looks for byte strings in every row of every table of a schema.

It shares no code with what erases: it asks the catalogue which tables there are and reads them
whole: stream by stream, where row security shows one at a time. It sees what a query can see. What
an old version of a row leaves in pages that are not yet vacuumed, in the server's own log and in
backups is beyond any query: the keys are gone, so only what was plain text could still be read
there.
"""

import hashlib
import json
from collections.abc import Iterator
from typing import Final

import psycopg
from psycopg import sql

from muniment.adapters.postgres import connection, faults
from muniment.adapters.postgres.connection import Link, Reach
from muniment.engine.erase import Residue

TABLES: Final = """
SELECT c.relname, row_security_active(c.oid)
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = %s AND c.relkind IN ('r', 'p') ORDER BY c.relname COLLATE "C"
"""
STREAMS: Final = "SELECT list_streams()"


def scan(reach: Reach, needles: list[bytes]) -> Residue:
    """Which tables hold any of the needles; and a digest of what was looked at."""
    found: list[str] = []
    looked = hashlib.sha256()
    needles = sorted({form for needle in needles for form in _forms(needle)})
    link = connection.connect(reach)
    try:
        tables = link.execute(TABLES, (reach.schema,)).fetchall()
        streams = [stream.hex() for (stream,) in link.execute(STREAMS).fetchall()]
        for table, walled in tables:
            looked.update(table.encode() + b"\x00")
            place = sql.Identifier(reach.schema, table)
            hits = [
                _holds(_rows(link, place, stream), needles, looked)
                for stream in (streams if walled else [""])
            ]
            if any(hits):
                found.append(f"table {table}")
    except psycopg.Error as error:
        raise faults.told(error) from error
    finally:
        link.close()
    return Residue(files=len(tables), found=tuple(found), digest=looked.hexdigest())


def _rows(link: Link, table: sql.Identifier, stream: str) -> Iterator[bytes]:
    copy = sql.SQL("COPY {} TO STDOUT (FORMAT binary)").format(table)
    with link.transaction():
        link.execute(connection.NAME, (stream,))
        with link.cursor().copy(copy) as rows:
            for row in rows:  # the server sends whole rows, so no needle is cut in two
                yield bytes(row)


def _holds(rows: Iterator[bytes], needles: list[bytes], looked: "hashlib._Hash") -> bool:
    hit = False
    for row in rows:
        looked.update(row)
        hit = hit or any(needle in row for needle in needles)
    return hit


def _forms(needle: bytes) -> set[bytes]:
    """As it is, and as JSON spells it."""
    text = needle.decode(errors="replace")
    return {needle, json.dumps(text, ensure_ascii=False)[1:-1].encode()}

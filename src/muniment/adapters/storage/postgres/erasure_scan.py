"""The residue scan of a server: looks for byte strings in every row of every table of a schema.

It shares no code with what erases: it asks the catalogue which tables there are and reads them
whole, stream by stream, because row security shows one at a time; through a proxy it looks on
every server. It sees what a query can see. What an old version of a row leaves in pages that are
not yet vacuumed, in the server's own log and in backups is beyond any query: the keys are gone,
so only what was plain text could still be read there.
"""

import hashlib
import json
from collections.abc import Iterator
from itertools import islice
from typing import Final

import psycopg

from muniment.adapters.storage.multi_search import Needles
from muniment.adapters.storage.postgres import connection, errors
from muniment.adapters.storage.postgres.connection import Link, Reach
from muniment.adapters.storage.postgres.schema import stream_names
from muniment.adapters.storage.postgres.schema.stream_names import Homes, OneHome
from muniment.engine.audit.erasure_scan import Residue

TABLES: Final = "SELECT DISTINCT table_name FROM list_tables() ORDER BY 1"
STREAMS: Final = "SELECT stream FROM list_streams(%s::bytea[]) ORDER BY stream"
ROWS: Final = """
SELECT row_bytes FROM read_raw(%s::bytea, %s::bytea, %s::bytea, %s::boolean, %s::text)
"""
ROWS_AT_ONCE: Final = 4096
BORDER: Final = b"\xff" * 16  # between two rows: no text holds it


def scan(reach: Reach, needles: list[bytes], names: Homes | None = None) -> Residue:
    """Which tables hold any of the needles; and a digest of what was looked at."""
    whose = names or OneHome()
    found: list[str] = []
    looked = hashlib.sha256()
    sought = Needles(form for needle in needles for form in _forms(needle))
    link = connection.connect(reach)
    try:
        tables = [table for (table,) in link.execute(TABLES).fetchall()]
        streams = [s.hex() for (s,) in link.execute(STREAMS, (whose.tenants(),)).fetchall()]
        for table in tables:
            looked.update(table.encode() + b"\x00")
            hits = [
                _holds(_rows(link, (*stream_names.place(whose, stream), table)), sought, looked)
                for stream in streams
            ]
            if any(hits):
                found.append(f"table {table}")
    except psycopg.Error as error:
        raise errors.told(error) from error
    finally:
        link.close()
    return Residue(files=len(tables), found=tuple(found), digest=looked.hexdigest())


def _rows(link: Link, where: tuple[object, ...]) -> Iterator[bytes]:
    yield from (row for (row,) in link.execute(ROWS, where, binary=True).fetchall())


def _holds(rows: Iterator[bytes], needles: Needles, looked: "hashlib._Hash") -> bool:
    hit = False
    while part := list(islice(rows, ROWS_AT_ONCE)):
        for row in part:
            looked.update(row)
        hit = hit or bool(needles.within(BORDER.join(part)))
    return hit


def _forms(needle: bytes) -> set[bytes]:
    """As it is, and as JSON spells it."""
    text = needle.decode(errors="replace")
    return {needle, json.dumps(text, ensure_ascii=False)[1:-1].encode()}

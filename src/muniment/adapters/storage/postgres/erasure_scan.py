"""Erasure on a server: deleted plain rows are written over, then every row and file is scanned.

The scan shares no code with what erases: it asks the catalogue which tables there are and reads
them whole, stream by stream, because row security shows one at a time; through a proxy it looks on
every server. Where the login may read the server's files, it also reads those of the open table,
with whatever a query no longer shows. The server's own write-ahead log, its replicas and its
backups are beyond any query: what was sealed is unreadable there since the keys are gone, and what
was plain text stays as long as the operations guide says.
"""

import hashlib
import json
import time
from collections.abc import Iterator
from itertools import islice
from typing import Final

import psycopg

from muniment.adapters.storage.multi_search import Needles
from muniment.adapters.storage.postgres import connection, errors
from muniment.adapters.storage.postgres.connection import Link, Reach
from muniment.adapters.storage.postgres.schema import stream_names
from muniment.adapters.storage.postgres.schema.stream_names import Homes, OneHome
from muniment.adapters.storage.postgres.schema.write_functions import SEEN
from muniment.engine.audit.erasure_scan import Residue
from muniment.model.errors import StoreError

TABLES: Final = "SELECT DISTINCT table_name FROM list_tables() ORDER BY 1"
STREAMS: Final = "SELECT stream FROM list_streams(%s::bytea[]) ORDER BY stream"
ROWS: Final = """
SELECT row_bytes FROM read_raw(%s::bytea, %s::bytea, %s::bytea, %s::boolean, %s::text)
"""
HERE: Final = "SELECT to_regclass('episode') IS NOT NULL"
MARK: Final = "SELECT pg_current_xact_id()::text::bigint"
REWRITE: Final = "SELECT rewritten FROM rewrite_episodes(%s::bigint)"
MAY_READ_FILES: Final = """
SELECT has_function_privilege('pg_read_binary_file(text, bigint, bigint, boolean)', 'EXECUTE')
"""
# The open table, its long values and its indexes.
FILES: Final = """
SELECT c.relname::text, pg_relation_filepath(c.oid), pg_relation_size(c.oid)
FROM pg_class AS c, pg_class AS t WHERE t.oid = to_regclass('episode') AND (
  c.oid IN (t.oid, t.reltoastrelid)
  OR c.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid IN (t.oid, t.reltoastrelid))
) ORDER BY 1
"""
PIECE: Final = "SELECT pg_read_binary_file(%s, %s, %s, true)"
FILE_BYTES_MAX: Final = 1 << 30  # of one file of the server; a larger table has several
CHUNK_BYTES: Final = 1 << 23
PAUSE_MS: Final = 50
ROWS_AT_ONCE: Final = 4096
BORDER: Final = b"\xff" * 16  # between two rows: no text holds it


def rewrite(reach: Reach) -> None:
    """Write the open table anew, so that no page keeps what was deleted from it.

    Whoever began before the rows were deleted may still see them: it waits as for a lock.
    """
    link = connection.connect(reach)
    try:
        here = link.execute(HERE).fetchone() == (True,)
        (mark,) = (link.execute(MARK).fetchone() if here else None) or (None,)
        for _ in range(0, reach.lock_timeout_ms, PAUSE_MS):
            if _is_rewritten(link, reach, mark):
                return
            time.sleep(PAUSE_MS / 1000)
    except psycopg.Error as error:
        raise errors.told(error) from error
    finally:
        link.close()
    raise StoreError("somebody still reads the old rows; they are not gone yet")


def _is_rewritten(link: Link, reach: Reach, mark: int | None) -> bool:
    try:
        with connection.unhurried(link, reach):
            link.execute(REWRITE, (mark,)).fetchall()
    except psycopg.Error as error:
        if SEEN in (error.sqlstate, _code_in(error)):
            return False
        raise
    return True


def _code_in(error: psycopg.Error) -> str:
    """A proxy passes on the sentence of a server, and its code only inside that."""
    return SEEN if f"[{SEEN}]" in str(error) else ""


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
        found += _files_that_hold(link, sought)
    except psycopg.Error as error:
        raise errors.told(error) from error
    finally:
        link.close()
    return Residue(files=len(tables), found=tuple(found), digest=looked.hexdigest())


def _files_that_hold(link: Link, needles: Needles) -> Iterator[str]:
    """Which files of the open table hold any of the needles, where we may look at all."""
    if link.execute(MAY_READ_FILES).fetchone() != (True,):
        return
    for name, path, size in link.execute(FILES).fetchall():
        parts = [f"{path}.{n}" if n else path for n in range(size // FILE_BYTES_MAX + 1)]
        if any(_file_holds(link, part, needles) for part in parts):
            yield f"file of {name}"


def _file_holds(link: Link, path: str, needles: Needles) -> bool:
    overlap, at = max(needles.longest - 1, 0), 0
    while True:
        row = link.execute(PIECE, (path, at, CHUNK_BYTES + overlap), binary=True).fetchone()
        piece = row[0] if row else None
        if not piece:
            return False
        if needles.within(piece):
            return True
        at += CHUNK_BYTES


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

"""Repair of a file whose derived pages are damaged, from its log.

SQLite cannot empty a table that it cannot walk through, so shelves on a damaged page could never be
put in order again. What the log holds is copied to a file of its own, and that file's pages take
the place of all there were: in one transaction of SQLite's, so that whoever has the file open goes
on with it, and whoever pulls the plug leaves the old pages or the new.
"""

import contextlib
from pathlib import Path
from typing import Final

import apsw

from muniment.adapters.storage.sqlite import connection, schema
from muniment.adapters.storage.sqlite.connection_pool import StreamFile
from muniment.adapters.system import durable_files

BESIDE: Final = ".mending"
TRUTH: Final = (
    ("SELECT seq, hash, header, operation FROM entry NOT INDEXED ORDER BY seq", "entry", 4),
    ("SELECT number, ref FROM subject NOT INDEXED ORDER BY number", "subject", 2),
    ("SELECT place, subject, data FROM fragment NOT INDEXED ORDER BY place", "fragment", 3),
    (schema.PARTLESS, "partless", 1),
)


def tidy(path: Path) -> Path:
    """The place beside a file, without what a run that was killed has left there."""
    beside = path.with_suffix(BESIDE)
    for suffix in ("", "-wal", "-shm"):
        beside.with_name(beside.name + suffix).unlink(missing_ok=True)
    return beside


def mend(file: StreamFile) -> None:
    """Keep the log and nothing else; the caller has verified every link of it."""
    beside = tidy(file.path)
    durable_files.create(beside)
    try:
        with contextlib.closing(connection.connect(beside, shredding=lambda: False)) as fresh:
            fresh.authorizer = None
            _carry(file.path, fresh)
            fresh.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            file.replace_pages(fresh)
    finally:
        tidy(file.path)


def _carry(path: Path, fresh: apsw.Connection) -> None:
    with contextlib.closing(connection.reading(path)) as log:
        log.set_busy_timeout(connection.BUSY_TIMEOUT_MS)
        fresh.execute("BEGIN IMMEDIATE")
        for chosen, table, width in TRUTH:
            marks = ", ".join("?" * width)
            fresh.executemany(f"INSERT INTO {table} VALUES ({marks})", log.execute(chosen))  # noqa: S608  our own tables
        fresh.execute("COMMIT")

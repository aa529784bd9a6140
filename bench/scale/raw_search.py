"""The baseline: chained rows of plain SQLite with a full-text index beside them, nothing more."""

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw

from bench.raw import header

SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS memory (
  seq INTEGER PRIMARY KEY, person TEXT, hash BLOB, header BLOB, text TEXT);
CREATE INDEX IF NOT EXISTS memory_person ON memory (person);
CREATE VIRTUAL TABLE IF NOT EXISTS word USING fts5 (
  person, text, content='memory', content_rowid='seq');
"""
LAST = "SELECT seq, hash FROM memory ORDER BY seq DESC LIMIT 1"
ADD = "INSERT INTO memory VALUES (?, ?, ?, ?, ?)"
ADD_WORDS = "INSERT INTO word (rowid, person, text) VALUES (?, ?, ?)"
FIND = "SELECT memory.text FROM word JOIN memory ON memory.seq = word.rowid WHERE word MATCH ?"
FIND += " ORDER BY rank LIMIT 8"


class RawSearch:
    """Rows that can be searched, each linked to the one before."""

    def __init__(self, path: Path) -> None:
        self._db = apsw.Connection(str(path))
        self._db.execute(SCHEMA).fetchall()

    def begin(self, person: str) -> int:
        """Where the log of everybody ends."""
        del person
        return len(self._asked(LAST))

    def add(self, person: str, texts: Sequence[str]) -> None:
        """One durable transaction, an entry and a row of the index for each text."""
        self._db.execute("BEGIN IMMEDIATE")
        last: list[tuple[int, bytes]] = self._asked(LAST)
        seq, digest = last[0] if last else (0, bytes(32))
        rows = []
        for text in texts:
            seq += 1
            body = json.dumps(header(seq, "written"), sort_keys=True).encode()
            digest = hashlib.sha256(digest + body).digest()
            rows.append((seq, person, digest, body, text))
        self._db.executemany(ADD, rows)
        self._db.executemany(ADD_WORDS, [(row[0], person, row[4]) for row in rows])
        self._db.execute("COMMIT")

    def find(self, person: str, question: str) -> list[str]:
        words = " OR ".join(re.findall(r"\w+", question))
        found = self._asked(FIND, f"person : {person} AND text : ({words})")
        return [str(text) for (text,) in found]

    def verify(self) -> int:
        """Every link again: what a proof does first of all."""
        digest, count = bytes(32), 0
        for stored, body in self._db.execute("SELECT hash, header FROM memory ORDER BY seq"):
            digest = hashlib.sha256(digest + bytes(body)).digest()
            assert stored == digest
            count += 1
        return count

    def _asked(self, sql: str, *values: str) -> list[tuple[Any, ...]]:
        return self._db.execute(sql, values).fetchall()

    def close(self) -> None:
        self._db.close()

"""The baseline on PostgreSQL: what a careful person would write by hand with psycopg.

The same rows and bytes of the same sizes as the engine writes, the same durable commit, a locked
head and a SHA-256 chain; no screening, no decision, no sealing, no proof, no open tables.
"""

import hashlib
import json

import psycopg

from bench.raw import SUBJECT, header

SCHEMA = """
CREATE TABLE IF NOT EXISTS raw_head (stream text PRIMARY KEY, seq bigint, hash bytea);
CREATE TABLE IF NOT EXISTS raw_entry (stream text, seq bigint, hash bytea, header bytea,
  operation text, PRIMARY KEY (stream, seq));
CREATE UNIQUE INDEX IF NOT EXISTS raw_operation ON raw_entry (stream, operation);
CREATE TABLE IF NOT EXISTS raw_fragment (stream text, seq bigint, subject text, data bytea,
  PRIMARY KEY (stream, seq));
CREATE INDEX IF NOT EXISTS raw_subject ON raw_fragment (stream, subject);
CREATE TABLE IF NOT EXISTS raw_item (stream text, shelf text, born bigint, n int, died bigint,
  id text, PRIMARY KEY (stream, shelf, born, n));
CREATE INDEX IF NOT EXISTS raw_item_id ON raw_item (stream, shelf, id);
"""
LOCK = "SELECT seq, hash FROM raw_head WHERE stream = %s FOR UPDATE"
MOVE = """
INSERT INTO raw_head VALUES (%s, %s, %s)
ON CONFLICT (stream) DO UPDATE SET seq = excluded.seq, hash = excluded.hash
"""
ADD_ENTRY = "INSERT INTO raw_entry VALUES (%s, %s, %s, %s, %s)"
ADD_FRAGMENT = "INSERT INTO raw_fragment VALUES (%s, %s, %s, %s)"
ADD_ITEM = "INSERT INTO raw_item (stream, shelf, born, n, id) VALUES (%s, %s, %s, %s, %s)"


class RawServer:
    """A chained log of sentences in one stream of its own."""

    def __init__(self, dsn: str, stream: str) -> None:
        self._link = psycopg.connect(dsn, autocommit=True)
        self._stream = stream
        self._seq = 0
        self._hash = bytes(32)
        self._entries: list[tuple[str, int, bytes, bytes, str | None]] = []
        self._fragments: list[tuple[str, int, str, bytes]] = []

    def remember(self, texts: list[str], at_once: int = 1) -> None:
        """One durable transaction; an entry asked and one written for so many sentences."""
        link, stream = self._link, self._stream
        with link.transaction(), link.cursor() as cursor:
            seq, self._hash = cursor.execute(LOCK, (stream,)).fetchone() or (0, bytes(32))
            self._seq, self._entries, self._fragments = int(seq), [], []
            items: list[tuple[str, str, int, int, str]] = []
            for start in range(0, len(texts), at_once):
                part = texts[start : start + at_once]
                self._add("asked", json.dumps({"texts": part}))
                self._add("written", json.dumps({"texts": part, "id": f"ep:{self._seq}"}))
                items += [
                    (stream, "episodic", self._seq, n, f"ep:{self._seq}-{n}")
                    for n in range(len(part))
                ]
            cursor.executemany(ADD_ENTRY, self._entries)
            cursor.executemany(ADD_FRAGMENT, self._fragments)
            cursor.executemany(ADD_ITEM, items)
            cursor.execute(MOVE, (stream, self._seq, self._hash))

    def close(self) -> None:
        self._link.close()

    def _add(self, kind: str, content: str) -> None:
        self._seq += 1
        body = json.dumps(header(self._seq, kind), sort_keys=True).encode()
        self._hash = hashlib.sha256(self._hash + body).digest()
        key = f"key-{self._seq}" if kind == "asked" else None
        self._entries.append((self._stream, self._seq, self._hash, body, key))
        self._fragments.append((self._stream, self._seq, SUBJECT, content.encode()))

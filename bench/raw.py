"""The baseline: what a careful person would write by hand on plain SQLite, and nothing more.

The same tables, the same rows and bytes of the same sizes, one transaction at the same settings,
canonical JSON and a SHA-256 chain; no screening, no decision, no sealing, no proof.
"""

import hashlib
import json
from pathlib import Path

import apsw

SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE entry (seq INTEGER PRIMARY KEY, hash BLOB, header BLOB, operation TEXT UNIQUE);
CREATE TABLE fragment (seq INTEGER PRIMARY KEY, subject TEXT, data BLOB);
CREATE TABLE item (shelf TEXT, born INTEGER, died INTEGER, id TEXT, PRIMARY KEY (shelf, born));
CREATE INDEX item_id ON item (shelf, id);
CREATE INDEX fragment_subject ON fragment (subject);
"""
SUBJECT = "0" * 32


class RawStore:
    """A chained log of sentences with the entries and rows that the engine writes for them."""

    def __init__(self, path: Path) -> None:
        self._db = apsw.Connection(str(path))
        self._db.execute(SCHEMA).fetchall()
        self._seq = 0
        self._hash = b"\x00" * 32
        self._entries: list[tuple[int, bytes, bytes, str | None]] = []
        self._fragments: list[tuple[int, str, bytes]] = []

    def remember(self, texts: list[str], asked_at_once: int = 1) -> None:
        """One durable transaction: an entry for what was asked, one and a row for each sentence."""
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        db.execute("SELECT seq, hash FROM entry ORDER BY seq DESC LIMIT 1").fetchall()
        self._entries, self._fragments, items = [], [], []
        for start in range(0, len(texts), asked_at_once):
            part = texts[start : start + asked_at_once]
            self._add("asked", json.dumps({"texts": part}))
            for text in part:
                self._add("written", json.dumps({"text": text, "id": f"ep:{self._seq}"}))
                items.append(("episodic", self._seq, f"ep:{self._seq}"))
        db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?)", self._entries)
        db.executemany("INSERT INTO fragment VALUES (?, ?, ?)", self._fragments)
        db.executemany("INSERT INTO item (shelf, born, id) VALUES (?, ?, ?)", items)
        db.execute("COMMIT")

    def remember_together(self, texts: list[str], at_once: int) -> None:
        """The same sentences with one chained entry for so many of them, and a row for each."""
        db = self._db
        db.execute("BEGIN IMMEDIATE")
        self._entries, self._fragments, items = [], [], []
        for start in range(0, len(texts), at_once):
            part = texts[start : start + at_once]
            self._add("asked", json.dumps({"texts": part}))
            self._add("written", json.dumps({"texts": part}))
            items += [(f"episodic-{n}", self._seq, f"ep:{self._seq}-{n}") for n in range(len(part))]
        db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?)", self._entries)
        db.executemany("INSERT INTO fragment VALUES (?, ?, ?)", self._fragments)
        db.executemany("INSERT INTO item (shelf, born, id) VALUES (?, ?, ?)", items)
        db.execute("COMMIT")

    def _add(self, kind: str, content: str) -> None:
        self._seq += 1
        body = json.dumps(header(self._seq, kind), sort_keys=True).encode()
        self._hash = hashlib.sha256(self._hash + body).digest()
        key = f"key-{self._seq}" if kind == "asked" else None
        self._entries.append((self._seq, self._hash, body, key))
        self._fragments.append((self._seq, SUBJECT, content.encode()))

    def close(self) -> None:
        self._db.close()


def header(seq: int, kind: str) -> dict[str, object]:
    return {
        "v": 1,
        "seq": seq,
        "id": f"01JGFJJZ3VMYAGTAHDYYH{seq:05d}",
        "type": kind,
        "cause": seq,
        "job": seq,
        "tick": 0,
        "ts": "2027-01-01T00:00:00.000Z",
        "policy": "0" * 64,
        "body": {"n": 1, "form": "entry", "source": "agent", "actor": SUBJECT},
        "parts": [{"subject": SUBJECT, "commitment": "0" * 64, "bucket": 256}],
    }

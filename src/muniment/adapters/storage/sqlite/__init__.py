"""SQLite store: one file for each stream, durable before it answers."""

from muniment.adapters.storage.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]

"""The store on disk: one SQLite file per stream, durable before it answers."""

from muniment.adapters.storage.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]

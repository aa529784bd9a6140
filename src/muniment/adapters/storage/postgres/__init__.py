"""The store on a PostgreSQL server: one function call per append, durable before it answers."""

from muniment.adapters.storage.postgres.store import PostgresStore

__all__ = ["PostgresStore"]

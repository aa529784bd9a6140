"""PostgreSQL store: one function call for each append, durable before it answers."""

from muniment.adapters.storage.postgres.store import PostgresStore

__all__ = ["PostgresStore"]

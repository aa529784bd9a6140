"""The store on a PostgreSQL server: one function call per append, durable before it answers."""

from muniment.adapters.postgres.store import PostgresStore

__all__ = ["PostgresStore"]

"""PostgreSQL schema: tables, roles, server functions, row security, migrations."""

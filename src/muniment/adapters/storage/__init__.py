"""Stores: SQLite folders, PostgreSQL and plain memory behind one port."""

"""Maintenance: dream, learn, compaction and expiry."""

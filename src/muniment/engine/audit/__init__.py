"""Audit: replay, provenance, statistics, signatures and erasure, all read from the log."""

"""Projections that a process keeps beside the log: search indexes, mirrors, memory types."""

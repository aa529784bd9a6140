"""Projections of memos: scratchpads, shelves, reads and threads."""

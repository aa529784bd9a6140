"""Decisions about memos: what is kept, forgotten, compacted, and how threads go on."""

"""Memos and turns: memorize, memory types, turn export and promotion requests."""

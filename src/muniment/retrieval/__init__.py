"""Retrieval: tokenizing, indexing, ranking and packing, as pure functions."""

"""Embedders: a text as a vector, by a table, an encoder, MiniLM or a server."""

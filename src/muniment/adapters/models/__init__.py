"""Embedders: texts as vectors, each behind the same port, none needed by any other part."""

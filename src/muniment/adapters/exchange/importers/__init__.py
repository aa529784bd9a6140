"""Importers: one reader for each format, with its texts, values and what it skips."""

"""Importers: one reader for each format, as the words, values and skipped things it holds."""

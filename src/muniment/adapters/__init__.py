"""Edges: the only floor that touches the world; clocks, files, terminals and stores live here."""

"""Language knowledge: detection, small talk, query expansion and one table per language."""

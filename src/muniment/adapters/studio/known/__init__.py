"""Catalogue of what is known about each person, folded from the logs, as the studio shows it."""

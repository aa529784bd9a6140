"""What is known, by person: the catalogue folded from the logs, and how a page tells it."""

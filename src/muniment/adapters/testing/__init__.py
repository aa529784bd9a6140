"""Memory test kit: a repeatable memory, and what it must and must not tell, as assertions."""

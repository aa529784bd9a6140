"""Memory test kit: a repeatable memory, and assertions about what it must and must not return."""

"""Scale: one person with very many memories, and very many people in one store."""

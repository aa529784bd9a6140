"""Learning with a model: facts extracted from what was kept, entities, and structured values."""

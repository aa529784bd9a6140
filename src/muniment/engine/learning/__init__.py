"""Learning with a model: extracted facts, entities, structured values and cited summaries."""

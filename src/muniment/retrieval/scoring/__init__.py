"""Scores that the seeds prescribe: word overlap, fuzzy likeness, relevance in a conversation."""

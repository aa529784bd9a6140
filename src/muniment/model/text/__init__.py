"""Text primitives: tokens, sentences, similarity and near-duplicates, the same on every Python."""

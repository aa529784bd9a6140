"""Search index: postings, vectors, columns and segments, fed by the log."""

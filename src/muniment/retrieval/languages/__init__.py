"""Languages in retrieval: detection, small talk and phrases for states."""

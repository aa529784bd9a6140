"""Context assembly: candidates of every memory type, one ranking, one token budget."""

"""Truth: an append-only, hash-chained log, and the port through which it is stored."""

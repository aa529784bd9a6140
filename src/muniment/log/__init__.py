"""Log: append-only and hash-chained, with the port through which it is stored."""

"""One file for each page: what it shows, as plain values for its template."""

"""Studio pages, one file each: what it shows, as plain values for its template."""

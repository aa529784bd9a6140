"""HTTP routes, one file per slice of the API."""

"""HTTP API: one typed table of routes, from which OpenAPI is generated."""

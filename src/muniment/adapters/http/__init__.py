"""The HTTP door: one table of routes, typed, guarded, and described as it is."""

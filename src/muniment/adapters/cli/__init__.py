"""Command line interface, for people, scripts and pipes."""

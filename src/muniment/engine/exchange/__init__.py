"""Exchange: export of a memory as records of a file, and import of such records."""

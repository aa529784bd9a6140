"""Exchange: what a memory holds as records of a file, and such records carried into another."""

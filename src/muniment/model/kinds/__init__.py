"""Record types: the value that each kind of memory keeps, and who said it."""

"""Exchange files: the format that a memory is exported in, and readers of what others wrote."""

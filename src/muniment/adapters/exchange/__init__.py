"""Exchange files: the export format, and readers of other products' formats."""

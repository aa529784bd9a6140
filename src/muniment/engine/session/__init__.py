"""Sessions: who calls, in which stream, and the receipts that wait to be logged."""

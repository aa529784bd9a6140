"""Filters: what a caller narrows a read by, before anything is ranked."""

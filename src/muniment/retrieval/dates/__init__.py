"""Dates in text: mentions, relative dates and the interval in which a statement holds."""

"""Phrases: what a text says around what it tells: of whom, to whom, and instead of what."""

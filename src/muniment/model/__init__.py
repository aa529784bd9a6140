"""Nouns: the frozen values that everything else is said in."""

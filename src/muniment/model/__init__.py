"""Data model: the frozen values that every other floor uses."""

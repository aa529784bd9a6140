"""Decisions about changes as a whole: rolled back, undone, held, or made in a branch."""

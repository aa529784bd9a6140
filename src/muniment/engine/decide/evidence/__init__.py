"""Decisions about changes as a whole: a source rolled back, a change undone, a legal hold."""

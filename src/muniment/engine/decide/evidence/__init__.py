"""Decisions about past changes: rollback, undo, legal hold and branches."""

"""Decisions of a conversation: what is recorded, promoted to a space, retracted, expired."""

"""Adapters for agent frameworks, which store their values in namespaces of the log."""

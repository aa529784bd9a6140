"""Adapters for agent frameworks: what a framework puts lies in namespaces of the log."""

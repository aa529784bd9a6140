"""Adapters for agent frameworks: what a framework puts lies in drawers of the log."""

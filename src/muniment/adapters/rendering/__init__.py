"""Rendering: log entries as plain text and sentences, policies as files."""

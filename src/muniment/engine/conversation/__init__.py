"""Conversations: record and recall around an AI call, spaces, threads and their trace."""

"""The public API: memory, agent, job, documents, council and admin."""

"""Projections of a job: its ticks, working and consolidated memory, goals."""

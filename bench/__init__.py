"""Figures, each beside a baseline that did the same work in the same run."""

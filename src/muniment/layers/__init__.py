"""Projections: how each kind of memory is folded from the log; a fold never decides."""

"""How much of a thing a test does: as often as fits a suite, or as a soak wants it."""

import os


def times(usual: int, soak: int) -> int:
    """`make soak` gives the share of a whole soak in percent; it never does less than the suite."""
    share = os.getenv("MUNIMENT_SOAK")
    return max(usual, soak * int(share) // 100) if share else usual

"""How long records stay untouchable, counted in observed days."""

from muniment.model import ids
from muniment.model.policy import Governance


def held(oldest_at: str, now_at: str, policy: Governance) -> bool:
    """Whether the retention still runs; without an observed day it does."""
    if not oldest_at or not now_at:
        return True
    return ids.day_number(now_at) - ids.day_number(oldest_at) < policy.retention_epochs

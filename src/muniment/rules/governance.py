"""Approval rules: who must approve, exactly what, and when a vote counts."""

from typing import Final

from muniment.model import canonical_json
from muniment.model.kinds.episode import Value
from muniment.model.policy import Governance

APPROVE: Final = "approve"
REJECT: Final = "reject"
ABSTAIN: Final = "abstain"
VOTES: Final = frozenset({APPROVE, REJECT, ABSTAIN})
ACTIONS: Final = frozenset(
    {"sem_write", "delete", "erase", "policy_change", "coefficient_change", "identity_patch"}
)


def binding(action: str, key: str, value: Value, expected_head: int, expires_at_tick: int) -> str:
    """An approval binds bytes: this action, this key, this value, this version, this deadline."""
    parts = [action, key, value, expected_head, expires_at_tick]
    return canonical_json.digest("muniment/v1/request", canonical_json.encode(parts)).hex()


def required_approval(action: str, policy: Governance) -> str:
    """Deletions need an administrator's hand as well as the council's voice."""
    word = "council_quorum" if policy.quorum > 1 else "owner"
    return f"{word}+admin" if action in {"delete", "erase"} else word


def refusal_of_vote(
    *, vote: str, member: str, barred: str, votes: dict[str, str], bound: bool
) -> str:
    """Why a vote does not count; empty when it does."""
    if vote not in VOTES:
        return "vote_unknown"
    if member == barred:
        return "vote_by_requester"
    if member in votes:
        return "vote_already_cast"
    return "" if bound else "vote_binds_other_bytes"


def tally(votes: dict[str, str]) -> tuple[int, int]:
    """Approvals and rejections; an abstention is heard and does not count."""
    cast = list(votes.values())
    return cast.count(APPROVE), cast.count(REJECT)


def outcome(votes: dict[str, str], policy: Governance, *, deadline: bool) -> str:
    """`approved`, `rejected`, `expired`, or empty while the question is open. Ties reject."""
    approvals, rejections = tally(votes)
    if deadline:
        if approvals + rejections == 0:
            return "expired"
        return "approved" if approvals > rejections and approvals >= policy.quorum else "rejected"
    if approvals + rejections < policy.quorum:
        return ""
    return "approved" if approvals > rejections else "rejected"

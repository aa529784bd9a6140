"""Write gate of a conversation: privacy, write policy, event types, kinds and signal."""

from typing import Final

import msgspec

from muniment.model.kinds.conversation_item import EventType, Kind
from muniment.model.policy import Policy
from muniment.model.policy.conversation import ADMITTED, WritePolicy
from muniment.model.text.tokens import tokens

LOW_SIGNAL: Final = frozenset(
    {"ok", "okay", "thanks", "thank you", "hello", "hi", "hey", "cool", "great"}
)
KEPT_TAG: Final = "kept_by:retention_rule"


class WriteAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """What someone wants to have written."""

    kind: Kind
    event_type: EventType
    text: str
    key: str = ""
    readable: bool = True  # screening left something to keep


def refusal(attempt: WriteAttempt, policy: Policy) -> str:
    """The stable code of the first rule that says no; empty when none does."""
    return (
        _privacy(attempt, policy)
        or _write_policy(attempt, policy)
        or _event_types(attempt, policy)
        or _low_signal(attempt)
    )


def tags(attempt: WriteAttempt, policy: Policy) -> tuple[str, ...]:
    """The rules that an admitted item passed."""
    level = (
        ()
        if attempt.kind is Kind.SHORT_TERM
        else (f"allowed_by:write_policy:{policy.writing.write_policy}",)
    )
    return (
        "allowed_by:privacy",
        *level,
        "allowed_by:policy_event_types",
        "allowed_by:promotion_rule",
    )


def _privacy(attempt: WriteAttempt, policy: Policy) -> str:
    if not attempt.readable:
        return "privacy_deny_sensitive"
    if policy.privacy.denies(attempt.text):
        return "privacy_deny_pattern"
    if attempt.kind is Kind.PROFILE and attempt.key not in policy.privacy.profile_keys:
        return "privacy_deny_profile_key"
    return ""


def _write_policy(attempt: WriteAttempt, policy: Policy) -> str:
    """Recent messages are the conversation itself: only the other kinds are a choice."""
    level = policy.writing.write_policy
    if attempt.kind is Kind.SHORT_TERM or attempt.event_type in ADMITTED[level]:
        return ""
    if level is WritePolicy.NONE:
        return "write_policy_none"
    if level is WritePolicy.MINIMAL:
        return "write_policy_minimal"
    return "write_policy_context"


def _event_types(attempt: WriteAttempt, policy: Policy) -> str:
    allowed, denied = policy.writing.allow_event_types, policy.writing.deny_event_types
    if attempt.event_type in denied or (allowed and attempt.event_type not in allowed):
        return "policy_deny_event_type"
    kinds = {
        Kind.SHORT_TERM: policy.promotion.short_term,
        Kind.SEMANTIC: policy.promotion.semantic,
        Kind.PROFILE: policy.promotion.profile,
    }
    return "" if attempt.event_type in kinds[attempt.kind] else "policy_deny_promotion"


def _low_signal(attempt: WriteAttempt) -> str:
    said = " ".join(tokens(attempt.text))
    quiet = attempt.kind is Kind.SEMANTIC and (not said or said in LOW_SIGNAL)
    return "policy_low_signal" if quiet else ""

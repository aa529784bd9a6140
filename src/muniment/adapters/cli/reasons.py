"""What a refusal means to a person: each stable reason in one clause of plain words."""

from typing import Final

REASONS: Final = {
    "PII_BLOCKED": "it holds private data, and there is no consent to keep it as it is",
    "PROMOTION_LOOP": "it has been promoted already",
    "access_needs_a_reason": "a privileged read needs a reason",
    "action_unknown": "there is no such action",
    "basis_unknown": "there is no such ground for an erasure",
    "confirmation_unknown": "I asked this user no such question, or it has been answered",
    "consent_for_one_job_needs_a_job": "a consent for one job needs an open job",
    "consent_needs_a_person": "a consent needs a person: name one with --user",
    "consent_unknown": "this user gave no such consent",
    "deletion_not_approved": "the council has not approved this deletion",
    "episode_unknown": "there is no such episode",
    "erasure_left_residue": "something of what must be gone is still in a file",
    "erasure_not_approved": "the council has not approved this erasure",
    "item_unknown": "there is no such item",
    "job_needs_a_seed": "a job needs a seed",
    "job_seed_used": "that seed belongs to another job",
    "key_changed_since_request": "the key has another value since this was requested",
    "key_not_canonical": "a key has four parts: scope/entity_type/entity_id/attribute",
    "key_scope_unknown": "there is no such scope of keys",
    "key_unknown": "there is no such fact",
    "needs_an_open_job": "this needs an open job",
    "paper_changed": "it has another version by now",
    "paper_unknown": "the drawer holds no such paper",
    "papers_not_a_list": "there is nothing to add, or too much at once",
    "pii_needs_consent": "it holds private data, and there is no consent to keep it",
    "policy_change_inside_job": "a policy changes between jobs, never inside one",
    "privacy_deny_sensitive": "it holds a secret, and secrets are never kept",
    "promotion_not_due": "it has not been used often enough",
    "request_unknown": "no such request waits for a vote",
    "retention_immutable": "it must still be kept",
    "role_not_allowed": "this role may not do that",
    "sem_needs_approval": "a lasting fact needs an approval here",
    "sem_not_your_own": "a user may only write facts about themselves",
    "summary_empty": "there is nothing in it",
    "text_empty": "there is nothing in it",
    "too_many_goals": "too many goals are open already",
    "too_many_requests": "too many requests are waiting already",
    "value_missing": "there is no value",
    "value_too_large": "the value is too large",
    "vote_already_cast": "this member has voted already",
    "vote_binds_other_bytes": "the vote was for something else",
    "vote_by_requester": "who asks for something cannot vote on it",
    "vote_unknown": "there is no such vote",
}


def because(reason: str) -> str:
    """The clause for a reason; a reason nobody has put into words speaks for itself."""
    return REASONS.get(reason, reason.replace("_", " "))

"""Which role may ask what: a table. No role contains another."""

from typing import Final

from muniment.model.scope import Role

AGENT: Final = frozenset({Role.AGENT, Role.USER, Role.ENGINE})

ALLOWED: Final[dict[str, frozenset[Role]]] = {
    "adopt_policy": frozenset({Role.ADMIN, Role.ENGINE}),
    "give_consent": frozenset({Role.USER}),
    "revoke_consent": frozenset({Role.USER}),
    "open_job": AGENT,
    "close_job": AGENT,
    "tick": AGENT | {Role.COUNCIL, Role.ADMIN},
    "set_goal": AGENT,
    "wm_insert": AGENT,
    "reference": AGENT,
    "promote": AGENT,
    "episodic_write": AGENT,
    "remember": AGENT,
    "confirm": frozenset({Role.USER}),
    "memory_promote_request": AGENT,
    "forget": frozenset({Role.USER, Role.AGENT, Role.ADMIN}),
    "record_outcome": frozenset({Role.ENGINE}),
    "record_recall": AGENT,
    "raise_request": frozenset({Role.ENGINE, Role.USER, Role.AGENT, Role.ADMIN}),
    "cast_vote": frozenset({Role.COUNCIL}),
    "sem_put": frozenset({Role.USER}),
    "sem_delete": frozenset({Role.ADMIN}),
    "begin_erasure": frozenset({Role.ADMIN}),
    "complete_erasure": frozenset({Role.ADMIN}),
    "record_incident": frozenset({Role.ENGINE}),
    "record_access": frozenset({Role.ADMIN, Role.COUNCIL}),
}


def refusal(asked: str, role: str) -> str:
    """Empty when the role may ask this; otherwise the stable reason."""
    return "" if Role(role) in ALLOWED[asked] else "role_not_allowed"

"""Which role may ask what, as a table in which no role contains another."""

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
    "remember_many": AGENT,
    "correct": AGENT,
    "confirm": frozenset({Role.USER}),
    "memory_promote_request": AGENT,
    "forget": frozenset({Role.USER, Role.AGENT, Role.ADMIN}),
    "record_outcome": frozenset({Role.ENGINE}),
    "record_recall": AGENT,
    "release_item": frozenset({Role.USER, Role.COUNCIL, Role.ADMIN}),
    "raise_request": frozenset({Role.ENGINE, Role.USER, Role.AGENT, Role.ADMIN}),
    "cast_vote": frozenset({Role.COUNCIL}),
    "sem_put": frozenset({Role.USER}),
    "sem_delete": frozenset({Role.ADMIN}),
    "begin_erasure": frozenset({Role.ADMIN}),
    "complete_erasure": frozenset({Role.ADMIN}),
    "record_incident": frozenset({Role.ENGINE}),
    "record_access": frozenset({Role.ADMIN, Role.COUNCIL}),
    "record_interaction": AGENT | {Role.ADMIN},
    "promote_item": AGENT,
    "start_phase": AGENT,
    "phase_diff": AGENT,
    "retract_item": AGENT,
    "undo_write": AGENT,
    "record_item_recall": AGENT,
    "admit_item": frozenset({Role.ENGINE}),
    "settle_promotion": frozenset({Role.ENGINE}),
    "observe_event": AGENT,
    "propose_patch": frozenset({Role.AGENT}),
    "mirror_event": frozenset({Role.ENGINE}),
    "defer_mirror": frozenset({Role.ENGINE}),
    "embed_event": frozenset({Role.ENGINE}),
    "regrade_event": frozenset({Role.ENGINE}),
    "summarise_loop": frozenset({Role.ENGINE}),
    "digest_loops": frozenset({Role.ENGINE}),
    "extract_skill": frozenset({Role.ENGINE}),
    "carry_out": frozenset({Role.ADMIN}),
    "put_paper": AGENT,
    "add_papers": AGENT,
    "drop_papers": AGENT,
    "file_papers": frozenset({Role.ENGINE}),
    "take_papers": frozenset({Role.ENGINE}),
    "memorize": AGENT,
    "track_tool": AGENT,
    "forget_memos": AGENT | {Role.ADMIN},
    "restore_memo": AGENT | {Role.ADMIN},
    "mark_memo": AGENT,
    "advance_goal": AGENT,
    "observe_mandates": frozenset({Role.AGENT, Role.ENGINE}),
    "record_export": AGENT,
}


def refusal(asked: str, role: str) -> str:
    """Empty when the role may ask this; otherwise the stable reason."""
    return "" if Role(role) in ALLOWED[asked] else "role_not_allowed"

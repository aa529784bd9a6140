"""Exchange record: one event of another memory's log as it is carried over, and its kind."""

from typing import Annotated, Final

import msgspec

from muniment.model.kinds.conversation_item import Space
from muniment.model.kinds.episode import Value

# The kind of each event that an exchange file may hold, by its wire name.
KIND_OF: Final = {
    "episodic_written": "episode",
    "episodes_written": "episode",
    "memory_forget": "episode",
    "memory_released": "episode",
    "item_written": "item",
    "item_denied": "item",
    "item_deleted": "item",
    "items_archived": "item",
    "phase_started": "item",
    "phase_dropped": "item",
    "memo_kept": "memo",
    "memo_shelved": "memo",
    "memo_marked": "memo",
    "memos_evicted": "memo",
    "memos_forgotten": "memo",
    "memos_compacted": "memo",
    "goal_set": "goal",
    "goal_advanced": "goal",
    "document_put": "document",
    "sem_put": "fact",
    "idetic_event": "loop",
    "ltm_regraded": "loop",
    "stm_summarised": "loop",
    "stm_digested": "loop",
    "skill_extracted": "skill",
    "summary_worded": "summary",
    "facts_extracted": "extraction",
    "thread_opened": "thread",
    "turn_taken": "thread",
    "link_decided": "thread",
    "links_retuned": "thread",
    "episode_opened": "thread",
    "episode_closed": "thread",
    "thread_closed": "thread",
    "thread_timeout_set": "thread",
    "job_opened": "working",
    "job_closed": "working",
    "ticked": "working",
    "wm_inserted": "working",
    "wm_expired": "working",
    "referenced": "working",
    "promotion_event": "working",
    "cwm_recomputed": "working",
    "cwm_expired": "working",
    "confirmation_asked": "question",
    "mandates_observed": "mandate",
    "PII_CONSENT": "consent",
    "policy_adopted": "policy",
    "hold_placed": "hold",
}
# Every other event, by its wire name, and why an exchange file does not hold it.
OUTCOME: Final = "what it changed stands in the records themselves"
RECEIPT: Final = "it tells what was asked of its own log and answered from it"
COUNCIL: Final = "it is bound to the council that was asked; what was decided is carried"
LOCAL: Final = "it is how one log is kept, and each keeps its own"
DERIVED: Final = "it is made again from the records"
LEFT_OUT: Final = {
    wire: why
    for why, wires in (
        (
            OUTCOME,
            "documents_dropped item_conflict item_expired item_promoted"
            " records_revived sem_delete source_rolled_back summary_undone extraction_undone"
            " link_settled confirmation_answered PII_CONSENT_REVOKE hold_lifted PII_REDACTED"
            " content_expired",
        ),
        (
            RECEIPT,
            "received memory_denied memory_recall items_recalled memory_echo context_assembled"
            " context_used task_ended outcome_recorded border_checked promotion_denied"
            " phase_diffed memo_declined external_output export_recorded admin_access_event"
            " incident",
        ),
        (
            COUNCIL,
            "action_request vote_cast request_settled request_forwarded identity_patch_proposed"
            " deletion_event erasure_completed",
        ),
        (LOCAL, "ledger_opened ledger_shelved forwarded branch_opened branch_closed"),
        (DERIVED, "ltm_mirrored ltm_deferred ltm_embedded vectors_recorded vectors_reached"),
    )
    for wire in wires.split()
}
PROFILE: Final = "profile"  # an item that says who somebody is
# What a memory may do, and not what it holds: it comes along only where that is asked for.
RULES: Final = frozenset({"consent", "hold", "policy"})
KINDS: Final = tuple(dict.fromkeys((*KIND_OF.values(), PROFILE)))
NOT_CARRIED: Final = "not_carried"  # the reason of an item of which only its number is carried

# Fields that name things. A name is never redacted, for then it would name something else; a
# record whose name is a secret is refused. Every other field is looked at as words are.
NAMES: Final = frozenset(
    {
        "agent_id",
        "authority",
        "channel",
        "checksum",
        "contradicts",
        "chunks_before",
        "dedup_key",
        "digest_id",
        "echo_of",
    }
    | {"displaced", "embedding", "episode_id", "episodic_id", "goal_id", "gone", "id", "item_id"}
    | {
        "item_ids",
        "job_seed",
        "key",
        "kind",
        "like",
        "lineage_ids",
        "loop_id",
        "loop_ids",
        "memo_id",
    }
    | {"memo_ids", "mirror_ids", "namespace", "owner", "pad", "parent_id", "phase_id", "place"}
    | {"places", "prior", "promoted_from", "reflective_log_id", "replaced_by", "request_id"}
    | {"sem_keys", "sem_snapshot_hash", "session", "skill_id", "source", "source_id", "source_name"}
    | {"source_turn_ids", "sources", "subject", "summary_of", "supersedes", "task_id", "told_by"}
    | {"trace_id", "type"}
    | {"brainstate_snapshot_id", "channels", "confirmation_id", "consent_id", "counter"}
    | {"cross_thread_episodes", "cwm_id", "cwm_id_item", "digest", "dropped", "ended"}
    | {"episodic_snapshot_id", "event_id", "hold_id", "kept", "linked_threads", "model"}
    | {"other_id", "person", "primary_episode_id", "replaced", "request", "scope"}
    | {"sem_snapshot_id", "space", "thread_id", "user_id", "wm_id"}
)
# Fields that hold fields of ours again; whatever else lies deeper is a caller's own.
STRUCTS: Final = frozenset(
    {"evidence", "handles", "item", "memo", "meta", "scores", "thread", "validity"}
    | {"citations", "hold", "link", "sentences"}
)


class CarriedRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What another log says: the wire name of its event, and the event's own fields.

    What belongs to a conversation also says whose space it is; the number of a space's ledger is
    each log's own and is not carried.
    """

    event: Annotated[str, msgspec.Meta(max_length=64)]
    data: Value  # nothing, once a screen has refused it
    space: Space | None = None
    owner: Annotated[str, msgspec.Meta(max_length=512)] = ""

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
}
PROFILE: Final = "profile"  # an item that says who somebody is
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
)
# Fields that hold fields of ours again; whatever else lies deeper is a caller's own.
STRUCTS: Final = frozenset({"evidence", "handles", "item", "memo", "meta", "scores", "validity"})


class CarriedRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What another log says: the wire name of its event, and the event's own fields.

    What belongs to a conversation also says whose space it is; the number of a space's ledger is
    each log's own and is not carried.
    """

    event: Annotated[str, msgspec.Meta(max_length=64)]
    data: Value  # nothing, once a screen has refused it
    space: Space | None = None
    owner: Annotated[str, msgspec.Meta(max_length=512)] = ""

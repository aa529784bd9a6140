"""Event names: each event type in plain words, and its content without codes."""

from collections.abc import Mapping
from typing import Final

from muniment.adapters.rendering import event_summary
from muniment.adapters.rendering.event_summary import Named, Worded, nobody
from muniment.log.entry import Line

NAMES: Final[Mapping[str, str]] = {
    "received": "Request",
    "policy_adopted": "Policy in force",
    "memory_denied": "Not kept",
    "PII_REDACTED": "Personal data taken out",
    "PII_CONSENT": "Consent given",
    "PII_CONSENT_REVOKE": "Consent revoked",
    "job_opened": "Job begins",
    "job_closed": "Job ends",
    "ticked": "Tick",
    "goal_set": "Goal",
    "wm_inserted": "Working memory",
    "wm_expired": "Left working memory",
    "referenced": "Used",
    "promotion_event": "Promoted",
    "cwm_recomputed": "Consolidated memory",
    "cwm_expired": "Left consolidated memory",
    "episodic_written": "Told",
    "episodes_written": "Told, several at once",
    "confirmation_asked": "Question to the person",
    "confirmation_answered": "Answer of the person",
    "request_forwarded": "Sent to the council",
    "memory_forget": "Forgotten",
    "content_expired": "Retention ended",
    "hold_placed": "Legal hold placed",
    "hold_lifted": "Legal hold lifted",
    "source_rolled_back": "Source rolled back",
    "records_revived": "Restored",
    "memory_echo": "Echo of an answer",
    "memory_recall": "Recall",
    "outcome_recorded": "Outcome of a call",
    "action_request": "Request to the council",
    "vote_cast": "Vote",
    "request_settled": "Request settled",
    "sem_put": "Approved fact",
    "sem_delete": "Approved fact retired",
    "deletion_event": "Erasure ordered",
    "erasure_completed": "Erasure completed",
    "incident": "Failure",
    "admin_access_event": "Administrator looked",
    "branch_opened": "Branch opened",
    "branch_closed": "Branch closed",
    "ledger_opened": "Memory space opened",
    "ledger_shelved": "Memory space put away",
    "item_written": "Kept from a conversation",
    "item_denied": "Not kept",
    "item_conflict": "Conflict settled",
    "item_expired": "Expired",
    "items_archived": "Put in the archive",
    "item_deleted": "Removed",
    "border_checked": "Border check",
    "forwarded": "Sent to another log",
    "item_promoted": "Promoted",
    "promotion_denied": "Not promoted",
    "phase_started": "Phase begins",
    "phase_dropped": "Phase dropped",
    "phase_diffed": "Phases compared",
    "items_recalled": "Recall",
    "memory_released": "Vouched for",
    "vectors_recorded": "Vectors recorded",
    "vectors_reached": "Vectors complete",
    "context_assembled": "Context",
    "context_used": "Feedback on a context",
    "task_ended": "Task ended",
    "idetic_event": "Event of a loop",
    "ltm_mirrored": "Event kept for later",
    "ltm_deferred": "Event to be kept later",
    "ltm_embedded": "Vector of an event",
    "ltm_regraded": "Importance changed",
    "stm_summarised": "Summary of a loop",
    "stm_digested": "Summary of several loops",
    "skill_extracted": "Skill learned",
    "identity_patch_proposed": "Change of identity proposed",
    "memo_kept": "Memo kept",
    "memo_declined": "Memo not kept",
    "memos_evicted": "Memos evicted",
    "memo_shelved": "Memo moved",
    "memos_forgotten": "Memos forgotten",
    "memo_marked": "Memo weighed",
    "goal_advanced": "Goal advanced",
    "mandates_observed": "Mandates",
    "export_recorded": "Turn exported",
    "memos_compacted": "Memos compacted",
    "external_output": "Answer of a model",
    "facts_extracted": "Facts extracted",
    "extraction_undone": "Extraction undone",
    "summary_worded": "Summary written",
    "summary_undone": "Summary undone",
    "thread_opened": "Thread begins",
    "turn_taken": "Turn",
    "link_decided": "Threads linked",
    "link_settled": "Link settled",
    "links_retuned": "Links tuned",
    "episode_opened": "Episode begins",
    "episode_closed": "Episode ends",
    "thread_closed": "Thread ends",
    "thread_timeout_set": "Time-out of threads",
    "document_put": "Document written",
    "documents_dropped": "Documents dropped",
}
# By whom a conversation was said; what is learned from it has another kind.
SAID: Final = {
    "user": "The person said",
    "ai": "The agent said",
    "tool": "A tool said",
    "system": "The system said",
}
LEARNED: Final = {"semantic": "Noted in a talk", "profile": "Added to the profile"}
IN_A_LOOP: Final = {
    "user_input": "Task",
    "actor_output": "Answer",
    "tool_call": "Tool call",
    "tool_result": "Result of a tool",
    "subconscious_prompt": "Prompt of the Subconscious",
    "subconscious_output": "Answer of the Subconscious",
    "system_event": "System event",
    "error": "Error",
}
# Where the name says what the gist begins with, or a code tells a person nothing.
SHORTER: Final[Mapping[str, str]] = {
    "received": "{actor:name} asks to {asked:command}",
    "policy_adopted": "version {digest:tag}",
    "item_written": "{item.told}",
    "idetic_event": "{content}",
    "confirmation_asked": "shall {key:leaf} be {value}?",
    "confirmation_answered": "{yes}",
    "request_forwarded": "{key:leaf} = {value}",
    "items_archived": "{item_ids:many} no longer at hand, still recalled",
    "memory_forget": "{item_id:words}",
    "memory_released": "{item_id:words}{reason:+: }",
    "referenced": "{item_id:words}",
    "item_conflict": "{winner_id:words} stands, {loser_id:words} does not ({rule})",
    "item_expired": "{item_id:words}: {reason}",
    "item_deleted": "{item_id:words}: {reason}",
    "item_promoted": "{from_id:words} goes from {from_space} to {to_space}: {reason}",
    "promotion_denied": "{item_id:words} stays in {from_space}: {reason}",
    "action_request": "{action:plain} {key:leaf}{value:brief}",
    "vote_cast": "{member:name} says {vote:plain}",
    "request_settled": "{outcome:plain}",
    "sem_put": "{key:leaf} = {value}",
    "sem_delete": "{key:leaf}",
    "hold_placed": "{hold.reason}",
    "branch_opened": "{name}",
    "branch_closed": "{name}: {outcome}",
    "phase_started": "phase {n} of {owner:plain}{name:+: }",
    "job_opened": "job {number}",
    "job_closed": "job {number}",
}


def name(line: Line) -> str:
    """What a person would call an entry; of an erased one, its kind alone."""
    kind, event = line.header.type, line.event
    if event_summary.is_erased(line):
        return NAMES[kind]
    if kind == "item_written":
        learned = LEARNED.get(str(getattr(event, "kind", "")))
        return learned or SAID[str(getattr(getattr(event, "item", None), "source", ""))]
    if kind == "idetic_event":
        return IN_A_LOOP[str(getattr(event, "kind", ""))]
    return NAMES[kind]


def gist(line: Line, named: Named = nobody, worded: Worded = nobody) -> str:
    """What an entry says beside its name; an id as what it stands for, where that is known."""
    return event_summary.gist(line, named, SHORTER.get(line.header.type, ""), worded)

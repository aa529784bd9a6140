"""Retention periods: the kind of record of a command, and the days that share one key."""

from collections.abc import Collection, Set
from typing import Final

from muniment.model import ids
from muniment.model.policy import Policy
from muniment.model.policy.keep_days import KINDS

DAY: Final = len("2026-03-05")
MONTH: Final = len("2026-03")

# By command: all that one call writes is of one kind. What is under no kind is kept for good: how
# a memory was governed, and what was destroyed.
COMMANDS: Final[dict[str, str]] = {
    "sentences": "remember remember_many correct confirm memory_promote_request forget"
    " restore_record release_item episodic_write roll_back revert_change",
    "conversations": "record_interaction retract_item undo_write promote_item admit_item"
    " settle_promotion hear_wish end_lapsed start_phase take_turn end_thread"
    " set_thread_timeout settle_link",
    "memos": "memorize track_tool forget_memos restore_memo mark_memo",
    "documents": "put_document add_documents drop_documents file_documents take_documents",
    "facts": "raise_request cast_vote sem_put sem_delete",
    "loops": "observe_event",
    "jobs": "open_job close_job tick set_goal wm_insert reference promote advance_goal"
    " observe_mandates record_export",
    "reads": "record_recall record_item_recall phase_diff record_context report_use report_outcome",
    "imports": "carry_records",
    "derived": "mirror_event defer_mirror embed_event regrade_event summarise_loop digest_loops"
    " extract_skill record_vectors record_output compact extract_facts undo_extraction"
    " word_summary undo_summary",
}
KIND_OF: Final = {name: kind for kind, names in COMMANDS.items() for name in names.split()}
assert set(COMMANDS) == set(KINDS), "every kind of record has its days in the policy"


def period(asked: str, at: str, policy: Policy) -> str:
    """The period of what a command tells: its kind, and the day where days count, else the month.

    Empty where it is kept for good, or where nobody knows when it was told.
    """
    kind = KIND_OF.get(asked, "")
    if not kind or not at:
        return ""
    return f"{kind}/{at[: DAY if policy.keep_days.of(kind) else MONTH]}"


def goes_on(named: str, policy: Policy) -> str:
    """The day on which a period goes under a policy; empty where it stays for good."""
    kind, _, days = named.partition("/")
    keep = policy.keep_days.of(kind)
    if not keep:
        return ""
    return ids.day_text(_last_day(days) + max(keep, policy.governance.retention_epochs))


def waiting(going: Set[str], ends: Collection[tuple[str, str]]) -> set[str]:
    """The periods that stay although they are over: what has ended stays ended.

    `ends` are the periods in which each record began and ended. The end of something that stays,
    stays as long.
    """
    found: set[str] = set()
    while True:
        left = going - found
        more = {end for birth, end in ends if end in left and birth not in left}
        if not more:
            return found
        found |= more


def _last_day(days: str) -> int:
    if len(days) == DAY:
        return ids.day_number(days)
    year, month = int(days[:4]), int(days[5:])
    return ids.days(year + month // 12, month % 12 + 1, 1) - 1

"""Every decision this system can take: a table of contents."""

from collections.abc import Callable
from typing import Final

from muniment.engine.decide import (
    council,
    documents,
    episodes,
    erasure,
    identity,
    jobs,
    loops,
    operations,
    policy,
    privacy,
    receipts,
    vectors,
    working_memory,
)
from muniment.engine.decide.conversation import expiry, phases, record, space_promotion
from muniment.engine.decide.decision_context import DecisionContext
from muniment.engine.decide.memos import compaction, forget, keep, threads, turn
from muniment.model.commands.command import Command
from muniment.model.events import AnyEvent, PiiRedacted, WriteDenied
from muniment.model.policy import Action
from muniment.rules import access

Decision = Callable[[DecisionContext], list[AnyEvent]]

DECISIONS: Final[dict[str, Decision]] = {
    "adopt_policy": policy.adopt,
    "give_consent": privacy.give,
    "revoke_consent": privacy.revoke,
    "open_job": jobs.open_job,
    "close_job": jobs.close_job,
    "tick": jobs.tick,
    "set_goal": jobs.set_goal,
    "wm_insert": working_memory.insert,
    "reference": working_memory.reference,
    "promote": working_memory.promote,
    "episodic_write": episodes.write,
    "remember": episodes.remember,
    "remember_many": episodes.remember_many,
    "correct": episodes.correct,
    "confirm": episodes.confirm,
    "memory_promote_request": episodes.request_promotion,
    "forget": episodes.forget,
    "record_recall": episodes.record_recall,
    "release_item": episodes.release,
    "record_vectors": vectors.record,
    "record_outcome": operations.record_outcome,
    "raise_request": council.raise_request,
    "cast_vote": council.cast_vote,
    "sem_put": council.put_fact,
    "sem_delete": council.retire_fact,
    "begin_erasure": erasure.begin,
    "complete_erasure": erasure.complete,
    "record_incident": operations.record_incident,
    "record_access": operations.record_access,
    "record_interaction": record.record,
    "record_item_recall": record.record_recall,
    "retract_item": record.retract,
    "undo_write": record.undo,
    "promote_item": space_promotion.promote_item,
    "admit_item": space_promotion.admit,
    "settle_promotion": space_promotion.settle,
    "end_lapsed": expiry.end,
    "start_phase": phases.start,
    "phase_diff": phases.diff,
    "observe_event": loops.observe,
    "propose_patch": identity.propose,
    "mirror_event": loops.mirror_event,
    "defer_mirror": loops.defer_mirror,
    "embed_event": loops.embed_event,
    "regrade_event": loops.regrade_event,
    "summarise_loop": loops.summarise_loop,
    "digest_loops": loops.digest_loops,
    "extract_skill": loops.extract_skill,
    "carry_out": identity.carry_out,
    "put_document": documents.put,
    "add_documents": documents.add,
    "drop_documents": documents.drop,
    "file_documents": documents.file,
    "take_documents": documents.take,
    "memorize": keep.memorize,
    "track_tool": turn.track,
    "forget_memos": forget.forget,
    "restore_memo": keep.restore,
    "mark_memo": keep.mark,
    "advance_goal": turn.advance_goal,
    "observe_mandates": turn.observe_mandates,
    "record_export": turn.record_export,
    "take_turn": threads.take_turn,
    "end_thread": threads.end,
    "set_thread_timeout": threads.set_timeout,
    "settle_link": threads.settle_link,
    "record_output": compaction.record_output,
    "compact": compaction.compact,
    "record_context": receipts.record,
    "report_use": receipts.report_use,
    "report_outcome": receipts.report_outcome,
}


def decide(now: DecisionContext) -> list[AnyEvent]:
    """What follows from what was received: pure, and total over the closed union."""
    received = now.received
    refused = access.refusal(received.asked, received.role) or received.refused
    redacted = _redacted(now)
    if refused:
        return [*redacted, WriteDenied(reason=refused, asked=received.asked)]
    return [*redacted, *DECISIONS[received.asked](now)]


def wire_name(command: Command) -> str:
    tag = command.__struct_config__.tag
    assert isinstance(tag, str)
    return tag


def _redacted(now: DecisionContext) -> list[AnyEvent]:
    taken = tuple(each for each in now.received.redactions if each.action == Action.REDACT)
    if not taken:
        return []
    kinds = ",".join(sorted({each.kind for each in taken}))
    return [PiiRedacted(count=len(taken), redaction_reason=f"pii:{kinds}", redactions=taken)]

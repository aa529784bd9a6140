"""Every decision this system can take: a table of contents."""

from collections.abc import Callable
from typing import Final

from muniment.engine.decide import (
    adoption,
    compaction,
    consent,
    contexts,
    council,
    crossings,
    episodes,
    erasure,
    forgetting,
    identity,
    interactions,
    jobs,
    lapsing,
    loops,
    memos,
    operations,
    papers,
    phases,
    threads,
    turns,
    vectors,
    working,
)
from muniment.engine.decide.situation import Situation
from muniment.model.asking import Command
from muniment.model.events import AnyEvent, PiiRedacted, WriteDenied
from muniment.model.policy import Action
from muniment.rules import access

Decision = Callable[[Situation], list[AnyEvent]]

DECISIONS: Final[dict[str, Decision]] = {
    "adopt_policy": adoption.adopt,
    "give_consent": consent.give,
    "revoke_consent": consent.revoke,
    "open_job": jobs.open_job,
    "close_job": jobs.close_job,
    "tick": jobs.tick,
    "set_goal": jobs.set_goal,
    "wm_insert": working.insert,
    "reference": working.reference,
    "promote": working.promote,
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
    "record_interaction": interactions.record,
    "record_item_recall": interactions.record_recall,
    "retract_item": interactions.retract,
    "undo_write": interactions.undo,
    "promote_item": crossings.promote_item,
    "admit_item": crossings.admit,
    "settle_promotion": crossings.settle,
    "end_lapsed": lapsing.end,
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
    "put_paper": papers.put,
    "add_papers": papers.add,
    "drop_papers": papers.drop,
    "file_papers": papers.file,
    "take_papers": papers.take,
    "memorize": memos.memorize,
    "track_tool": turns.track,
    "forget_memos": forgetting.forget,
    "restore_memo": memos.restore,
    "mark_memo": memos.mark,
    "advance_goal": turns.advance_goal,
    "observe_mandates": turns.observe_mandates,
    "record_export": turns.record_export,
    "take_turn": threads.take_turn,
    "end_thread": threads.end,
    "set_thread_timeout": threads.set_timeout,
    "settle_link": threads.settle_link,
    "record_output": compaction.record_output,
    "compact": compaction.compact,
    "record_context": contexts.record,
    "report_use": contexts.report_use,
    "report_outcome": contexts.report_outcome,
}


def decide(now: Situation) -> list[AnyEvent]:
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


def _redacted(now: Situation) -> list[AnyEvent]:
    taken = tuple(each for each in now.received.redactions if each.action == Action.REDACT)
    if not taken:
        return []
    kinds = ",".join(sorted({each.kind for each in taken}))
    return [PiiRedacted(count=len(taken), redaction_reason=f"pii:{kinds}", redactions=taken)]

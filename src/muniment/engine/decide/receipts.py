"""Contexts: their receipts are kept, and what is said of their use must be about them."""

from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import contexts
from muniment.model.commands.reads import RecordContext, ReportOutcome, ReportUse
from muniment.model.events import AnyEvent
from muniment.model.events.reads import ContextAssembled, ContextUsed, TaskEnded


def record(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, RecordContext)
    return [
        ContextAssembled(
            receipt_id=command.receipt_id,
            query=command.query,
            filters=command.filters,
            ids=command.ids,
            digest=command.digest,
            types=command.types,
            scores_ppm=command.scores_ppm,
            budget_tokens=command.budget_tokens,
            tokens=command.tokens,
            at=command.at,
            reads=command.reads,
            policy=command.policy,
            dropped=command.dropped,
            spent=command.spent,
            whole=command.whole,
            quarantined=command.quarantined,
            valid_at=command.valid_at,
            as_of=command.as_of,
            codes=command.codes,
        )
    ]


def report_use(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, ReportUse)
    line = now.shelves.get(contexts.SHELF, command.receipt_id)
    if line is None:
        return now.deny("context_unknown", command.receipt_id)
    told = {*command.used, *command.unused}
    if not told:
        return now.deny("nothing_reported")
    if not told <= set(contexts.receipt(line).ids):
        return now.deny("not_in_context")
    if set(command.used) & set(command.unused):
        return now.deny("used_and_unused")
    return [
        ContextUsed(
            receipt_id=command.receipt_id,
            used=command.used,
            unused=command.unused,
            how=command.how,
            used_count=len(command.used),
            unused_count=len(command.unused),
        )
    ]


def report_outcome(now: DecisionContext) -> list[AnyEvent]:
    command = now.received.command
    assert isinstance(command, ReportOutcome)
    if now.job is None:
        return now.deny("needs_an_open_job")
    return [TaskEnded(outcome=command.outcome, task_id=command.task_id, detail=command.detail)]

"""Context receipts on their shelves: each receipt, its reported use, outcomes of tasks."""

from muniment.log.entry import Line
from muniment.model.events.reads import ContextAssembled, ContextUsed, TaskEnded
from muniment.model.policy.context import ContextReceipt

SHELF = "contexts"
USES = "context_uses"
ENDINGS = "task_endings"
SHELVES = (SHELF, USES, ENDINGS)


def ended(line: Line) -> tuple[tuple[str, str], ...]:
    """The same question asked again where nothing has happened since has the same receipt."""
    match line.event:
        case ContextAssembled(receipt_id=receipt_id):
            return ((SHELF, receipt_id),)
        case _:
            return ()


def opened(line: Line) -> tuple[tuple[str, str, str], ...]:
    """Shelf, id and key of each row that begins with this entry."""
    match line.event:
        case ContextAssembled(receipt_id=receipt_id):
            return ((SHELF, receipt_id, str(line.header.job)),)
        case ContextUsed(receipt_id=receipt_id):
            return ((USES, line.header.id, receipt_id),)
        case TaskEnded():
            return ((ENDINGS, line.header.id, str(line.header.job)),)
        case _:
            return ()


def receipt(line: Line) -> ContextReceipt:
    told = line.event
    assert isinstance(told, ContextAssembled)
    return ContextReceipt(
        receipt_id=told.receipt_id,
        query=told.query,
        budget_tokens=told.budget_tokens,
        filters=told.filters,
        at=told.at,
        job=line.header.job,
        reads=told.reads,
        policy=told.policy,
        ids=told.ids,
        types=told.types,
        scores_ppm=told.scores_ppm,
        tokens=told.tokens,
        digest=told.digest,
        dropped=told.dropped,
        spent=told.spent,
        whole=told.whole,
        quarantined=told.quarantined,
        valid_at=told.valid_at,
        as_of=told.as_of,
        counter=told.counter,
        codes=told.codes,
    )

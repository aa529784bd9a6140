"""Context receipts on their shelves: each receipt, its reported use, outcomes of tasks."""

from muniment.log.entry import Line
from muniment.model.events.reads import ContextAssembled, ContextUsed, TaskEnded
from muniment.model.policy.context import ContextReceipt
from muniment.model.struct_copy import copied

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
    return copied(ContextReceipt, told, job=line.header.job)

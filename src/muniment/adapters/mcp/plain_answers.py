"""Plain answers: the text of a read for a model, and its size in tokens.

The budget counts tokens of the model, so ids, scores, reasons and the receipt are left out unless
they are asked for.
"""

import msgspec

from muniment.engine.context.assemble import Context
from muniment.engine.search.recall_results import Bundle, Hit, Record
from muniment.engine.search.record_list import RecordPage
from muniment.model.text.token_estimate import estimate_tokens
from muniment.retrieval.context import render_line

DAY_LETTERS = len("2026-03-05")


class PlainAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The words for a model, and the same as a document for its program."""

    text: str
    document: object


def of_context(found: Context, *, receipt: bool) -> PlainAnswer:
    short = {"text": found.text, "tokens": found.tokens}
    return PlainAnswer(text=found.text, document=found if receipt else short)


def of_recall(found: Bundle, *, receipt: bool) -> PlainAnswer:
    text = "\n".join(map(_line, found.hits)) or "Nothing is known about that."
    short = {"hits": [_short(hit) for hit in found.hits], "tokens": estimate_tokens(text)}
    return PlainAnswer(text=text, document=found if receipt else short)


def of_records(found: RecordPage) -> PlainAnswer:
    lines = [*map(_line, found.records), *([f"next: {found.next}"] if found.next else [])]
    text = "\n".join(lines) or "Nothing is known."
    told = {"records": [_short(each) for each in found.records], "next": found.next}
    return PlainAnswer(text=text, document=told | {"tokens": estimate_tokens(text)})


def _short(record: Record) -> dict[str, str]:
    told = {"id": record.id, "text": record.told, "day": _day(record)}
    other = _contradicted(record)
    return told | {"contradicted_by": other} if other else told


def _line(record: Record) -> str:
    """The words first: an id is only needed by who corrects or forgets.

    One line, as in a context: no text can pretend to be another memory.
    """
    other = _contradicted(record)
    doubt = f", contradicted by {other}" if other else ""
    return f"- {render_line.plain(record.told)} ({_day(record)}, {record.id}{doubt})"


def _contradicted(record: Record) -> str:
    """What the person has said since and differs, of a governed fact; a context tells it, too."""
    return record.contradicted_by if isinstance(record, Hit) else ""


def _day(record: Record) -> str:
    return record.created[:DAY_LETTERS]

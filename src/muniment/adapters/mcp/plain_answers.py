"""Plain answers: what a model reads of a recall or a context, the text and its size in tokens.

A budget is the model's: ids, scores, reasons and the receipt come only when they are asked for.
"""

import msgspec

from muniment.engine.context.assemble import Context
from muniment.engine.search.recall_results import Bundle, Hit
from muniment.model.text.token_estimate import estimate_tokens

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
    hits = [{"id": hit.id, "text": hit.told, "day": _day(hit)} for hit in found.hits]
    short = {"hits": hits, "tokens": estimate_tokens(text)}
    return PlainAnswer(text=text, document=found if receipt else short)


def _line(hit: Hit) -> str:
    """The words first: an id is only needed by who corrects or forgets."""
    return f"- {hit.told} ({_day(hit)}, {hit.id})"


def _day(hit: Hit) -> str:
    return hit.created[:DAY_LETTERS]

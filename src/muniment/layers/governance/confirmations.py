"""Confirmations: questions to the user that are not answered yet."""

import msgspec

from muniment.log.entry import Line
from muniment.model.events import ConfirmationAnswered, ConfirmationAsked, Shredded
from muniment.model.kinds.episode import Value
from muniment.model.struct_copy import copied


class Confirmation(msgspec.Struct, frozen=True, kw_only=True):
    confirmation_id: str
    key: str
    value: Value
    episodic_id: str
    subject: str


class Confirmations(msgspec.Struct, frozen=True, kw_only=True):
    open: dict[str, Confirmation] = {}
    count: int = 0


def _same(known: Confirmation, asked: ConfirmationAsked) -> bool:
    """Whether a question is about what a newer one asks of the same person."""
    return (known.subject, known.key) == (asked.subject, asked.key)


def fold(state: Confirmations, lines: list[Line]) -> Confirmations:
    waiting, count = dict(state.open), state.count
    for line in lines:
        match line.event:
            case ConfirmationAsked() as asked:
                count = asked.n
                waiting = {name: each for name, each in waiting.items() if not _same(each, asked)}
                waiting[asked.confirmation_id] = copied(Confirmation, asked)
            case Shredded(wire="confirmation_asked", public={"n": int(n)}):
                count = n
            case ConfirmationAnswered(confirmation_id=confirmation_id):
                waiting.pop(confirmation_id, None)
            case _:
                pass
    return Confirmations(open=waiting, count=count)

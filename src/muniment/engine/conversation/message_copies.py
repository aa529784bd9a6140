"""Message copies: items that keep the same words of one message end together."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.conversation.conversation_results import Recorded
from muniment.engine.conversation.resting_records import resting_on
from muniment.engine.search.recall import Recaller
from muniment.engine.search.recall_filter import RecallFilter
from muniment.engine.session import retry_lookup
from muniment.engine.session.agent_session import AgentSession
from muniment.layers.shelves import ITEMS
from muniment.model.commands import Forget
from muniment.model.errors import HELD, RefusedError
from muniment.model.events.conversation import ItemDeleted
from muniment.retrieval.index import index_feed

COPIES_MAX: Final = 20
UTTERANCE_MS: Final = 2_000  # what is kept of one message is kept within so long


def forgotten(
    session: AgentSession, item_id: str, retract: Callable[[str], Recorded], reason: str = ""
) -> Recorded:
    """An item goes, and with it the copies of its message and what says it again.

    What is held waits, and these wait with it.
    """
    copies = copies_of(session, item_id)
    resting = resting_on(session, {item_id, *copies})
    try:
        told = retract(item_id)
    except RefusedError as refused:
        if refused.reason == HELD:
            _retracted(session, copies)
            _forget(session, resting, reason)
        raise
    gone = _retracted(session, copies)
    _forget(session, resting, reason)
    return msgspec.structs.replace(told, deleted=(*told.deleted, *gone))


def corrected(
    session: AgentSession, item_id: str, text: str, put_right: Callable[[str, str], Recorded]
) -> Recorded:
    """Other words take the place of an item, and its copies go; refused words change nothing."""
    copies = copies_of(session, item_id)
    resting = resting_on(session, {item_id, *copies}, still=text)
    told = put_right(item_id, text)
    if all(each.item_id != item_id for each in told.deleted):
        return told  # the old words stand
    kept = [each.id for each in told.written if each.meta.event_type]
    gone = _retracted(session, [each for each in copies if each not in kept])
    _forget(session, resting, f"corrected by {kept[0] if kept else ''}")
    return msgspec.structs.replace(told, deleted=(*told.deleted, *gone))


def copies_of(session: AgentSession, item_id: str) -> list[str]:
    """Items of the same words that were kept of the same message, in whichever space."""
    talk, recaller = later.item_conversation.holding(session, item_id), Recaller(session)
    first = retry_lookup.first(session)
    before = first[0].seq - 1 if first else None  # a retry ends the same again, and answers alike
    text = talk.told(item_id, at=before)
    if not text:
        return []
    wanted = RecallFilter(results_max=COPIES_MAX)
    answer = recaller.answer(recaller.question(text, wanted, session.snapshot(before)))
    found = [each.candidate for each in answer.found.picks]
    found += [each.candidate for each in answer.found.drops]
    code = index_feed.text_hash(text)
    alike = {
        each.id: later.item_conversation.said_at(session, each.id, each.moment)
        for each in found
        if each.stands.layer == ITEMS and each.said == code
    }
    moment = alike.pop(item_id, None)
    if moment is None:
        return []
    return [name for name, said in alike.items() if abs(said - moment) <= UTTERANCE_MS]


def _retracted(session: AgentSession, copies: Sequence[str]) -> list[ItemDeleted]:
    gone: list[ItemDeleted] = []
    for each in copies:
        with suppress(RefusedError):  # gone with the other, held with it, or not theirs to forget
            gone += later.item_conversation.holding(session, each).retract(each).deleted
    return gone


def _forget(session: AgentSession, item_ids: Sequence[str], reason: str) -> None:
    """What says it again would tell it still."""
    session.append_all(
        [Forget(item_id=each, reason=reason, subject=session.subject) for each in item_ids]
    )

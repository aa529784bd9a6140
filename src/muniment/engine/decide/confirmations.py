"""Confirmations: a lasting fact that a person states is confirmed with them first.

What is wished ("Remember my favourite colour is cerulean"), and what contradicts a governed fact,
becomes a question to the person who said it; their yes becomes a request.
"""

from collections.abc import Iterator

from muniment.engine.decide.decision_context import DecisionContext, entry_id
from muniment.model import fact_keys
from muniment.model.commands import spoken
from muniment.model.errors import InputError
from muniment.model.events import AnyEvent, ConfirmationAsked, EpisodeWritten, WriteDenied
from muniment.model.events.conversation import ItemWritten
from muniment.model.events.loops import EventObserved
from muniment.model.events.memos import MemoKept
from muniment.model.kinds.conversation_item import Source
from muniment.model.kinds.loop import mirror_id
from muniment.model.text.self_statements import Statement
from muniment.rules.conversation import classify
from muniment.rules.privacy import screen


def asked(now: DecisionContext, told: list[AnyEvent]) -> list[AnyEvent]:
    """What the person is asked about what was just kept of their words."""
    texts = spoken.by_user(now.received.command)
    if not texts or any(isinstance(each, WriteDenied) for each in told):
        return []
    found: dict[str, Statement] = {}
    for text in texts:
        found |= dict(_stated(now, text))
    rests_on = next(_kept(now, told), "") if found else ""
    if not rests_on:
        return []
    waiting = now.desk.confirmations
    known = {(each.key, each.value) for each in waiting.open.values()}
    room = now.desk.policy.governance.confirmations_open_max - len(waiting.open)
    new = [pair for pair in found.items() if (pair[0], pair[1].value) not in known]
    return [
        ConfirmationAsked(
            n=n,
            confirmation_id=f"confirm:{now.stream.ref[:8]}:{n}",
            key=key,
            value=told.value,
            episodic_id=rests_on,
            subject=now.received.command.subject,
        )
        for n, (key, told) in enumerate(new[: max(room, 0)], start=waiting.count + 1)
    ]


def _stated(now: DecisionContext, text: str) -> Iterator[tuple[str, Statement]]:
    """By its key, what a text wishes to be kept for good, or says against a governed fact."""
    wished = classify.lasting_fact(text)
    stated = classify.stated(text) if now.received.contradicts else ()
    for each in (*([wished] if wished else ()), *stated):
        if screen.is_redacted(each.value):
            continue
        aliases, subject = now.desk.policy.sem.aliases, now.received.command.subject
        try:
            key = fact_keys.profile_key(subject, each.attribute, aliases)
        except InputError:
            continue
        if each is wished or key in now.received.contradicts:
            yield key, each


def _kept(now: DecisionContext, told: list[AnyEvent]) -> Iterator[str]:
    """The ids of what was kept of a person's words, in the order of the entries."""
    for place, event in enumerate(told):
        match event:
            case EpisodeWritten(episodic_id=name):
                yield name
            case ItemWritten(item=item) if item.source is Source.USER:
                yield item.id
            case MemoKept(memo=memo):
                yield memo.id
            case EventObserved():
                yield mirror_id(entry_id(now.stream, now.stamp, now.first + place))
            case _:
                pass

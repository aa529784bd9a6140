"""Wish ends: the ids of what left because a person asked for it, here and in their own space."""

from collections.abc import Iterable, Iterator

from muniment.engine.session.stream_hub import StreamHub
from muniment.log.entry import Line
from muniment.model.events import ItemForgotten
from muniment.model.events.conversation import ItemDeleted
from muniment.model.events.memos import MemosForgotten
from muniment.model.kinds.conversation_item import WISHED


def of_batch(hub: StreamHub, lines: Iterable[Line]) -> tuple[str, ...]:
    """What a batch ended, and what became of what it sent on."""
    told = list(lines)
    effects = [effect[1] for line in told if (effect := hub.effect(line))]
    every = [*told, *(line for batch in effects for line in batch)]
    return named(line.event for line in every)


def named(events: Iterable[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for each in events for name in _names(each)))


def _names(event: object) -> Iterator[str]:
    match event:
        case ItemForgotten(item_id=name):
            yield name
        case ItemDeleted(item_id=name, rule=rule) if rule == WISHED:
            yield name
        case MemosForgotten(memo_ids=names):
            yield from names
        case _:
            pass

"""Forget wishes among sentences: what a person told leaves when they ask for it."""

from collections.abc import Iterator
from itertools import islice

from muniment.engine import lazy_modules as later
from muniment.engine.decide import records
from muniment.engine.decide.decision_context import DecisionContext
from muniment.layers import episodes
from muniment.model.commands import Remember
from muniment.model.events import AnyEvent, EpisodeWritten
from muniment.model.kinds.episode import Origin
from muniment.model.languages.phrases import forget_words


def ending(now: DecisionContext, command: Remember) -> list[AnyEvent]:
    """What ends the sentences that a person asks to forget; only their own, and if it is clear.

    What is told of another day, by name or from a source is told on, and asks for nothing.
    """
    told_on = command.speaker or command.source or command.happened_at
    if command.origin != Origin.USER or told_on or not forget_words.possible(command.text):
        return []
    wishes = later.asked_to_forget.wishes(command.text)
    if not wishes:
        return []
    told = dict(_told(now))
    gone = [name for wish in wishes for name in later.asked_to_forget.named(wish, told.items())]
    return [event for name in dict.fromkeys(gone) for event in _end(now, name)]


def _end(now: DecisionContext, name: str) -> list[AnyEvent]:
    found = records.find(now, name)
    return records.ending(now, name, found, "") if found else []


def _told(now: DecisionContext) -> Iterator[tuple[str, str]]:
    """The sentences of this person that stand, the newest ones."""
    limit = now.desk.policy.recall.window_entries
    for line in islice(now.shelves.newest(episodes.SHELF), limit):
        told = line.event
        if (
            isinstance(told, EpisodeWritten)
            and (told.form, told.origin, told.speaker) == (episodes.ENTRY, Origin.USER, "")
            and not now.is_shared(line)
        ):
            yield told.episodic_id, told.summary

"""Forget wishes in a conversation: what a person told there leaves when they ask for it."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.decide.conversation import window
from muniment.engine.decide.conversation.space_writer import Sheet
from muniment.layers import conversation_items
from muniment.model.kinds.conversation_item import WISH, Kind, MemoryItem, Source, Space
from muniment.model.kinds.episode import Authority
from muniment.model.kinds.recollection import Offer
from muniment.model.languages.phrases import forget_words

# What one person alone says; of a shared space nobody knows whose word an item is.
THEIRS: Final = frozenset({Space.SESSION, Space.USER})


def ending(sheet: Sheet, source: Source, text: str) -> list[MemoryItem]:
    """The messages and sayings that a person asks to forget; only their own, and if it is clear."""
    mine = source is Source.USER and sheet.space in THEIRS
    wishes = later.asked_to_forget.wishes(text) if mine and forget_words.possible(text) else []
    if not wishes:
        return []
    told = {each.id: each for each in _told(sheet)}
    said = [(name, item.told) for name, item in told.items()]
    gone = [name for wish in wishes for name in later.asked_to_forget.named(wish, said)]
    return [told[name] for name in dict.fromkeys(gone)]


def end(sheet: Sheet, gone: list[MemoryItem]) -> None:
    """Each leaves, with the facts that rest on it and what the summary quotes of it."""
    names = {each.id for each in gone}
    keys = {each.meta.dedup_key for each in gone if each.meta.dedup_key}
    facts = [
        each
        for each in sheet.alive(Kind.PROFILE)
        if _is_their_own(each)
        and (each.meta.dedup_key in keys or not names.isdisjoint(each.meta.source_turn_ids))
    ]
    for each in (*gone, *facts):
        sheet.delete(each, "retracted")
        window.forget(sheet, each)


def heard(offer: Offer) -> Offer:
    """A wish is kept, and no answer, whatever came of it; unless it says something else too."""
    wishes = offer.source is Source.USER and forget_words.possible(offer.text)
    if not wishes or not later.asked_to_forget.is_nothing_else(offer.text):
        return offer
    return msgspec.structs.replace(offer, policy_tags=(*offer.policy_tags, WISH))


def _told(sheet: Sheet) -> Iterator[MemoryItem]:
    """What a person said in this space and stands, at hand or in the archive."""
    limit = sheet.policy.recall.window_entries
    for kind in (Kind.SEMANTIC, Kind.SHORT_TERM):
        found = conversation_items.versions(sheet.now.shelves, sheet.space, sheet.owner, kind)
        for version in islice(found, limit):
            item = None if version.died else sheet.get(version.item.id)
            if item is not None and _is_their_own(item):
                yield item


def _is_their_own(item: MemoryItem) -> bool:
    imposed = item.meta.authority is Authority.SYSTEM_IMPOSED
    return item.source is Source.USER and not imposed

"""Forget wishes in a conversation: what a person told there leaves when they ask for it."""

from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine.decide.conversation import told_statements, window
from muniment.engine.decide.conversation.space_writer import Sheet
from muniment.model.kinds.conversation_item import WISH, WISHED, Kind, MemoryItem, Source, Space
from muniment.model.kinds.recollection import Offer
from muniment.model.languages.phrases import forget_words

# What one person alone says; of a shared space nobody knows whose word an item is.
THEIRS: Final = frozenset({Space.SESSION, Space.USER})


def ending(sheet: Sheet, source: Source, text: str) -> list[MemoryItem]:
    """The messages and sayings that a person asks to forget; only their own, and if it is clear.

    In a session all that they told this agent counts: several statements are not one.
    """
    mine = source is Source.USER and sheet.space in THEIRS
    wishes = later.asked_to_forget.wishes(text) if mine and forget_words.possible(text) else []
    if not wishes:
        return []
    told = told_in(sheet)
    said = [(name, item.told) for name, item in told.items()]
    if sheet.space is Space.SESSION:
        said += [each for each in told_statements.every(sheet.now) if each[0] not in told]
    gone = [name for wish in wishes for name in later.asked_to_forget.named(wish, said)]
    return [told[name] for name in dict.fromkeys(gone) if name in told]


def end(sheet: Sheet, gone: list[MemoryItem]) -> None:
    """Each leaves, with the facts that rest on it and what the summary quotes of it."""
    names = {each.id for each in gone}
    keys = {each.meta.dedup_key for each in gone if each.meta.dedup_key}
    facts = [
        each
        for each in sheet.alive(Kind.PROFILE)
        if told_statements.is_their_own(each)
        and (each.meta.dedup_key in keys or not names.isdisjoint(each.meta.source_turn_ids))
    ]
    for each in (*gone, *facts):
        sheet.delete(each, "retracted", rule=WISHED)
        window.forget(sheet, each)


def heard(offer: Offer) -> Offer:
    """A wish is kept, and no answer, whatever came of it; unless it says something else too."""
    wishes = offer.source is Source.USER and forget_words.possible(offer.text)
    if not wishes or not later.asked_to_forget.is_nothing_else(offer.text):
        return offer
    return msgspec.structs.replace(offer, policy_tags=(*offer.policy_tags, WISH))


def told_in(sheet: Sheet) -> dict[str, MemoryItem]:
    """By its id, what a person said in this space and stands, at hand or in the archive."""
    found = told_statements.of_space(sheet.now, sheet.space, sheet.owner)
    items = (sheet.get(each.id) for each in found)
    return {item.id: item for item in items if item is not None}

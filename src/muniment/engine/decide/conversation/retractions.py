"""Retractions: facts about a person end when they say that these are over."""

from muniment.engine.decide.conversation.space_writer import Sheet
from muniment.model.kinds.conversation_item import Kind, MemoryItem, Source
from muniment.model.kinds.episode import Authority
from muniment.model.text.self_statements import Statement
from muniment.rules.conversation import retractions
from muniment.rules.conversation.retractions import Withdrawal

Ending = tuple[MemoryItem, Withdrawal]


def ending(sheet: Sheet, source: Source, text: str) -> list[Ending]:
    """The facts in force that a message takes back; what was imposed is not its to take."""
    said = retractions.found(text) if source is Source.USER else ()
    if not said:
        return []
    facts = [
        each
        for each in sheet.alive(Kind.PROFILE)
        if each.meta.authority is not Authority.SYSTEM_IMPOSED
    ]
    ended = ((item, _ends(item, said)) for item in facts)
    return [(item, its) for item, its in ended if its is not None]


def _ends(item: MemoryItem, said: tuple[Withdrawal, ...]) -> Withdrawal | None:
    return next((each for each in said if each.ends(item.meta.key, item.text)), None)


def end(sheet: Sheet, endings: list[Ending]) -> None:
    """Each leaves together with the saying that stood for it."""
    for item, _ in endings:
        sayings = [
            each
            for each in sheet.alive(Kind.SEMANTIC)
            if each.meta.dedup_key == item.meta.dedup_key
        ]
        for each in (item, *sayings):
            sheet.delete(each, "retracted")


def instead(endings: list[Ending]) -> list[Statement]:
    """What is so in their place, where the message says it."""
    return [
        Statement(attribute=item.meta.key, value=said.instead, anew=True)
        for item, said in endings
        if said.instead
    ]

"""Spoken words: the text that a person says in their own name, in any command."""

from muniment.model import canonical_json
from muniment.model.commands import AnyCommand, Correct, Remember, RememberMany
from muniment.model.commands.conversation import RecordInteraction
from muniment.model.commands.loops import ObserveEvent
from muniment.model.commands.memos import Memorize
from muniment.model.commands.threads import TakeTurn
from muniment.model.kinds.conversation_item import Source
from muniment.model.kinds.episode import Origin
from muniment.model.kinds.loop import EventKind
from muniment.model.kinds.memo import MemoSource


def is_own_turn(command: AnyCommand) -> bool:
    """Authority comes from credential and channel: only the user's own turn is the user's."""
    if not isinstance(command, Remember | RememberMany | Correct):
        return False
    return command.origin == Origin.USER


def by_user(command: AnyCommand) -> tuple[str, ...]:
    """What somebody else says of themselves is not the user's; nor is what comes in bulk."""
    if not command.subject:
        return ()
    match command:
        case Remember(text=text, origin=Origin.USER, speaker=""):
            return (text,)
        case RecordInteraction(messages=messages):
            return tuple(each.text for each in messages if each.source is Source.USER)
        case (
            Memorize(text=text, source=MemoSource.USER)
            | TakeTurn(text=text, source=MemoSource.USER)
        ):
            return (text,)
        case ObserveEvent(kind=EventKind.USER_INPUT, content=content):
            return (canonical_json.text_of(content),)
        case _:
            return ()


def of_oneself(command: AnyCommand) -> str:
    """What a person says in their own name, here and now.

    What is told of another day, by name, from a source or in bulk is told on.
    """
    match command:
        case Remember(text=text, origin=Origin.USER, speaker="", source="", happened_at=""):
            return text
        case RecordInteraction(messages=messages, replaces=""):
            return "\n".join(each.text for each in messages if each.source is Source.USER)
        case (
            Memorize(text=text, source=MemoSource.USER, source_name="", parent_id="")
            | TakeTurn(text=text, source=MemoSource.USER)
        ):
            return text
        case ObserveEvent(kind=EventKind.USER_INPUT, content=content):
            return canonical_json.text_of(content)
        case _:
            return ""

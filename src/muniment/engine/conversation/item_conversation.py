"""The conversation that holds an item, by the item's id alone."""

from muniment.engine.conversation.conversation import Conversation
from muniment.engine.conversation.spaces import SpaceViews
from muniment.engine.session.agent_session import AgentSession
from muniment.layers import conversation_items
from muniment.layers.shelves import ARCHIVE, ITEMS
from muniment.model import ids
from muniment.model.commands.conversation import UndoWrite
from muniment.model.errors import RefusedError
from muniment.model.kinds.conversation_item import Space
from muniment.model.scope import StreamId
from muniment.retrieval.dates import validity


def holding(session: AgentSession, item_id: str) -> Conversation:
    """A project's space is reached in a talk of that project; any other, in every talk."""
    space, _, rest = item_id.partition(":")
    owner = rest.rsplit(":", 2)[0]
    return Conversation(session, project=owner if space == Space.PROJECT else "")


def said_at(session: AgentSession, item_id: str, moment: int) -> int:
    """When the message of an item was told: one that was promoted is of the first one's."""
    for _ in Space:  # it can have come through each of them
        before = _promoted_from(session, item_id)
        found = _places(session, before).seen(before) if before else None
        version = conversation_items.ever(found, before) if found else None
        line = found.line(version.born) if found and version else None
        if found is None or line is None:
            return moment
        told = validity.moment(found, line)
        item_id, moment = before, ids.time_ms(told) if told else moment
    return moment


def _promoted_from(session: AgentSession, item_id: str) -> str:
    found = _places(session, item_id).seen(item_id)
    version = conversation_items.ever(found, item_id) if found else None
    return version.item.meta.promoted_from if version else ""


def _places(session: AgentSession, item_id: str) -> SpaceViews:
    """The spaces among which an id's is: a project's is reached in that project."""
    space, _, rest = item_id.partition(":")
    owner = rest.rsplit(":", 2)[0]
    return SpaceViews(session, session="", project=owner if space == Space.PROJECT else "")


def restoration(session: AgentSession, item_id: str) -> UndoWrite:
    """The command that brings one item back that was taken back, in whichever space it was."""
    shelves = _places(session, item_id).seen(item_id)
    if shelves is None:
        raise RefusedError("item_unknown", item_id)
    kept = (row for each in (ITEMS, ARCHIVE) for row in shelves.ever(each, item_id=item_id))
    ends = [died for _, died, _ in kept]
    if not ends:
        raise RefusedError("item_unknown", item_id)
    if None in ends:
        raise RefusedError("item_is_there", item_id)
    line = shelves.line(max(each for each in ends if each))
    batch = line.header.cause if line else 0
    here = shelves.stream.ref == session.writer.stream.ref
    elsewhere: dict[str, tuple[int, ...]] = {} if here else {shelves.stream.ref: (batch,)}
    return holding(session, item_id).undoing(batch if here else 0, item_id, elsewhere)


def shared_place(session: AgentSession, item_id: str) -> StreamId | None:
    """The log of the person's own space, where an item lives there; none for a session's own.

    What a project or the system shares is everybody's, and no one person's to answer for.
    """
    space, _, rest = item_id.partition(":")
    if space == Space.SESSION:
        return None
    views = SpaceViews(session, session="", project="")
    if space != Space.USER or not rest.startswith(f"{views.owner(Space.USER)}:"):
        raise RefusedError("space_is_shared", item_id)
    return views.stream(Space.USER)

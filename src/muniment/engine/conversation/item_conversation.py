"""The conversation that holds an item, by the item's id alone."""

from muniment.engine.conversation.conversation import Conversation
from muniment.engine.conversation.spaces import SpaceViews
from muniment.engine.session.agent_session import AgentSession
from muniment.layers.shelves import ARCHIVE, ITEMS
from muniment.model.commands.conversation import UndoWrite
from muniment.model.errors import RefusedError
from muniment.model.kinds.conversation_item import Space
from muniment.model.scope import StreamId


def holding(session: AgentSession, item_id: str) -> Conversation:
    """A project's space is reached in a talk of that project; any other, in every talk."""
    space, _, rest = item_id.partition(":")
    owner = rest.rsplit(":", 2)[0]
    return Conversation(session, project=owner if space == Space.PROJECT else "")


def restoration(session: AgentSession, item_id: str) -> UndoWrite:
    """The command that brings one item back that was taken back, in whichever space it was."""
    space, _, rest = item_id.partition(":")
    project = rest.rsplit(":", 2)[0] if space == Space.PROJECT else ""
    views = SpaceViews(session, session="", project=project)
    mine = space == Space.SESSION  # of one log, whoever else speaks in it
    shelves = session.shelves(None) if mine else views.shelves(Space(space), None)
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

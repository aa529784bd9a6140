"""The conversation that holds an item, by the item's id alone."""

from muniment.engine.conversation.conversation import Conversation
from muniment.engine.session.agent_session import AgentSession
from muniment.model.kinds.conversation_item import Space


def holding(session: AgentSession, item_id: str) -> Conversation:
    """A project's space is reached in a talk of that project; any other, in every talk."""
    space, _, rest = item_id.partition(":")
    owner = rest.rsplit(":", 2)[0]
    return Conversation(session, project=owner if space == Space.PROJECT else "")

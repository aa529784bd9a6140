"""Changes of records by id: items of conversations, and governed facts, which need a yes."""

from muniment.engine.api.remember import Remembered
from muniment.engine.conversation.conversation import Conversation
from muniment.engine.session.agent_session import AgentSession
from muniment.model import fact_keys
from muniment.model.errors import InputError, RefusedError
from muniment.model.kinds.conversation_item import Space


class RecordChanges:
    """Forgets and corrects what lives in a conversation or its spaces, whichever session it is."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session

    def forget_item(self, item_id: str) -> int:
        return self._talk(item_id).forget(item_id).seq

    def correct_item(self, item_id: str, text: str) -> Remembered:
        told = self._talk(item_id).correct(item_id, text)
        kept = next((each for each in told.written if each.meta.event_type), None)
        return Remembered(
            stored=kept is not None,
            episodic_id=kept.id if kept else "",
            text=kept.text if kept else "",
            reason="" if kept else next((each.reason for each in told.denied), ""),
            echo_of="",
            redacted=(),
            question=None,
            seq=told.seq,
            hash="",
        )

    def refuse_fact(self, item_id: str) -> None:
        """A governed fact is changed by a request and a yes, never by one call."""
        try:
            key = fact_keys.canonical(item_id)
        except InputError:
            return
        if any(fact.key == key for fact in self._session.snapshot().facts):
            raise RefusedError("fact_is_governed", key)

    def _talk(self, item_id: str) -> Conversation:
        space, _, rest = item_id.partition(":")
        owner = rest.rsplit(":", 2)[0]
        return Conversation(self._session, project=owner if space == Space.PROJECT else "")

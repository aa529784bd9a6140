"""An onlooker: asks what an agent would be told, and is not taken for the agent."""

from muniment.engine.session.agent_session import AgentSession
from muniment.model.commands import AnyCommand


class Onlooker(AgentSession):
    """A voice in another's mouth: what is tried out in its name was never asked by it."""

    def _owe(self, *receipts: tuple[int, AnyCommand]) -> None:
        """A receipt says what an agent knew when it answered; here nobody was answered."""
        del receipts

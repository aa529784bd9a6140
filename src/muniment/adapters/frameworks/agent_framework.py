"""Providers for Microsoft Agent Framework: a session's messages, and what earlier sessions said.

`MunimentHistoryProvider` loads and stores the messages of each session as documents.
`MunimentContextProvider` adds what other sessions of the same person said to the question at hand.
With `governed`, saving raises `AwaitsApprovalError`.
"""

from collections.abc import Sequence
from typing import Any, Final

from muniment.adapters.frameworks.document_bridge import (
    TURN,
    Agents,
    User,
    UserDocuments,
    done,
    missing,
    named,
)
from muniment.model.kinds.document import Namespace, StoredDocument

try:
    from agent_framework import (
        AgentSession,
        ContextProvider,
        HistoryProvider,
        Message,
        SessionContext,
        SupportsAgentRun,
    )
except ImportError as error:
    raise missing("agent-framework-core", "agent-framework") from error

NAMESPACE: Final = "agent-framework"
USER: Final = "user_id"  # in the state of a session: whom it is about
RESULTS_MAX: Final = 10


class MunimentHistoryProvider(HistoryProvider):
    """The messages of each session, kept by the agent of whoever it is about."""

    def __init__(
        self,
        agents: Agents,
        *,
        user: User = "",
        governed: bool = False,
        source_id: str = "muniment",
        **choices: Any,  # noqa: ANN401 - which messages are loaded and stored, as the parent names it
    ) -> None:
        super().__init__(source_id, **choices)
        self._people = UserDocuments(agents, governed=governed)
        self._user = user

    async def get_messages(
        self, session_id: str | None, *, state: dict[str, Any] | None = None, **_: object
    ) -> list[Message]:
        with TURN:
            documents = self._people.of(_asking(self._user, state))
            return [*map(_message, documents.within(_session(session_id), deep=False))]

    async def save_messages(
        self,
        session_id: str | None,
        messages: Sequence[Message],
        *,
        state: dict[str, Any] | None = None,
        **_: object,
    ) -> None:
        """Keep them in one durable append; a message that has an id is kept once."""
        with TURN:
            documents = self._people.of(_asking(self._user, state))
            session = _session(session_id)
            known = {_message(each).message_id for each in documents.within(session, deep=False)}
            new = [each for each in messages if not each.message_id or each.message_id not in known]
            done(documents.add(session, [*map(_value, new)]) if new else [])


class MunimentContextProvider(ContextProvider):
    """Before each run: what this person said in other sessions that bears on the question."""

    def __init__(
        self,
        agents: Agents,
        *,
        user: User = "",
        source_id: str = "muniment-memory",
        results: int = RESULTS_MAX,
    ) -> None:
        super().__init__(source_id)
        self._people = UserDocuments(agents, governed=False)
        self._user = user
        self._results = results

    async def before_run(
        self,
        *,
        agent: SupportsAgentRun,
        session: AgentSession,
        context: SessionContext,
        state: dict[str, Any],
    ) -> None:
        del agent
        asked = " ".join(each.text for each in context.input_messages if each.text)
        here = _session(session.session_id)
        with TURN:
            documents = self._people.of(_asking(self._user, state))
            found = documents.search((NAMESPACE,), asked) if asked else []
        told = [each for _, each in found if each.namespace != here][: self._results]
        if told:
            lines = [f"- {_message(each).role}: {_message(each).text}" for each in told]
            said = Message("user", ["\n".join(["Remembered from other sessions:", *lines])])
            sessions = [each.namespace[1] for each in told if each.namespace[1:]]
            context.extend_messages(self, [said], origin_session_ids=sessions)


def _asking(user: User, state: dict[str, Any] | None) -> str:
    """Whom a call is about: the provider's own user, or whom the session's state names."""
    return named(user) or str((state or {}).get(USER, ""))


def _session(session_id: str | None) -> Namespace:
    """A session without a name is no session called by some word."""
    return (NAMESPACE, session_id) if session_id else (NAMESPACE,)


def _value(message: Message) -> dict[str, Any]:
    return message.to_dict()


def _message(document: StoredDocument) -> Message:
    assert isinstance(document.value, dict)
    return Message.from_dict(document.value)

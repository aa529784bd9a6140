"""Providers for Microsoft Agent Framework: a session's messages, and what earlier sessions said.

`MunimentHistoryProvider` loads and stores the messages of each session as documents.
`MunimentContextProvider` adds what other sessions of the same person said to the question at hand.
With `governed`, saving raises `AwaitsApprovalError`.
"""

from collections.abc import Sequence
from typing import Any, Final

from muniment.adapters.frameworks.document_bridge import (
    Agents,
    User,
    UserDocuments,
    done,
    in_turn,
    missing,
    one_entry,
)
from muniment.engine.api.documents import Documents
from muniment.model import canonical_json
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
State = dict[str, Any] | None


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
        self._people = UserDocuments(agents, governed=governed, user=user)

    async def get_messages(
        self, session_id: str | None, *, state: dict[str, Any] | None = None, **_: object
    ) -> list[Message]:
        found = await in_turn(lambda: self._within(session_id, state)[1])
        return [*map(_message, found)]

    async def save_messages(
        self,
        session_id: str | None,
        messages: Sequence[Message],
        *,
        state: dict[str, Any] | None = None,
        **_: object,
    ) -> None:
        """Keep them in one durable append.

        A message that has an id is kept once, and so is a talk that is handed over whole again.
        """
        await in_turn(lambda: self._save(session_id, messages, state))

    def _within(
        self, session_id: str | None, state: State
    ) -> tuple[Documents, list[StoredDocument]]:
        documents = self._people.told((state or {}).get(USER))
        return documents, documents.within(_session(session_id), deep=False)

    def _save(self, session_id: str | None, messages: Sequence[Message], state: State) -> None:
        documents, found = self._within(session_id, state)
        told = [*map(_message, found)]
        known = {each.message_id for each in told}
        again = _told_again([*map(_said, told)], documents.as_kept([*map(_said, messages)]))
        new = [
            each for each in messages[again:] if not each.message_id or each.message_id not in known
        ]
        done(documents.add(_session(session_id), [*map(_value, new)]) if new else [])


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
        self._people = UserDocuments(agents, governed=False, user=user)
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
        found = await in_turn(lambda: self._found(asked, state)) if asked else []
        told = [each for each in found if each.namespace != here and _message(each).text]
        told = told[: self._results]
        if told:
            lines = [f"- {each.role}: {one_entry(each.text)}" for each in map(_message, told)]
            said = Message("user", ["\n".join(["Remembered from other sessions:", *lines])])
            sessions = [each.namespace[1] for each in told if each.namespace[1:]]
            context.extend_messages(self, [said], origin_session_ids=sessions)

    def _found(self, asked: str, state: State) -> list[StoredDocument]:
        documents = self._people.told((state or {}).get(USER))
        return [each for _, each in documents.search((NAMESPACE,), asked)]


def _told_again(known: Sequence[object], told: Sequence[object]) -> int:
    """How many of these are the whole talk that is known; one message is as likely said again."""
    count = len(known)
    return count if 1 < count < len(told) and [*known] == [*told[:count]] else 0


def _said(message: Message) -> list[object]:
    """Who said what."""
    return [str(message.role), _value(message).get("contents")]


def _session(session_id: str | None) -> Namespace:
    """A session without a name is no session called by some word."""
    return (NAMESPACE, canonical_json.admit_text(session_id)) if session_id else (NAMESPACE,)


def _value(message: Message) -> dict[str, Any]:
    return message.to_dict()


def _message(document: StoredDocument) -> Message:
    assert isinstance(document.value, dict)
    return Message.from_dict(document.value)

"""A session of the OpenAI Agents SDK: items are documents of one namespace, in order.

With `governed`, items are readable after a yes and `add_items` raises `AwaitsApprovalError`.
"""

from typing import Any, Final

from muniment.adapters.frameworks.document_bridge import (
    RACED,
    Agents,
    UserDocuments,
    done,
    in_turn,
    missing,
)
from muniment.model import canonical_json
from muniment.model.errors import RefusedError
from muniment.model.kinds.document import StoredDocument

try:
    from agents.items import TResponseInputItem
    from agents.memory.session import SessionABC
    from agents.memory.session_settings import (
        SessionSettings,
        coerce_session_settings,
        resolve_session_limit,
    )
except ImportError as error:
    raise missing("openai-agents", "openai-agents") from error

NAMESPACE: Final = "openai-agents"
RACES_MAX: Final = 64  # lost races for the last item before we give up


class MunimentSession(SessionABC):
    """The history of one conversation, kept by an agent; `user` names whose it is."""

    def __init__(
        self,
        session_id: str,
        agents: Agents,
        *,
        user: str = "",
        governed: bool = False,
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = (
            SessionSettings()
            if session_settings is None
            else coerce_session_settings(session_settings)
        )
        self._namespace = (NAMESPACE, session_id)
        self._documents = UserDocuments(agents, governed=governed, user=user).now

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The latest items, oldest of them first."""
        most = resolve_session_limit(limit, self.session_settings)
        return await in_turn(lambda: self._get(most))

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        if items:
            told = [canonical_json.release(canonical_json.admit(each)) for each in items]
            await in_turn(lambda: done(self._documents.add(self._namespace, told)))

    async def pop_item(self) -> TResponseInputItem | None:
        """Take out the newest item; two who pop at once get two items."""
        return await in_turn(self._pop)

    async def clear_session(self) -> None:
        await in_turn(self._clear)

    def _get(self, limit: int | None) -> list[TResponseInputItem]:
        if limit is None:
            found = self._documents.within(self._namespace, deep=False)
        else:
            found = self._documents.newest(self._namespace, limit) if limit > 0 else []
        return [_item(each) for each in found]

    def _pop(self) -> TResponseInputItem | None:
        for _ in range(RACES_MAX):
            newest = self._documents.newest(self._namespace, 1)
            if not newest:
                return None
            (item,) = newest
            try:
                done([self._documents.drop(self._namespace, item.key, expect=item.version)])
            except RefusedError as refused:
                if refused.reason not in RACED:
                    raise
                continue  # another process took it
            return _item(item)
        raise RefusedError("document_changed", "every item was taken by somebody else")

    def _clear(self) -> None:
        kept = self._documents.clear(self._namespace)
        done([kept] if kept else [])


def _item(document: StoredDocument) -> TResponseInputItem:
    held: Any = document.value
    return held  # type: ignore[no-any-return]

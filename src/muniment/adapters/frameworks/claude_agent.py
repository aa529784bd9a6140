"""A session store for the Claude Agent SDK: each line of a transcript is a document, in order.

A session can be resumed from it on another machine. An entry that is named by its `uuid` is kept
once. The SDK takes any class that has these methods, so nothing of it is imported here.
With `governed`, an append raises `AwaitsApprovalError`.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from muniment.adapters.frameworks.document_bridge import (
    Agents,
    User,
    UserDocuments,
    at_once,
    done,
)
from muniment.engine.api.documents import Documents
from muniment.model import ids
from muniment.model.kinds.document import Namespace, StoredDocument

NAMESPACE: Final = "claude-agent"
SessionKey = Mapping[str, str]  # project_key, session_id and, of a subagent, subpath
Entry = Mapping[str, Any]
SUBPATH: Final = 3  # its place among the labels of a namespace


class MunimentSessionStore:
    """Transcripts of the sessions of whoever a call is about.

    The SDK cancels and counts by steps of its loop, so a call is answered within its own step.
    """

    def __init__(self, agents: Agents, *, user: User = "", governed: bool = False) -> None:
        self._people = UserDocuments(agents, governed=governed, user=user)

    @property
    def _documents(self) -> Documents:
        return self._people.now

    async def append(self, key: SessionKey, entries: Sequence[Entry]) -> None:
        at_once(lambda: self._append(_namespace(key), entries))

    async def load(self, key: SessionKey) -> list[Entry] | None:
        return at_once(lambda: self._load(key)) or None

    async def list_sessions(self, project_key: str) -> list[dict[str, Any]]:
        found = at_once(lambda: self._documents.within((NAMESPACE, project_key)))
        changed: dict[str, int] = {}
        for each in found:
            if len(each.namespace) == SUBPATH:
                name = each.namespace[-1]
                changed[name] = max(changed.get(name, 0), ids.time_ms(each.updated_at))
        return [{"session_id": name, "mtime": moment} for name, moment in changed.items()]

    async def delete(self, key: SessionKey) -> None:
        """Without a subpath the whole session, with those of its subagents."""
        at_once(lambda: self._delete(_namespace(key), deep="subpath" not in key))

    async def list_subkeys(self, key: SessionKey) -> list[str]:
        session = (NAMESPACE, key["project_key"], key["session_id"])
        found = at_once(lambda: self._documents.within(session))
        named_apart = [each.namespace[SUBPATH] for each in found if len(each.namespace) > SUBPATH]
        return [*dict.fromkeys(named_apart)]

    def _load(self, key: SessionKey) -> list[Entry]:
        return [*map(_entry, self._documents.within(_namespace(key), deep=False))]

    def _append(self, session: Namespace, entries: Sequence[Entry]) -> None:
        documents = self._documents
        seen = {_uuid(each.value) for each in documents.within(session, deep=False)} - {""}
        new: list[Entry] = []
        for entry in entries:
            if _uuid(entry) not in seen:
                new.append(entry)
                seen |= {_uuid(entry)} - {""}
        done(documents.add(session, new) if new else [])

    def _delete(self, namespace: Namespace, *, deep: bool) -> None:
        documents = self._documents
        found = documents.within(namespace, deep=deep)
        done(documents.put_all({(each.namespace, each.key): None for each in found}))


def _namespace(key: SessionKey) -> Namespace:
    session = (NAMESPACE, key["project_key"], key["session_id"])
    return (*session, key["subpath"]) if "subpath" in key else session


def _uuid(entry: object) -> str:
    return str(entry.get("uuid") or "") if isinstance(entry, Mapping) else ""


def _entry(document: StoredDocument) -> Entry:
    assert isinstance(document.value, dict)
    return document.value

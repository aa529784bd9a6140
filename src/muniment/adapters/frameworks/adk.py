"""A memory service for Google's ADK: a session's events are documents, found by what they say.

An app and a user of ADK are labels of the namespace. With a function from a user to their agent,
each call is about the `user_id` that ADK names; with one agent, all of it is about that agent's
user. With `governed`, adding raises `AwaitsApprovalError`.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Final

from muniment.adapters.frameworks.document_bridge import (
    Agents,
    UserDocuments,
    done,
    in_turn,
    missing,
)
from muniment.engine.api.documents import Documents
from muniment.model import canonical_json
from muniment.model.kinds.document import Namespace, StoredDocument

try:
    from google.adk.events.event import Event
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.sessions.session import Session
    from google.genai.types import Content
except ImportError as error:
    raise missing("google-adk", "adk") from error

NAMESPACE: Final = "adk"
DELETED: Final = "adk-deleted"  # ids that stay out, whichever session brings them again
NO_SESSION: Final = "__unknown_session_id__"
TOLD: Final = "__memories__"  # what was told directly, outside of any session
RESULTS_MAX: Final = 10


class MunimentMemoryService(BaseMemoryService):
    """The long-term memory of ADK agents, kept by an agent of this memory."""

    def __init__(self, agents: Agents, *, governed: bool = False) -> None:
        self._people = UserDocuments(agents, governed=governed)

    async def add_session_to_memory(self, session: Session) -> None:
        """What the session holds now takes the place of what was kept of it before."""
        await in_turn(lambda: self._replace(session))

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Events that are not kept yet; the same id is kept once."""
        namespace = _namespace(app_name, user_id, session_id or NO_SESSION)
        await in_turn(
            lambda: self._add(self._people.of(user_id), namespace, events, custom_metadata)
        )

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        values = [
            entry.model_dump(mode="json", exclude_none=True)
            | {"custom_metadata": {**(custom_metadata or {}), **entry.custom_metadata}}
            for entry in memories
        ]
        if values:
            place = _namespace(app_name, user_id, TOLD)
            await in_turn(lambda: done(self._people.of(user_id).add(place, values)))

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """The ten memories that answer the query best."""
        place = _namespace(app_name, user_id)
        found = await in_turn(lambda: self._people.of(user_id).search(place, query))
        told = (each for _, each in found if _text(each))
        return SearchMemoryResponse(memories=[*map(_entry, islice(told, RESULTS_MAX))])

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """A deleted memory stays out, also when its session is added again."""
        if memory_id:
            namespace = _namespace(app_name, user_id)
            await in_turn(lambda: self._delete(self._people.of(user_id), namespace, memory_id))

    def _replace(self, session: Session) -> None:
        namespace = _namespace(session.app_name, session.user_id, session.id or NO_SESSION)
        documents = self._people.of(session.user_id)
        wanted = dict(_told(documents, namespace, session.events))
        before = {(each.namespace, each.key): each for each in documents.within(namespace)}
        gone = {name: None for name in before if name not in wanted}
        new = {
            name: value
            for name, value in wanted.items()
            if name not in before
            or before[name].value
            != documents.as_kept(canonical_json.release(canonical_json.admit(value)))
        }
        done(documents.put_all({**gone, **new}))

    @staticmethod
    def _add(
        documents: Documents,
        namespace: Namespace,
        events: Sequence[Event],
        metadata: Mapping[str, object] | None,
    ) -> None:
        known = {each.key for each in documents.within(namespace)}
        told = _told(documents, namespace, events, metadata)
        done(documents.put_all({n: value for n, value in told if n[1] not in known}))

    @staticmethod
    def _delete(documents: Documents, namespace: Namespace, memory_id: str) -> None:
        # The id of an event is a name; that of a memory is told in its value, as it is kept.
        meant = {canonical_json.admit_text(memory_id), documents.as_kept(memory_id)}
        held = documents.within(namespace)
        gone = {(p.namespace, p.key): None for p in held if _id(p) in meant}
        kept_out = {(_deleted(namespace), memory_id): True} if gone else {}
        done(documents.put_all({**gone, **kept_out}))


def _namespace(app_name: str, user_id: str, session: str = "") -> Namespace:
    """As it is kept, to be compared with what is there: an accent has one form."""
    names = (NAMESPACE, app_name, user_id, *((session,) if session else ()))
    return tuple(map(canonical_json.admit_text, names))


def _deleted(namespace: Namespace) -> Namespace:
    _, app_name, user_id, *_ = namespace
    return (DELETED, app_name, user_id)


def _held(document: StoredDocument) -> dict[str, object]:
    assert isinstance(document.value, dict)
    return document.value


def _id(document: StoredDocument) -> str:
    return str(_held(document).get("id") or document.key)


def _entry(document: StoredDocument) -> MemoryEntry:
    held = _held(document)
    told = held.get("timestamp")
    moment = datetime.fromtimestamp(told).isoformat() if isinstance(told, int | float) else told  # noqa: DTZ006 - as ADK tells it
    return MemoryEntry.model_validate(
        {
            "id": _id(document),
            "content": held["content"],
            "author": held.get("author"),
            "timestamp": moment,
            "custom_metadata": held.get("custom_metadata") or held.get("metadata") or {},
        }
    )


def _text(document: StoredDocument) -> str:
    content = Content.model_validate(_held(document)["content"])
    return " ".join(part.text for part in content.parts or () if part.text)


def _told(
    documents: Documents,
    namespace: Namespace,
    events: Iterable[Event],
    metadata: Mapping[str, object] | None = None,
) -> "Iterable[tuple[tuple[Namespace, str], object]]":
    """Events that say something and have never been deleted."""
    deleted = {each.key for each in documents.within(_deleted(namespace))}
    for event in events:
        key = canonical_json.admit_text(event.id)
        if event.content and event.content.parts and key not in deleted:
            value = {
                "content": event.content.model_dump(mode="json", exclude_none=True),
                "author": event.author,
                "timestamp": event.timestamp,
                "session": "/".join(namespace[1:]),  # beside what else was said in it
            }
            yield (
                (namespace, key),
                value | ({"metadata": dict(metadata)} if metadata else {}),
            )

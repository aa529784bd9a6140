"""A memory service for Google's ADK: a session's events are papers, found by what they say.

An app and a user of ADK are labels of the drawer; which agent and which user of this memory may
read them was said when the service was made. With `governed`, adding raises `AwaitsApprovalError`.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Final

from muniment.adapters.frameworks.document_bridge import TURN, done, missing
from muniment.engine.api.agent import Agent
from muniment.model import canonical_json
from muniment.model.kinds.document import Drawer, Paper

try:
    from google.adk.events.event import Event
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.adk.sessions.session import Session
    from google.genai.types import Content
except ImportError as error:
    raise missing("google-adk", "adk") from error

DRAWER: Final = "adk"
DELETED: Final = "adk-deleted"  # ids that stay out, whichever session brings them again
NO_SESSION: Final = "__unknown_session_id__"
TOLD: Final = "__memories__"  # what was told directly, outside of any session
RESULTS_MAX: Final = 10


class MunimentMemoryService(BaseMemoryService):
    """The long-term memory of ADK agents, kept by an agent of this memory."""

    def __init__(self, agent: Agent, *, governed: bool = False) -> None:
        self._papers = agent.papers(governed=governed)

    async def add_session_to_memory(self, session: Session) -> None:
        """What the session holds now takes the place of what was kept of it before."""
        drawer = _drawer(session.app_name, session.user_id, session.id)
        with TURN:
            wanted = dict(self._told(drawer, session.events))
            before = {(each.drawer, each.key): each for each in self._papers.within(drawer)}
            gone = {name: None for name in before if name not in wanted}
            new = {
                name: value
                for name, value in wanted.items()
                if name not in before
                or before[name].value != canonical_json.release(canonical_json.admit(value))
            }
            done(self._papers.put_all({**gone, **new}))

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
        drawer = _drawer(app_name, user_id, session_id or NO_SESSION)
        with TURN:
            known = {each.key for each in self._papers.within(drawer)}
            told = self._told(drawer, events, custom_metadata)
            done(self._papers.put_all({n: value for n, value in told if n[1] not in known}))

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
        with TURN:
            done(self._papers.add(_drawer(app_name, user_id, TOLD), values) if values else [])

    async def search_memory(
        self, *, app_name: str, user_id: str, query: str
    ) -> SearchMemoryResponse:
        """The ten memories that answer the query best."""
        with TURN:
            found = self._papers.search(_drawer(app_name, user_id), query)
        told = (each for _, each in found if _text(each))
        return SearchMemoryResponse(memories=[*map(_entry, islice(told, RESULTS_MAX))])

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """A deleted memory stays out, also when its session is added again."""
        with TURN:
            drawer = _drawer(app_name, user_id)
            papers = self._papers.within(drawer) if memory_id else []
            gone = {(p.drawer, p.key): None for p in papers if _id(p) == memory_id}
            kept_out = {(_deleted(drawer), memory_id): True} if memory_id and gone else {}
            done(self._papers.put_all({**gone, **kept_out}))

    def _told(
        self,
        drawer: Drawer,
        events: Iterable[Event],
        metadata: Mapping[str, object] | None = None,
    ) -> "Iterable[tuple[tuple[Drawer, str], object]]":
        """Events that say something and have never been deleted."""
        deleted = {each.key for each in self._papers.within(_deleted(drawer))}
        for event in events:
            if event.content and event.content.parts and event.id not in deleted:
                value = {
                    "content": event.content.model_dump(mode="json", exclude_none=True),
                    "author": event.author,
                    "timestamp": event.timestamp,
                    "session": "/".join(drawer[1:]),  # beside what else was said in it
                }
                yield (drawer, event.id), value | ({"metadata": dict(metadata)} if metadata else {})


def _drawer(app_name: str, user_id: str, session: str = "") -> Drawer:
    return (DRAWER, app_name, user_id, *((session,) if session else ()))


def _deleted(drawer: Drawer) -> Drawer:
    _, app_name, user_id, *_ = drawer
    return (DELETED, app_name, user_id)


def _held(paper: Paper) -> dict[str, object]:
    assert isinstance(paper.value, dict)
    return paper.value


def _id(paper: Paper) -> str:
    return str(_held(paper).get("id") or paper.key)


def _entry(paper: Paper) -> MemoryEntry:
    held = _held(paper)
    told = held.get("timestamp")
    moment = datetime.fromtimestamp(told).isoformat() if isinstance(told, int | float) else told  # noqa: DTZ006 - as ADK tells it
    return MemoryEntry.model_validate(
        {
            "id": _id(paper),
            "content": held["content"],
            "author": held.get("author"),
            "timestamp": moment,
            "custom_metadata": held.get("custom_metadata") or held.get("metadata") or {},
        }
    )


def _text(paper: Paper) -> str:
    content = Content.model_validate(_held(paper)["content"])
    return " ".join(part.text for part in content.parts or () if part.text)

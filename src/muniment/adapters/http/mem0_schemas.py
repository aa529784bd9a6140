"""Request and response types of mem0's clients."""

from typing import Annotated, Any, Final, Literal

import msgspec

from muniment.adapters.requests.fields import Id, Name, Text
from muniment.adapters.requests.verb_request import VerbRequest

PAGE_SIZE: Final = 100
MESSAGES_MAX: Final = 100
Record = dict[str, object]


class Mem0Message(msgspec.Struct, frozen=True, kw_only=True):
    """One message, as chats spell it."""

    role: Literal["user", "assistant", "system", "tool"]
    content: Text
    name: Name = ""


class Entity(VerbRequest[Any], frozen=True, kw_only=True):
    """Whose memories: the user must be one the key speaks for; the rest are labels."""

    user_id: Name | None = None
    agent_id: Name | None = None
    app_id: Name | None = None
    run_id: Name | None = None
    org_id: Name | None = None
    project_id: Name | None = None


class Add(Entity, frozen=True, kw_only=True):
    """Keep what was said: the user's messages, and all of them with `infer: false`."""

    messages: Annotated[list[Mem0Message], msgspec.Meta(min_length=1, max_length=MESSAGES_MAX)]
    metadata: Record | None = None
    infer: bool = True
    version: Name | None = None
    output_format: Name | None = None
    async_mode: bool | None = None


class Search(Entity, frozen=True, kw_only=True):
    """Memories that answer a question, best first."""

    query: Annotated[str, msgspec.Meta(min_length=1, max_length=100_000)]
    filters: Record | None = None
    top_k: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 10
    limit: Annotated[int, msgspec.Meta(ge=1, le=1000)] | None = None
    threshold: Annotated[float, msgspec.Meta(ge=0, le=1)] | None = None
    rerank: bool | None = None
    version: Name | None = None
    output_format: Name | None = None


class GetAll(Entity, frozen=True, kw_only=True):
    """All memories, oldest first, in pages."""

    filters: Record | None = None
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1
    page_size: Annotated[int, msgspec.Meta(ge=1, le=1000)] = PAGE_SIZE
    version: Name | None = None
    output_format: Name | None = None


class ListAll(Entity, frozen=True, kw_only=True):
    """All memories, oldest first, in pages."""

    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 1
    page_size: Annotated[int, msgspec.Meta(ge=1, le=1000)] = PAGE_SIZE


class One(VerbRequest[Any], frozen=True, kw_only=True):
    memory_id: Id
    org_id: Name | None = None
    project_id: Name | None = None


class Get(One, frozen=True, kw_only=True):
    """One memory by its id."""


class History(One, frozen=True, kw_only=True):
    """Every version that a memory ever had, oldest first."""


class Delete(One, frozen=True, kw_only=True):
    """Take a memory out of every reading from here on; the past keeps it."""

    delete_linked: bool | None = None


class Update(One, frozen=True, kw_only=True):
    """Let a memory say something else; its older versions stay in its history."""

    text: Text | None = None
    metadata: Record | None = None


class DeleteAll(Entity, frozen=True, kw_only=True):
    """Take out all memories of whoever the key speaks for, with these labels."""


class Ping(VerbRequest[Any], frozen=True, kw_only=True):
    """Whether the key is in force."""

    org_id: Name | None = None
    project_id: Name | None = None


class Mem0Memory(msgspec.Struct, frozen=True, kw_only=True):
    """A memory as mem0's clients know it."""

    id: str
    memory: str
    user_id: str | None
    agent_id: str | None
    app_id: str | None
    run_id: str | None
    metadata: Record | None
    categories: list[str]
    created_at: str
    updated_at: str
    hash: str
    score: float | None = None


class Added(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    memory: str
    event: Literal["ADD"]


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    results: list[Added]


class Mem0Results(msgspec.Struct, frozen=True, kw_only=True):
    results: list[Mem0Memory]


class Paged(msgspec.Struct, frozen=True, kw_only=True):
    count: int
    next: str | None
    previous: str | None
    results: list[Mem0Memory]


class Mem0Version(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    memory_id: str
    old_memory: str | None
    new_memory: str | None
    event: Literal["ADD", "UPDATE", "DELETE"]
    created_at: str
    updated_at: str


class Mem0Text(msgspec.Struct, frozen=True, kw_only=True):
    message: str


class Pong(msgspec.Struct, frozen=True, kw_only=True):
    status: str
    org_id: str
    project_id: str
    user_email: str

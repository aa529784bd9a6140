"""Registry of memory types: the five intents each one answers, and where they are found.

A type interprets the intents in its own way. What it keeps is a function of the log: a built-in
reads its layer, a guest is a fold over the memos it accepts, so both can be dropped, rebuilt and
read at any past entry.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, Protocol

import msgspec

from muniment.engine.streams import argument_checks
from muniment.engine.streams.argument_checks import Then
from muniment.model.errors import RegistryError
from muniment.model.kinds.memo import Scores
from muniment.retrieval.context.candidates import ContextCandidate

Mode = Literal["soft", "hard"]
Asked = Mapping[str, object] | None  # what a question is asked with, besides its words
INTENTS: Final = ("memorize", "remember", "forget", "summarize", "get_capacity_info")
LIMIT: Final = 8  # what a type says at most, unless it is asked for more


class Capacity(msgspec.Struct, frozen=True, kw_only=True):
    """How full a type is; a limit of 0 is none."""

    items: int
    tokens: int
    items_max: int = 0
    tokens_max: int = 0
    policy: str = ""  # how it makes room


class Routed(msgspec.Struct, frozen=True, kw_only=True):
    """Where an item went, or why nowhere, with everything that was weighed."""

    places: tuple[str, ...]
    reasons: tuple[str, ...]
    scores: Scores
    rules: tuple[str, ...] = ()
    like: str = ""


class Evicted(msgspec.Struct, frozen=True, kw_only=True):
    place: str
    memo_ids: tuple[str, ...]
    policy: str
    reason: str
    moved_to: tuple[str, ...] = ()  # the ids that are found in episodic memory now


class Memorized(msgspec.Struct, frozen=True, kw_only=True):
    """What became of an item: kept where and why, and what made room for it."""

    stored: bool
    ids: tuple[str, ...]
    routing: Routed
    evictions: tuple[Evicted, ...] = ()
    redacted: tuple[str, ...] = ()
    version: int = 0
    seq: int = 0
    ended: tuple[str, ...] = ()  # ids of what these words asked to forget

    @property
    def id(self) -> str:
        return self.ids[0] if self.ids else ""


class Forgotten(msgspec.Struct, frozen=True, kw_only=True):
    ids: tuple[str, ...]
    place: str
    seq: int


class Intents(Protocol):
    """What every memory type answers, bound to one session and, inside a turn, to its job."""

    def memorize(
        self, item: Mapping[str, object], metadata: Mapping[str, object] | None = None
    ) -> Memorized: ...

    def remember(
        self, prompt: str, metadata: Mapping[str, object] | None = None
    ) -> Sequence[ContextCandidate]:
        """What it has to say, nearest first.

        `metadata` may hold a `limit`; `at` an entry and `valid_at` a day, as of which it is asked;
        and `as_of`, the moment from which ages count.
        """

    def forget(self, instructions: str, mode: Mode = "soft") -> Forgotten: ...

    def summarize(self, scope: str = "", token_limit: int = 100) -> str: ...

    def get_capacity_info(self) -> Capacity: ...


def limit_of(metadata: Asked) -> int:
    return argument_checks.check_count((metadata or {}).get("limit", LIMIT), "limit")


def then_of(metadata: Asked) -> Then:
    """As of which entry, and of which day, a type is asked; a day that is none is bad input."""
    asked = metadata or {}
    at = asked.get("at")
    return {
        "at": None if at is None else argument_checks.check_count(at, "at"),
        "valid_at": argument_checks.check_day(asked.get("valid_at", "")),
    }


class MemoryType(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of memory: its name, its version, what it can do, and how one is made."""

    name: str
    version: str
    # Given a `TypeHost`: what answers the intents, with `candidates(request)` for `remember`.
    factory: Callable[..., Any]
    capabilities: tuple[str, ...] = INTENTS
    description: str = ""
    layer: Any = None  # of a guest: its fold
    built_in: bool = False  # one that fails takes the context with it


class Registry:
    """Memory types by name. A name is given once: to replace a type, remove it first."""

    def __init__(self, types: Sequence[MemoryType] = ()) -> None:
        self._types: dict[str, MemoryType] = {}
        for each in types:
            self.register(each)

    def register(self, kind: MemoryType) -> None:
        if not kind.name.isidentifier():
            raise RegistryError("a memory type has a name of letters, digits and underscores")
        if kind.name in self._types:
            raise RegistryError(f"there is a memory type {kind.name!r} already")
        unknown = [each for each in kind.capabilities if each not in INTENTS]
        if unknown:
            raise RegistryError(f"{kind.name} claims {', '.join(unknown)}, which is not an intent")
        self._types[kind.name] = kind

    def get(self, name: object) -> MemoryType:
        if not isinstance(name, str) or name not in self._types:
            raise RegistryError(f"there is no memory type {str(name)[:64]!r}")
        return self._types[name]

    def list(self) -> tuple[MemoryType, ...]:
        """In the order they were registered; the built-in ones come first."""
        return tuple(self._types.values())

    def remove(self, name: str) -> MemoryType:
        found = self.get(name)
        del self._types[name]
        return found

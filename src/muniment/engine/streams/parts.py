"""Parts: what an adapter hands over, the world behind its ports.

A store is opened with these alone; whatever works with them is loaded for the first who asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from muniment.engine import lazy_modules as later
from muniment.engine import lazy_views as views
from muniment.engine.streams.ports import (
    Clock,
    Embedder,
    Model,
    Neighbours,
    NoBallast,
    ReservedSpace,
    Spool,
    is_repeatable,
)
from muniment.log.sealing import Keyring
from muniment.log.store import Store
from muniment.model.errors import EmbedderError, InputError
from muniment.model.kinds.loop import IdeticEvent
from muniment.model.policy import Policy
from muniment.retrieval.filters import policy_checks
from muniment.retrieval.index.hashing_embedder import HashingEmbedder
from muniment.rules.privacy.rule import DetectFunction, PrivacyFinding

WAY_BACK: Final = (
    "Where the policy names it in `recall.embedder`: `muniment index switch {0}` goes back to the "
    "default, `muniment.open(neighbours=Neighbours(embedders=(…,)))` hands in one of that name"
)


def rules_only(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
    """The built-in detector, whose rules are loaded for the first text."""
    return later.screen.rules_only(text, regions)


def compact(event: IdeticEvent) -> str:
    """The built-in compactor, loaded for the first event."""
    return later.loop_compaction.compact(event)


class World(msgspec.Struct, frozen=True, kw_only=True):
    """What the pure steps need from outside: keys, and a detector of personal data."""

    keyring: Keyring
    detector: DetectFunction = rules_only
    outside_detector: str = ""  # the name of who looks beside the rules


class Tools(msgspec.Struct, frozen=True, kw_only=True):
    """What makes derived layers: a compactor, and an embedder and a model behind their ports."""

    embedder: Embedder = HashingEmbedder()
    compactor: Callable[[IdeticEvent], str] = compact
    model: Model | None = None  # without one, summaries are made of the memos' own sentences
    others: tuple[Embedder, ...] = ()  # embedders that a policy may name instead

    @property
    def at_hand(self) -> tuple[Embedder, ...]:
        return (self.embedder, *self.others)

    def named(self, name: str) -> Embedder:
        """An embedder by its name; without one, the store's own."""
        if not name:
            return self.embedder
        for each in self.at_hand:
            if each.name == name:
                return each
        known = ", ".join(each.name for each in self.at_hand)
        raise InputError(f"the embedder {name[:80]!r} is not available; there are {known}")

    def repeatable(self, name: str) -> Embedder:
        """The one that a policy names, if its word need not be kept; else one that is like that."""
        named = [each for each in self.at_hand if each.name == name]
        found = (each for each in (*named, *self.at_hand) if is_repeatable(each))
        return next(found, HashingEmbedder())

    def chosen(self, name: str) -> Embedder:
        """The one that a policy or a receipt names; whoever asks cannot help it if it is absent.

        A policy may name one that only some programs hand in, so it is said where it names it.
        """
        try:
            return self.named(name)
        except InputError as absent:
            raise EmbedderError(f"{absent.detail}. {WAY_BACK.format(self.embedder.name)}") from None


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    store: Store
    world: World
    clock: Clock
    spool: Spool
    policy: Policy
    ballast: ReservedSpace = NoBallast()
    open_tables: bool = False  # also keep the episodes as plain rows, for SQL
    tools: Tools = Tools()
    memory_types: tuple[views.MemoryType, ...] = ()
    neighbours: Neighbours = Neighbours()

    def __post_init__(self) -> None:
        policy_checks.checked(self.policy)  # what no log could be read under is refused before any

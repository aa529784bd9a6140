"""Built-in memory types: their answers to the five intents, and their capacity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from muniment.engine import lazy_modules as later
from muniment.engine import lazy_views as views
from muniment.engine.projections.memory_type_registry import (
    LIMIT,
    Asked,
    Capacity,
    Forgotten,
    Memorized,
    MemoryType,
    Mode,
)
from muniment.model.errors import RefusedError
from muniment.model.kinds.memo import Memo, MemoPlace
from muniment.model.policy.maintenance import Limit
from muniment.model.text.tokens import tokens, tokens_by_length

WINDOW: Final = 2_000  # how many of the newest a count looks at
READ_ONLY: Final = ("remember", "summarize", "get_capacity_info")


class BuiltinType:
    """A type that only reads: asked for little, it says little."""

    def __init__(self, host: views.TypeHost, name: str, candidates: views.Candidates) -> None:
        self.host = host
        self.name = name
        self.candidates = candidates

    def memorize(self, item: Mapping[str, object], metadata: Asked = None) -> Memorized:
        """What a type does not take by name goes where the gate sends it."""
        return self.host.memorize(item, metadata)

    def forget(self, instructions: str, mode: Mode = "soft") -> Forgotten:
        raise RefusedError("phrase_unknown", f"{self.name} forgets by its own rules only")

    def summarize(self, scope: str = "", token_limit: int = 100) -> str:
        """What it would say about the scope, told by its own sentences that say most."""
        found = self.host.ask(self.candidates, scope)
        texts = [" ".join(each.text.split()) for each in found]
        limit = Limit(sentences_max=len(texts) * LIMIT, tokens_max=max(token_limit, 1))
        return later.summarise.summarise(texts, limit).text

    def get_capacity_info(self) -> Capacity:
        found = self.host.ask(self.candidates, "", {"limit": WINDOW})
        return Capacity(items=len(found), tokens=sum(tokens_by_length(each.text) for each in found))


class MemoStore(BuiltinType):
    """A place of memos: kept by name, forgotten by the phrases of that place."""

    place = MemoPlace.EM

    def __init__(self, host: views.TypeHost, name: str) -> None:
        super().__init__(host, name, self._found)

    def memorize(self, item: Mapping[str, object], metadata: Asked = None) -> Memorized:
        return self.host.memorize(item, metadata, store=self.place)

    def forget(self, instructions: str, mode: Mode = "soft") -> Forgotten:
        return self.host.forget_memos(self.place, instructions, mode=mode)

    def _found(self, request: views.ContextRequest) -> list[views.ContextCandidate]:
        """What answers the prompt best, of all that lives here; without words, the newest."""
        rules, is_episodic = request.rules, self.place is MemoPlace.EM
        pool = rules.episodic_candidates if is_episodic else rules.semantic_candidates
        limit, at, day = request.limit or pool, request.at, request.valid_at
        said: list[tuple[Memo | str, int]] = []
        if tokens(request.prompt):
            said += self.host.search(self.place, request, limit)
        else:
            newest = self.host.memos(self.place, limit=limit, at=at, valid_at=day)
            said += [(memo, 0) for memo in newest]
        return later.builtin_candidates.offered(self.name, "EM" if is_episodic else "SM", said)


class WorkingMemoryType(MemoStore):
    place = MemoPlace.WM

    def _found(self, request: views.ContextRequest) -> list[views.ContextCandidate]:
        return later.builtin_candidates.working(request)

    def get_capacity_info(self) -> Capacity:
        held = self.host.memos(MemoPlace.WM)
        limits = self.host.gating
        return Capacity(
            items=len(held),
            tokens=_tokens(held),
            items_max=limits.working_items_max,
            tokens_max=limits.working_tokens_max,
            policy=limits.working_policy,
        )


class Episodic(MemoStore):
    place = MemoPlace.EM

    def get_capacity_info(self) -> Capacity:
        return Capacity(
            items=self.host.counts.episodic,
            tokens=_tokens(self.host.memos(self.place)),
            items_max=self.host.gating.episodic_items_max,
            policy="append_only",
        )


class Semantic(MemoStore):
    place = MemoPlace.SM

    def get_capacity_info(self) -> Capacity:
        return Capacity(
            items=self.host.counts.semantic,
            tokens=_tokens(self.host.memos(self.place)),
            items_max=self.host.gating.semantic_items_max,
            policy="least_important",
        )


def _tokens(living: Iterable[Memo]) -> int:
    return sum(memo.tokens_estimate for memo in living)


def _store(name: str, store: type[MemoStore], description: str) -> MemoryType:
    return MemoryType(
        name=name,
        version="1",
        factory=lambda host: store(host, name),
        description=description,
        built_in=True,
    )


def _reads(name: str, candidates: Callable[[], views.Candidates], description: str) -> MemoryType:
    return MemoryType(
        name=name,
        version="1",
        factory=lambda host: BuiltinType(host, name, candidates()),
        capabilities=READ_ONLY,
        description=description,
        built_in=True,
    )


# In the order in which a context asks them: what is always so, what is at hand, what is known.
BUILT_IN: Final = (
    _reads(
        "consciousness", lambda: later.builtin_candidates.mandates, "what consciousness insists on"
    ),
    _reads(
        "conversation",
        lambda: later.conversation_candidates.conversation,
        "the recent turns of a session",
    ),
    _store("working", WorkingMemoryType, "the scratchpad of a task"),
    _reads("goals", lambda: later.builtin_candidates.goals, "what the agent is about"),
    _store("episodic", Episodic, "what happened, in order"),
    _store("semantic", Semantic, "what was distilled, with versions"),
    _reads("facts", lambda: later.builtin_candidates.facts, "what the council approved"),
    _reads(
        "profile",
        lambda: later.conversation_candidates.profile,
        "what conversations taught about the user",
    ),
    _reads(
        "consolidated",
        lambda: later.builtin_candidates.consolidated,
        "what a session holds together",
    ),
    _reads(
        "skills", lambda: later.builtin_candidates.skills, "what was done the same way often enough"
    ),
    _reads(
        "remembered", lambda: later.builtin_candidates.remembered, "sentences that were remembered"
    ),
    _reads(
        "threads", lambda: later.conversation_candidates.threads, "what was said on a job's channel"
    ),
)

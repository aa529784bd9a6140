"""Plugin memory types as the registry has them: `guest(layer)` is one on equal terms."""

from collections.abc import Mapping

from muniment.engine.context.builtin_candidates import offered
from muniment.engine.context.context_request import ContextRequest
from muniment.engine.memos.type_host import TypeHost
from muniment.engine.projections.memory_plugins import PluginType
from muniment.engine.projections.memory_type_registry import (
    Capacity,
    Forgotten,
    Memorized,
    MemoryType,
    Mode,
)
from muniment.model.fixed_point import MILLION
from muniment.model.text.tokens import shorten, tokens_by_length
from muniment.retrieval.context.candidates import ContextCandidate


def guest(layer: PluginType) -> MemoryType:
    """A layer as a memory type, on equal terms with those that are built in."""
    return MemoryType(
        name=layer.name,
        version=layer.version,
        factory=lambda host: Folded(layer, host),
        layer=layer,
        description=(layer.__doc__ or "").strip().partition("\n")[0],
    )


class Folded:
    """A plugin bound to one session: what it answers is said of its fold as it stood."""

    def __init__(self, layer: PluginType, host: TypeHost) -> None:
        self.layer = layer
        self._host = host

    def memorize(
        self, item: Mapping[str, object], metadata: Mapping[str, object] | None = None
    ) -> Memorized:
        return self._host.memorize(item, metadata, store=self.layer.name)

    def candidates(self, request: ContextRequest) -> list[ContextCandidate]:
        limit = request.limit or request.rules.semantic_candidates
        state = self._host.state(self.layer, request.at, request.valid_at)
        said = self.layer.remember(state, request.prompt)[:limit]
        # A guest says what is best first, and no more.
        likeness = [MILLION // (n + 1) for n in range(len(said))]
        return offered(self.layer.name, "SM", list(zip(said, likeness, strict=True)))

    def forget(self, instructions: str, mode: Mode = "soft") -> Forgotten:
        return self._host.forget_memos(self.layer.name, instructions, mode=mode)

    def summarize(self, scope: str = "", token_limit: int = 100) -> str:
        told = self.layer.summarize(self._host.state(self.layer, None), scope, token_limit)
        return shorten(told, token_limit * 4) if tokens_by_length(told) > token_limit else told

    def get_capacity_info(self) -> Capacity:
        return self.layer.get_capacity_info(self._host.state(self.layer, None))

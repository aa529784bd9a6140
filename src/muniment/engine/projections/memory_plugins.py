"""Guests: memory types that somebody else wrote, each a pure fold over the memos it accepts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from muniment.engine.projections.memory_type_registry import (
    Capacity,
    Forgotten,
    Memorized,
    MemoryType,
    Mode,
    TypeAnswer,
    limit_of,
    then_of,
)
from muniment.log.entry import Line
from muniment.model.events.memos import MemoKept, MemosForgotten
from muniment.model.kinds.memo import Memo
from muniment.model.lru_cache import LruCache
from muniment.model.text.tokens import estimate_tokens, shorten

State = Any  # a guest's own; only the guest looks inside
FOLDS_KEPT: Final = 256  # states that stay in memory; any other is folded from its log again


class PluginType(Protocol):
    """What a guest writes: five intents and a beginning, all of them pure.

    `memorize` and `forget` return the next state and are the guest's fold: whatever it knows
    follows from the log, so it can be dropped, rebuilt, and read as of any past entry.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def empty(self) -> State: ...

    def accepts(self, memo: Memo) -> bool:
        """Whether it also wants a memo that was not sent to it by name."""

    def memorize(self, state: State, memo: Memo) -> State: ...

    def remember(self, state: State, prompt: str) -> Sequence[Memo | str]:
        """What it has to say about a prompt, best first."""

    def forget(self, state: State, instructions: str) -> State: ...

    def summarize(self, state: State, scope: str, token_limit: int) -> str: ...

    def get_capacity_info(self, state: State) -> Capacity: ...


class PluginHost(Protocol):
    """What a guest's host gives it: the state at an entry, and the two verbs that write."""

    def state(self, layer: PluginType, at: int | None, valid_at: str = "") -> State: ...
    def memorize(
        self, item: object, metadata: Mapping[str, object] | None, *, store: str
    ) -> Memorized: ...
    def forget_memos(self, place: str, phrase: str, *, mode: Mode) -> Forgotten: ...


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
    """A guest bound to one voice: its five intents as everyone else has them."""

    def __init__(self, layer: PluginType, host: PluginHost) -> None:
        self.layer = layer
        self._host = host

    def memorize(
        self, item: Mapping[str, object], metadata: Mapping[str, object] | None = None
    ) -> Memorized:
        return self._host.memorize(item, metadata, store=self.layer.name)

    def remember(
        self, prompt: str, metadata: Mapping[str, object] | None = None
    ) -> Sequence[TypeAnswer]:
        limit, then = limit_of(metadata), then_of(metadata)
        said = self.layer.remember(self._host.state(self.layer, **then), prompt)[:limit]
        return [self._found(n, each) for n, each in enumerate(said)]

    def forget(self, instructions: str, mode: Mode = "soft") -> Forgotten:
        return self._host.forget_memos(self.layer.name, instructions, mode=mode)

    def summarize(self, scope: str = "", token_limit: int = 100) -> str:
        told = self.layer.summarize(self._host.state(self.layer, None), scope, token_limit)
        return shorten(told, token_limit * 4) if estimate_tokens(told) > token_limit else told

    def get_capacity_info(self) -> Capacity:
        return self.layer.get_capacity_info(self._host.state(self.layer, None))

    def _found(self, n: int, said: Memo | str) -> TypeAnswer:
        memo = said if isinstance(said, Memo) else None
        text = memo.text if memo else str(said)
        return TypeAnswer(
            id=memo.id if memo else f"{self.layer.name}:{n}",
            layer=self.layer.name,
            text=text,
            tokens=estimate_tokens(text),
            similarity_ppm=1_000_000 // (n + 1),  # a guest says what is best first, and no more
            importance_ppm=memo.importance_ppm if memo else 500_000,
            created=memo.timestamp if memo else "",
            authority=memo.source if memo else "model",
            memo=memo,
        )


class Folds:
    """The states of guests, each remembered with the entry it has heard last."""

    def __init__(self) -> None:
        self._known = LruCache[tuple[str, ...], tuple[bytes, int, State]](FOLDS_KEPT)

    def state(
        self,
        key: tuple[str, ...],
        layer: PluginType,
        lines: Callable[[int], Sequence[Line]],
        *,
        generation: bytes,
        head: int,
    ) -> State:
        """The state at the head: what was known, and what the log says since then."""
        then, seq, state = self._known.get(key) or (generation, 0, None)
        if then != generation or seq == 0:
            seq, state = 0, layer.empty()
        if seq < head:
            state = fold(layer, state, lines(seq))
            self._known.put(key, (generation, head, state))
        return state

    def clear(self) -> None:
        self._known.clear()


def fold(layer: PluginType, state: State, lines: Sequence[Line]) -> State:
    for line in lines:
        match line.event:
            case MemoKept(memo=memo, places=places):
                if layer.name in places or layer.accepts(memo):
                    state = layer.memorize(state, memo)
            case MemosForgotten(place=place, phrase=phrase) if place == layer.name:
                state = layer.forget(state, phrase)
            case _:
                pass
    return state

"""Plugin memory types: each a pure fold over the memos it accepts, cached by stream."""

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from muniment.engine.projections.memory_type_registry import Capacity
from muniment.log.entry import Line
from muniment.model.events.memos import MemoKept, MemosForgotten
from muniment.model.kinds.memo import Memo
from muniment.model.lru_cache import LruCache

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

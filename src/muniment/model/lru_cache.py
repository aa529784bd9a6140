"""LRU caches: a bounded number of values by key; the least recently used is dropped."""

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, wraps
from typing import Final, Generic, ParamSpec, TypeVar

SHORT_KEPT: Final = 2_048
SHORT_LETTERS_MAX: Final = 1_024

Key = TypeVar("Key")
Value = TypeVar("Value")
Given = ParamSpec("Given")


class LruCache(Generic[Key, Value]):
    """Threads may share it: each step is one operation of a dictionary, and nobody waits."""

    def __init__(
        self, kept_max: int, *, may_leave: Callable[[Key, Value], bool] | None = None
    ) -> None:
        self._kept_max = kept_max
        self._may_leave = may_leave  # where nobody may, there are more for a while
        self._held: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, key: Key) -> bool:
        return key in self._held

    def get(self, key: Key) -> Value | None:
        found = self._held.get(key)
        if found is not None:
            try:  # noqa: SIM105 - asked a dozen times for each write, where `suppress` is half of it
                self._held.move_to_end(key)
            except KeyError:
                pass  # somebody else let go of it meanwhile
        return found

    def put(self, key: Key, value: Value) -> list[tuple[Key, Value]]:
        """Hold a value as the one used last; returns what had to leave for it, oldest first."""
        self._held[key] = value
        with suppress(KeyError):
            self._held.move_to_end(key)
        gone: list[tuple[Key, Value]] = []
        while len(self._held) > self._kept_max and (oldest := self._pop_oldest(besides=key)):
            gone.append(oldest)
        return gone

    def pop(self, key: Key) -> Value | None:
        return self._held.pop(key, None)

    def values(self) -> list[Value]:
        return list(self._held.values())

    def entries(self) -> list[tuple[Key, Value]]:
        """What is held now, the longest unused first."""
        return list(self._held.items())

    def clear(self) -> None:
        self._held.clear()

    def _pop_oldest(self, *, besides: Key) -> tuple[Key, Value] | None:
        if self._may_leave is None:
            with suppress(KeyError):
                return self._held.popitem(last=False)
            return None
        for key, value in self.entries():
            if key != besides and self._may_leave(key, value):
                self.pop(key)
                return key, value
        return None


def cached_for_short_texts(find: Callable[Given, Value]) -> Callable[Given, Value]:
    """A cache in front of a pure function whose last argument is a text.

    Every context and every recall look at nearly the same texts. Long ones are rare, and would
    fill the memory of a process.
    """
    cached = lru_cache(maxsize=SHORT_KEPT)(find)

    @wraps(find)
    def found(*given: Given.args, **named: Given.kwargs) -> Value:
        is_short = len(str(given[-1])) <= SHORT_LETTERS_MAX
        return (cached if is_short else find)(*given, **named)  # type: ignore[arg-type] # hashable

    return found

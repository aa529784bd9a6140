"""Multi-pattern search: many byte strings in one pass.

Whoever is erased may have said twenty thousand sentences, and to look for each by itself takes as
many times as long as for one. Here every place of the haystack is looked at once, by the eight
bytes that begin there; only where some needle begins with these is more compared. It takes as long
as some ninety single searches, however many needles there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, TypeAlias

from muniment.retrieval import arrays as np

BEGIN: Final = 8  # bytes by which a place is told; shorter needles are looked for one by one
TABLE_BITS: Final = 20
# An odd number whose product spreads what differs in any bit over the highest ones.
SPREAD: Final = 0x9E3779B97F4A7C15

Begins: TypeAlias = "np.NDArray[np.uint64]"


class Needles:
    """What is looked for, arranged so that most places are passed over."""

    def __init__(self, needles: Iterable[bytes]) -> None:
        self._needles = frozenset(needles)
        self.longest = max(map(len, self._needles), default=0)
        self._short = [each for each in self._needles if len(each) < BEGIN]
        lengths: defaultdict[int, set[int]] = defaultdict(set)
        for each in self._needles:
            if len(each) >= BEGIN:
                lengths[int.from_bytes(each[:BEGIN], "little")].add(len(each))
        self._lengths = {begin: sorted(known) for begin, known in lengths.items()}
        self._begins = np.array(sorted(lengths), np.uint64)
        self._table = np.zeros(1 << TABLE_BITS, bool)
        self._table[_spread(self._begins)] = True

    def within(self, haystack: bytes) -> set[bytes]:
        """Those that stand anywhere in it."""
        found = {each for each in self._short if each in haystack}
        if not len(self._begins):
            return found
        for offset in range(min(BEGIN, len(haystack) - BEGIN + 1)):
            there = np.frombuffer(haystack, "<u8", (len(haystack) - offset) // BEGIN, offset)
            for place in self._places(there):
                found |= self._at(haystack, offset + BEGIN * place)
        return found

    def _places(self, there: Begins) -> list[int]:
        """Where something stands that a needle begins with."""
        likely = self._table[_spread(there)].nonzero()[0]
        begins = there[likely]
        nearest = self._begins.searchsorted(begins)
        nearest[nearest == len(self._begins)] = 0
        places: list[int] = likely[self._begins[nearest] == begins].tolist()
        return places

    def _at(self, haystack: bytes, place: int) -> set[bytes]:
        begin = int.from_bytes(haystack[place : place + BEGIN], "little")
        told = {haystack[place : place + length] for length in self._lengths[begin]}
        return told & self._needles


def _spread(begins: Begins) -> np.NDArray[np.uint64]:
    return (begins * np.uint64(SPREAD)) >> np.uint64(64 - TABLE_BITS)

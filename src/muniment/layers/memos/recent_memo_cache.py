"""Cache of recent memos: the texts kept last, split into words, as long as they live.

The next memo resembles these most often. What is held here was kept on its shelves and has not
left them since, so nobody need look there; whatever is not held is looked up.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from muniment.layers.memos import memos
from muniment.log.entry import Line
from muniment.model.events import Received
from muniment.model.events.memos import MemoKept
from muniment.model.lru_cache import LruCache
from muniment.model.text import similarity

HELD_MAX: Final = 1024  # of some two thousand bytes each


class ComparedText(msgspec.Struct, frozen=True, kw_only=True):
    """What another text is compared with."""

    memo_id: str
    text: str
    words: frozenset[str]
    about: tuple[str, ...]  # references: who may be told of it


def held(line: Line, kept: MemoKept) -> ComparedText:
    return ComparedText(
        memo_id=kept.memo.id,
        text=kept.memo.text,
        words=similarity.words(kept.memo.text),
        about=tuple([part.subject for part in line.header.parts]),
    )


class AtHand:
    """The newest living memos of one stream, by the entry that keeps them."""

    def __init__(self) -> None:
        self._held = LruCache[int, ComparedText](HELD_MAX)
        self._seqs: dict[str, int] = {}

    def get(self, seq: int) -> ComparedText | None:
        return self._held.get(seq)

    def hear(self, lines: Iterable[Line]) -> None:
        """Follow the log, where it was written by others."""
        for line in lines:
            self.release(line)
            self.take([line])

    def release(self, line: Line) -> None:
        """Let go of what an entry ends; that it may live on elsewhere is for the shelves to say."""
        if self._held and not isinstance(line.event, Received):
            for _, memo_id in memos.ended(line):
                self._held.pop(self._seqs.pop(memo_id, 0))

    def clear(self) -> None:
        self._held.clear()
        self._seqs.clear()

    def take(self, lines: Iterable[Line]) -> None:
        """What is kept comes to hand, once it is in the log."""
        for line in lines:
            if isinstance(line.event, MemoKept):
                self._hold(line, line.event)

    def _hold(self, line: Line, kept: MemoKept) -> None:
        self._seqs[kept.memo.id] = line.seq
        for _, oldest in self._held.put(line.seq, held(line, kept)):
            self._seqs.pop(oldest.memo_id, None)

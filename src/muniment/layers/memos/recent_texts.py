"""Cache of recent texts: the latest memos and sentences as words, for duplicate checks.

The next text resembles these most often. What is held is what its entry says, so nobody need open
that again; whatever is not held is opened. A memo is held as long as it lives; whether a sentence
lives its shelf knows.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from muniment.layers import episodes
from muniment.layers.memos import memos
from muniment.log import chain
from muniment.log.entry import Entry, Line
from muniment.log.sealing import Keyring
from muniment.model.events import EpisodeWritten, Received
from muniment.model.events.memos import MemoKept
from muniment.model.lru_cache import LruCache
from muniment.model.text import similarity

HELD_MAX: Final = 1024  # of some two thousand bytes each
LINES_MAX: Final = 64  # opened entries: about what a talk has in its window


class ComparedText(msgspec.Struct, frozen=True, kw_only=True):
    """What another text is compared with."""

    id: str
    text: str
    words: frozenset[str]
    about: tuple[str, ...]  # references: who may be told of it


def said(line: Line) -> ComparedText | None:
    """What a memo or a sentence says; nothing where an entry holds neither."""
    match line.event:
        case MemoKept(memo=memo):
            named, text = memo.id, memo.text
        case EpisodeWritten() as written if episodes.is_saying(written):
            named, text = written.episodic_id, written.summary
        case _:
            return None
    about = tuple([part.subject for part in line.header.parts])
    return ComparedText(id=named, text=text, words=similarity.words(text), about=about)


class AtHand:
    """The newest texts of one stream, by the entry that keeps them."""

    def __init__(self, *, lines_max: int = LINES_MAX) -> None:
        self._held = LruCache[int, ComparedText](HELD_MAX)
        self._seqs: dict[str, int] = {}
        self._lines = LruCache[bytes, Line](lines_max)

    def get(self, seq: int) -> ComparedText | None:
        return self._held.get(seq)

    def opened(self, entry: Entry, origin: str, keyring: Keyring) -> Line:
        """An entry, opened once: one decision after the other looks at the same few."""
        line = self._lines.get(entry.hash)
        if line is None:
            line = chain.open_entry(entry, origin=origin, keyring=keyring)
            self.keep_open([line])
        return line

    def keep_open(self, lines: Iterable[Line]) -> None:
        for line in lines:
            self._lines.put(line.hash, line)

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
        self._lines.clear()

    def take(self, lines: Iterable[Line]) -> None:
        """What is kept comes to hand, once it is in the log."""
        for line in lines:
            text = said(line)
            if text is not None:
                self._hold(line.seq, text)

    def keep_sayings(self, lines: Iterable[Line]) -> None:
        """Sentences that had to be opened: what is said often is compared with them every time.

        They share the room of the newest. No memo is among them: one that is held is known to live.
        """
        self.take(line for line in lines if isinstance(line.event, EpisodeWritten))

    def _hold(self, seq: int, text: ComparedText) -> None:
        self._seqs[text.id] = seq
        for _, oldest in self._held.put(seq, text):
            self._seqs.pop(oldest.id, None)

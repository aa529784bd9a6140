"""Cache of loop events: opened events of a persona's loops, shared by its sessions.

A program that asks for its agent anew with every call would else read every loop there ever was.
What is held was visible to that reader; each goes on from where it was read.
"""

from collections.abc import Hashable
from typing import Final

from muniment.model.kinds.loop import IdeticEvent, MirrorEntry
from muniment.model.kinds.skill import Skill
from muniment.model.lru_cache import LruCache

READERS_MAX: Final = 64
Held = tuple[IdeticEvent, str, int]  # an event, whom it is about, its job
Practised = dict[str, tuple[Skill, ...]]  # by person


class ReadLoops:
    """What one reader has opened. Threads may share it: at worst two of them read the same."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self.events: dict[int, Held] = {}  # by the seq of each
        self.mirrored: dict[str, MirrorEntry] = {}
        self.read = (0, 0)  # how far both streams have been read
        self.subjects: set[str] = set()  # whose keys what is held was sealed under
        self.practised: tuple[Hashable, Practised] = ((), {})  # the last skills, and of what


class LoopCache:
    """By stream and by whom a reader speaks for; the longest unused leaves."""

    def __init__(self) -> None:
        self._readers = LruCache[tuple[str, str], ReadLoops](READERS_MAX)

    def of(self, stream: str, subject: str) -> ReadLoops:
        found = self._readers.get((stream, subject))
        if found is None:
            found = ReadLoops()
            self._readers.put((stream, subject), found)
        return found

    def clear(self) -> None:
        self._readers.clear()

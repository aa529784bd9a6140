"""The writers at hand: one for each stream that is used, so many at most.

A writer holds its stream's desk, so a process that serves many agents must not keep all it ever
met. One that was let go is made again from the log's last checkpoint; should the old one still be
at work meanwhile, the expected head keeps both correct.
"""

from collections.abc import Iterator
from typing import Final

from muniment.engine.streams.stream_writer import Writer
from muniment.model.scope import StreamId, StreamKind

WRITERS_KEPT: Final = 512  # some 20 kB each, and up to 2 MB where an agent has kept many memos
# One of each for a tenant, and what was read of them is told by whether they are at hand.
STAYING: Final = frozenset({StreamKind.COUNCIL, StreamKind.OPS})


class Writers:
    def __init__(self, kept_max: int = WRITERS_KEPT) -> None:
        self._kept_max = kept_max
        self._known: dict[str, Writer] = {}
        self._used: dict[str, int] = {}  # threads share it: nothing is moved when one is used
        self._clock = 0

    def __len__(self) -> int:
        return len(self._known)

    def __iter__(self) -> Iterator[Writer]:
        return iter(list(self._known.values()))

    def get(self, stream_id: StreamId) -> Writer | None:
        found = self._known.get(stream_id.text)
        if found is not None:
            self._touch(stream_id.text)
        return found

    def add(self, writer: Writer) -> None:
        name = writer.stream.id.text
        self._touch(name)
        self._known[name] = writer
        if len(self._known) > self._kept_max:
            self._let_go(besides=name)

    def _touch(self, name: str) -> None:
        self._clock += 1
        self._used[name] = self._clock

    def _let_go(self, *, besides: str) -> None:
        """The longest unused half at once, so that not every newcomer has to look for one."""
        idle = [
            name
            for name, writer in list(self._known.items())
            if name != besides and writer.stream.id.kind not in STAYING and not writer.is_fenced
        ]
        idle.sort(key=lambda name: (self._used.get(name, 0), name))
        for name in idle[: (len(idle) + 1) // 2]:
            self._known.pop(name, None)
            self._used.pop(name, None)

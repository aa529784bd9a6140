"""Eager indexing: after an append of many texts the writer indexes them, not the reader.

An index follows from the log, whoever makes it and whenever, so this changes no answer. What fails
here fails nobody: whoever reads next takes in what is lacking.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final, Protocol

from muniment.engine.projections.index import Index
from muniment.engine.projections.index_cache import Indexes
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.ports import Embedder
from muniment.engine.streams.stream_writer import Writer
from muniment.log.entry import Line
from muniment.model.errors import MunimentError
from muniment.model.events import EpisodesWritten
from muniment.model.lru_cache import LruCache
from muniment.model.scope import StreamId, StreamKind
from muniment.retrieval.index import index_feed

ENOUGH: Final = 64  # texts that a reader may find untaken, at most
READERS_MAX: Final = 512  # whose untaken texts are counted
OFFERING: Final = index_feed.TELLING - {"received"}
INDEXED: Final = "hybrid"  # the profile of recall that asks an index


class Hub(Protocol):
    """As much of a hub as is needed here."""

    indexes: Indexes

    def writer(self, stream_id: StreamId) -> Writer: ...
    def embedder(self, stream_id: StreamId) -> Embedder: ...
    def index_of(self, stream_id: StreamId, reader: str, embedder: Embedder) -> Index: ...


class EagerIndexing:
    """Counts what each reader's index lacks of what was told here."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._untaken = LruCache[tuple[str, str], int](READERS_MAX)

    def follow(self, stream_id: StreamId, told: Sequence[AppendResult]) -> None:
        if stream_id.kind is not StreamKind.AGENT:
            return
        lines = [line for each in told for line in each.lines]
        self._hub.indexes.told.hear(self._hub.writer(stream_id).stream.ref, lines)
        for reader, texts in _told(lines).items():
            place = (stream_id.text, reader)
            untaken = (self._untaken.get(place) or 0) + texts
            if untaken >= ENOUGH:
                self._take_in(stream_id, reader)
                untaken = 0
            self._untaken.put(place, untaken)

    def _take_in(self, stream_id: StreamId, reader: str) -> None:
        with suppress(MunimentError):
            writer = self._hub.writer(stream_id)
            if writer.desk.policy.recall.profile == INDEXED:
                index = self._hub.index_of(stream_id, reader, self._hub.embedder(stream_id))
                index.settled(writer.head.seq)


def _told(lines: Sequence[Line]) -> dict[str, int]:
    """By reader, how many texts there are to take in."""
    found: dict[str, int] = {}
    for line in lines:
        header = line.header
        if header.type in OFFERING and header.parts:
            reader = header.parts[0].subject
            found[reader] = found.get(reader, 0) + _texts(line)
    return found


def _texts(line: Line) -> int:
    return len(line.event.numbers) if isinstance(line.event, EpisodesWritten) else 1

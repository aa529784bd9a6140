"""Index cache: search indexes of the most recent readers (LRU)."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from muniment.engine.projections.index import Contents, Index
from muniment.engine.projections.index_view import IndexView
from muniment.engine.projections.opened_lines import ToldLines
from muniment.engine.projections.recorded_vectors import Recording
from muniment.engine.streams.ports import Embedder
from muniment.layers.shelves import Stream
from muniment.log import sealing
from muniment.log.store import Store
from muniment.model.errors import MunimentError
from muniment.model.lru_cache import LruCache

KEPT: Final = 64
RESTS_MAX: Final = 8  # whose last few documents are kept when a process ends


Beneath = Callable[[Stream, str, Embedder, Contents], IndexView]


class Indexes:
    def __init__(
        self,
        store: Store,
        keyring: sealing.Keyring,
        recording: Recording,
        beneath: Beneath | None = None,
    ) -> None:
        self._store, self._keyring, self._recording = store, keyring, recording
        self._beneath = beneath
        self.told = ToldLines(store, keyring)
        self._held = LruCache[tuple[str, ...], Index](KEPT)

    def of(self, stream: Stream, reader: str, embedder: Embedder, contents: Contents) -> Index:
        """What a reader may find in a stream; no two readers share one."""
        place = (stream.ref, reader, embedder.name, contents.name)
        found, below = self._held.get(place), self._beneath
        if found is None or found.embedder is not embedder:
            found = Index(
                stream,
                self._store,
                self._keyring,
                embedder,
                owner=reader,
                subjects=None if reader == stream.ref else frozenset({stream.ref, reader}),
                recording=self._recording,
                contents=contents,
            )
            found.told = self.told
            if below is not None:
                found.beneath = partial(below, stream, reader, embedder, contents)
            self._held.put(place, found)
        return found

    def keep_rests(self) -> None:
        """Of those who asked last; for all of many readers it would take too long to end."""
        for index in list(self._held.values())[-RESTS_MAX:]:
            with suppress(MunimentError):  # who opens next reads it in the log
                index.keep_rest()

    def clear(self) -> None:
        self._held.clear()
        self.told.clear()

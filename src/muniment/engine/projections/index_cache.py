"""The indexes that stay in memory: those of the readers who asked last."""

from typing import Final

from muniment.engine.projections.index import Contents, Index
from muniment.engine.projections.recorded_vectors import Recording
from muniment.engine.streams.ports import Embedder
from muniment.layers.shelves import Stream
from muniment.log import sealing
from muniment.log.store import Store

KEPT: Final = 64


class Indexes:
    def __init__(self, store: Store, keyring: sealing.Keyring, recording: Recording) -> None:
        self._store, self._keyring, self._recording = store, keyring, recording
        self._held: dict[tuple[str, ...], Index] = {}

    def of(self, stream: Stream, reader: str, embedder: Embedder, contents: Contents) -> Index:
        """What a reader may find in a stream; no two readers share one."""
        place = (stream.ref, reader, embedder.name, contents.name)
        found = self._held.pop(place, None)
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
        self._held[place] = found  # the one asked last stands last
        while len(self._held) > KEPT:
            self._held.pop(list(self._held)[0], None)  # noqa: RUF015 - threads share it
        return found

    def clear(self) -> None:
        self._held.clear()

"""Handle lookup: the handles of indexed records, read from the log and kept while they are used."""

from collections.abc import Iterable, Sequence
from typing import Final

from muniment.layers.shelves import Stream
from muniment.log import chain, sealing
from muniment.log.entry import Line
from muniment.log.store import Store
from muniment.model.events import record_handles
from muniment.model.kinds.handles import Handles
from muniment.retrieval.index import index_feed

KEPT_MAX: Final = 65_536  # entries; where there are more, all are read again
AT_ONCE: Final = 1_024  # entries that are open together


class HandleLookup:
    """By the place of the entry that offers a record; several of one entry share their handles."""

    def __init__(self, stream: Stream, store: Store, keyring: sealing.Keyring) -> None:
        self._stream, self._store, self._keyring = stream, store, keyring
        self._known: dict[int, Handles] = {}

    def of(self, seqs: Sequence[int]) -> list[Handles]:
        known = self._known
        missing = sorted({seq for seq in seqs if seq not in known})
        if len(known) + len(missing) > KEPT_MAX:
            known = self._known = {}  # another thread may be looking at the old one
            missing = sorted(set(seqs))
        for start in range(0, len(missing), AT_ONCE):
            known.update(self._read(missing[start : start + AT_ONCE]))
        return [known[seq] for seq in seqs]

    def forget(self) -> None:
        """Somebody was erased: it may be theirs."""
        self._known = {}

    def _read(self, seqs: Sequence[int]) -> dict[int, Handles]:
        offering = {line.seq: line for line in self._lines(seqs)}
        kept_at = {seq: index_feed.kept_at(line) for seq, line in offering.items()}
        elsewhere = sorted(set(kept_at.values()) - offering.keys())
        keeping = offering | {line.seq: line for line in self._lines(elsewhere)}
        return {seq: record_handles.of(keeping[place].event) for seq, place in kept_at.items()}

    def _lines(self, seqs: Sequence[int]) -> Iterable[Line]:
        for entry in self._store.pick(self._stream.ref, seqs) if seqs else ():
            yield chain.open_entry(entry, origin=self._stream.ref, keyring=self._keyring)

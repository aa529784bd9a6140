"""Joining: several pieces of columns as one, numbered as if it had never been cut."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from muniment.retrieval.columns import NONE, PARTS, Columns, Integers, Names, roomy


class _Joined:
    """How far the pieces so far have come: names, and where each counter stands."""

    def __init__(self) -> None:
        self.speakers = {"": 0}
        self.sessions = {"": 0}
        self.count = 0
        self._last: dict[int, int] = {}  # of each session, its latest document
        self._id_bytes = 0
        self._sentences = 0

    def add(self, columns: Columns, count: int) -> list[Integers]:
        part = dict(zip(PARTS, columns.parts(count), strict=True))
        speakers = _renumbered(self.speakers, columns.speakers_of(count))
        sessions = _renumbered(self.sessions, columns.sessions_of(count))
        if len(speakers) > 1:
            part["speakers"] = speakers[part["speakers"]].astype(np.uint16)
        if len(sessions) > 1:
            part["sessions"] = sessions[part["sessions"]].astype(np.uint32)
            part["before"] = self._before(part["before"], part["sessions"])
        part["id_ends"] = part["id_ends"] + np.uint32(self._id_bytes)
        part["sentence_ends"] = part["sentence_ends"] + np.uint32(self._sentences)
        self._id_bytes += len(part["id_bytes"])
        self._sentences += len(part["sentence_norms"])
        self.count += count
        return [part[name] for name in PARTS]

    def _before(self, before: Integers, sessions: Integers) -> NDArray[np.int32]:
        """A session goes on where an earlier piece left it."""
        moved = np.where(before == NONE, NONE, before + self.count).astype(np.int32)
        first = np.unique(sessions, return_index=True)
        for session, place in zip(*map(np.ndarray.tolist, first), strict=True):
            if session:
                moved[place] = self._last.get(session, NONE)
        last = np.unique(sessions[::-1], return_index=True)
        for session, place in zip(*map(np.ndarray.tolist, last), strict=True):
            self._last[session] = self.count + len(sessions) - 1 - place
        return moved


def columns(several: Sequence[tuple[Columns, int]]) -> Columns:
    """The first so many rows of each, one behind the other."""
    joined = _Joined()
    parts = [joined.add(each, count) for each, count in several]
    whole = [_together(column) for column in zip(*parts, strict=True)]
    names = Names(speakers=tuple(joined.speakers)[1:], sessions=tuple(joined.sessions)[1:])
    return Columns.of(several[0][0].dims, joined.count, whole, names)


def _together(several: Sequence[Integers]) -> Integers:
    """One column, with room for what will be added to it."""
    length = sum(map(len, several))
    whole = np.zeros((roomy(length), *several[0].shape[1:]), several[0].dtype)
    np.concatenate(several, out=whole[:length])
    return whole


def _renumbered(known: dict[str, int], names: Sequence[str]) -> NDArray[np.int64]:
    """For each number that a name has in one piece, the number it has in all of them."""
    numbers = [known.setdefault(name, len(known)) for name in names]
    return np.array([0, *numbers], dtype=np.int64)

"""Position map of an import: where entries and jobs of another log are in this one."""

from array import array
from bisect import bisect_right
from collections.abc import Mapping

from muniment.log.entry import Line
from muniment.model.events import JobOpened

Log = tuple[str, ...]


class _Places:
    """Two columns of one log, both rising: an entry there, and what it became here."""

    def __init__(self) -> None:
        self.there = array("Q")
        self.here = array("Q")


class CarriedPlaces:
    """What was carried so far, sixteen bytes a record."""

    def __init__(self) -> None:
        self._places: dict[Log, _Places] = {}
        self._jobs: dict[tuple[Log, int], int] = {}

    def note(self, log: Log, seq: int, line: Line) -> None:
        """A record of an entry there stands in an entry here."""
        known = self._places.setdefault(log, _Places())
        if not known.there or seq >= known.there[-1]:
            known.there.append(seq)
            known.here.append(line.seq)

    def note_job(self, log: Log, job: int, opened: JobOpened) -> None:
        self._jobs[log, job] = opened.number

    def job(self, log: Log, number: int) -> int:
        """The number here of a job there; 0 where it was not carried."""
        return self._jobs.get((log, number), 0)

    def upto(self, log: Log, seq: int) -> int:
        """The last entry here of what stood there up to an entry."""
        known = self._places.get(log)
        n = bisect_right(known.there, seq) if known else 0
        return known.here[n - 1] if known and n else 0

    def settled(self, log: Log, data: Mapping[str, object]) -> dict[str, object]:
        """Fields of something learned, with the places that it names as they are here."""
        found = dict(data)
        for name in ("after", "upto"):
            if isinstance(given := found.get(name), int):
                found[name] = self.upto(log, given)
        if isinstance(sentences := found.get("sentences"), list):
            found["sentences"] = [self._sentence(log, each) for each in sentences]
        return found

    def _sentence(self, log: Log, told: object) -> object:
        if not isinstance(told, dict) or not isinstance(told.get("citations"), list):
            return told
        return {**told, "citations": [self._citation(log, each) for each in told["citations"]]}

    def _citation(self, log: Log, told: object) -> object:
        label = told.get("label") if isinstance(told, dict) else None
        if not isinstance(told, dict) or not isinstance(label, str) or not label:
            return told
        seq, _, n = label.partition(".")
        place = self._exactly(log, int(seq)) if seq.isdecimal() else 0
        return {**told, "label": f"{place}.{n}"}

    def _exactly(self, log: Log, seq: int) -> int:
        """The entry here of an entry there; 0, which no text stands in, where there is none."""
        known = self._places.get(log)
        n = bisect_right(known.there, seq) if known else 0
        return known.here[n - 1] if known and n and known.there[n - 1] == seq else 0

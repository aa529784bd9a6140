"""Subject access report: what the logs of a tenant hold about one person."""

from collections.abc import Iterable

from muniment.engine.audit import provenance
from muniment.engine.audit.log_statistics import LayerStatistics, Survey
from muniment.log.entry import Header, Line
from muniment.model.events import PiiRedacted
from muniment.model.scope import StreamId


class Dossier:
    """Counts that follow every log: what was read once is never read again."""

    def __init__(self, user: str, ref: str, erasures: bytes) -> None:
        self.user = user
        self.ref = ref
        self.erasures = erasures  # how far erasures had come when it began
        self.lengths: dict[StreamId, int] = {}  # of every log, when they were last looked at
        self.entries: dict[str, int] = {}  # by stream
        self.redactions: dict[str, int] = {}  # by kind
        self.made: set[str] = set()  # the ids of what was made for them
        self._upto: dict[str, int] = {}
        self._counted = Survey()

    def is_wanted(self, header: Header) -> bool:
        return is_about(header, self.ref)

    def reached(self, stream: StreamId) -> int:
        return self._upto.get(stream.text, 0)

    @property
    def done(self) -> int:
        """How many entries of all logs were looked at."""
        return sum(self._upto.values())

    @property
    def unread(self) -> list[StreamId]:
        """The logs that had more entries than were looked at."""
        return [each for each, length in self.lengths.items() if length > self.reached(each)]

    @property
    def layers(self) -> list[LayerStatistics]:
        return self._counted.layers

    def follow(self, stream: StreamId, lines: Iterable[Line], *, upto: int) -> None:
        """Take in those entries of a log that are about the person, as far as it was looked at."""
        own = list(lines)
        if own:
            self.entries[stream.text] = self.entries.get(stream.text, 0) + len(own)
        self._counted.follow(own)
        for line in own:
            self.made.update(provenance.made(line))
            if isinstance(line.event, PiiRedacted):
                for each in line.event.redactions:
                    self.redactions[each.kind] = self.redactions.get(each.kind, 0) + 1
        self._upto[stream.text] = upto


def is_about(header: Header, ref: str) -> bool:
    """Whether an entry is sealed for a person, by their reference."""
    return any(part.subject == ref for part in header.parts)

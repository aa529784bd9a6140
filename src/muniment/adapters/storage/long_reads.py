"""Progress of long reads of a log."""

from collections.abc import Callable, Iterator
from typing import Final

from muniment.log.entry import Entry, Head

EVERY: Final = 128  # entries between two signs: shorter reads give none

# Where a read is and where its log ends; 0 and 0 when the read is over.
Reading = Callable[[int, int], None]


def told(
    entries: Iterator[Entry], reading: Reading, head: Callable[[], Head | None]
) -> Iterator[Entry]:
    """The same entries; now and then `reading` hears how far they are."""
    end: Head | None = None
    try:
        for count, entry in enumerate(entries, start=1):
            yield entry
            if count % EVERY == 0:
                end = end or head()
                reading(entry.seq, end.seq if end else 0)
    finally:
        reading(0, 0)

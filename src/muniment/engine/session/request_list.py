"""Request list: requests of one docket of the council, open or decided, with votes."""

from muniment.engine.streams.stream_writer import Writer
from muniment.layers.governance.requests import SETTLED, TELLING, Request, history
from muniment.log.entry import Header


def listed(docket: Writer, *, settled: bool) -> list[Request]:
    """Requests that await a decision, or those that had theirs; what was erased is neither."""
    if settled:
        known = history(docket.lines(wanted=is_telling)).values()
        found = [each for each in known if each.status in SETTLED]
    else:
        found = list(docket.desk.requests.open.values())
    return [each for each in found if not each.erased]


def is_telling(header: Header) -> bool:
    """Whether an entry says anything about a request; the others need not be opened."""
    return header.type in TELLING

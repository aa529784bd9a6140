"""Events of erasure: orders, receipts, and retention periods that ended."""

from muniment.model.events.event import Event


class DeletionOrdered(Event, tag="deletion_event", frozen=True, kw_only=True):
    """Council and administrator agreed: to retire a fact, or to destroy all about a person."""

    request_id: str
    subject_ref: str  # of the person; empty where it is a fact
    basis: str
    approved_by: int
    what: str = "person"  # or "fact"


class ErasureCompleted(Event, tag="erasure_completed", frozen=True, kw_only=True):
    request_id: str
    fragments: int
    scanned_files: int
    scan_digest: str


class ContentExpired(Event, tag="content_expired", frozen=True, kw_only=True):
    """The days of a kind of record are over: the key of its period in this log is destroyed."""

    period: str  # the kind and the days: `sentences/2026-03-05`
    ref: str  # of the key
    entries: int


ErasureEvent = DeletionOrdered | ErasureCompleted | ContentExpired

"""What has happened to what had to be destroyed: the order, and the receipt."""

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


ErasureEvent = DeletionOrdered | ErasureCompleted

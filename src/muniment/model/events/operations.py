"""What has happened to the house itself: what the environment did, and who read with privilege."""

from muniment.model.events.event import Event, SealedText


class IncidentRecorded(Event, tag="incident", frozen=True, kw_only=True):
    kind: str
    stream: str
    operation: str
    attempt: int
    detail: SealedText
    queue: str  # ops, admin
    alert: bool


class AccessRecorded(Event, tag="admin_access_event", frozen=True, kw_only=True):
    what: SealedText
    reason: SealedText
    found: int
    result_digest: str


OperationEvent = IncidentRecorded | AccessRecorded

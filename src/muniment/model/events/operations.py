"""Events of operations: incidents of the environment, and privileged reads."""

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


class BranchOpened(Event, tag="branch_opened", frozen=True, kw_only=True):
    name: SealedText
    heads: dict[str, int]  # by reference: the last entry of each log that is seen in the branch


class BranchClosed(Event, tag="branch_closed", frozen=True, kw_only=True):
    name: SealedText
    opened: int  # the entry that opened it
    outcome: str  # merged, discarded
    commands: int  # that were carried over


OperationEvent = IncidentRecorded | AccessRecorded | BranchOpened | BranchClosed

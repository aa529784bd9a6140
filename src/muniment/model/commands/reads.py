"""Commands about contexts: store a receipt, report use, report the outcome of a task."""

from typing import Literal

import msgspec

from muniment.model.commands.command import Command, Name, Text
from muniment.model.policy.context import ContextFilters, Spent

Ending = Literal["success", "failure"]


class RecordContext(Command, tag="record_context", frozen=True, kw_only=True):
    """The receipt of a context, kept with the next append of its job."""

    receipt_id: Name = ""
    query: Text = ""
    budget_tokens: int = 0
    at: int = 0
    filters: ContextFilters = ContextFilters()
    reads: dict[str, int] = msgspec.field(default_factory=dict)
    policy: Name = ""
    sem_snapshot_hash: Name = ""  # of the governed facts as they stood
    ids: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    scores_ppm: tuple[int, ...] = ()
    tokens: int = 0
    digest: Name = ""
    dropped: dict[str, int] = msgspec.field(default_factory=dict)
    spent: tuple[Spent, ...] = ()
    whole: bool = True
    quarantined: bool = False
    valid_at: Name = ""
    as_of: Name = ""
    counter: Name = ""
    excerpts: tuple[tuple[int, int], ...] = ()  # places of items that are excerpts, and of which
    codes: tuple[bytes, ...] = ()
    handed: bytes = b""  # fingerprints of the lines that it gave out


class ReportUse(Command, tag="report_use", frozen=True, kw_only=True):
    """Which items of a context proved useful, and which were there for nothing."""

    receipt_id: Name
    used: tuple[Name, ...] = ()
    unused: tuple[Name, ...] = ()
    how: Name = "told"  # or the rule that found it out


class ReportOutcome(Command, tag="report_outcome", frozen=True, kw_only=True):
    """How the task of a job ended."""

    outcome: Ending
    task_id: Name = ""
    detail: Text = ""


ContextCommand = RecordContext | ReportUse | ReportOutcome

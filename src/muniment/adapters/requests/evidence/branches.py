"""Requests of branches: open, compare, merge, discard."""

from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.requests.fields import Id, Reason
from muniment.adapters.requests.verb_request import VerbRequest, ask, get, long
from muniment.engine.evidence.branch_merge import Merge
from muniment.engine.evidence.branches import BranchDiff, BranchStatus

Heads = Annotated[
    dict[str, Annotated[int, Meta(ge=0)]],
    Meta(
        max_length=64,
        description="By log, the entry to branch from; other logs branch from their end",
    ),
]


class Discarded(msgspec.Struct, frozen=True, kw_only=True):
    """How many entries were discarded with a branch."""

    entries: int


class OpenBranchOptions(VerbRequest[BranchStatus], frozen=True, kw_only=True):
    at: Heads = msgspec.field(default_factory=dict)


class OpenBranchRequest(OpenBranchOptions, frozen=True):
    """Open a branch: reads fall through to the memory, writes stay in the branch.

    Any request with the header Muniment-Branch is answered there.
    """

    endpoint = ask("/v1/admin/branches", "branches")

    branch: Id


class BranchesRequest(VerbRequest[list[BranchStatus]], frozen=True):
    """List open branches, and how much was written in each."""

    endpoint = get("/v1/admin/branches", "branches")


class DiffBranchOptions(VerbRequest[BranchDiff], frozen=True, kw_only=True):
    reason: Reason


class DiffBranchRequest(DiffBranchOptions, frozen=True):
    """Show what a branch added, changed, retired, forgot and refused, by log; it is logged why."""

    endpoint = get("/v1/admin/branches/diff", "branches")

    branch: Id


class MergeBranchOptions(VerbRequest[Merge], frozen=True, kw_only=True):
    preview: bool = False


class MergeBranchRequest(MergeBranchOptions, frozen=True):
    """Merge a branch into the memory and close it; or preview the merge."""

    endpoint = long("/v1/admin/branches/merge", "branches")

    branch: Id


class DiscardBranchRequest(VerbRequest[Discarded], frozen=True):
    """Discard a branch, and what was written in it."""

    endpoint = ask("/v1/admin/branches/discard", "branches")

    branch: Id

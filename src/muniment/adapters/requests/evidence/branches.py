"""Requests of branches: another line of a memory is opened, compared, merged or discarded."""

from typing import Annotated

import msgspec
from msgspec import Meta

from muniment.adapters.requests.fields import Id
from muniment.adapters.requests.verb_request import VerbRequest, ask, get, long
from muniment.engine.evidence.branch_merge import Merge
from muniment.engine.evidence.branches import BranchDiff, BranchStatus

Heads = Annotated[
    dict[str, Annotated[int, Meta(ge=0)]],
    Meta(max_length=64, description="By log, the entry it is branched from; others where they are"),
]


class Discarded(msgspec.Struct, frozen=True, kw_only=True):
    """How many entries went with a branch."""

    entries: int


class OpenBranchOptions(VerbRequest[BranchStatus], frozen=True, kw_only=True):
    at: Heads = msgspec.field(default_factory=dict)


class OpenBranchRequest(OpenBranchOptions, frozen=True):
    """Open another line of the memory: it is read through, and what is written there stays there.

    Any request with the header Muniment-Branch is answered there.
    """

    endpoint = ask("/v1/admin/branches", "branches")

    name: Id


class BranchesRequest(VerbRequest[list[BranchStatus]], frozen=True):
    """The branches that are open, and how much was written in each."""

    endpoint = get("/v1/admin/branches", "branches")


class DiffBranchRequest(VerbRequest[BranchDiff], frozen=True):
    """What a branch added, changed, retired, forgot and refused, by log."""

    endpoint = get("/v1/admin/branches/diff", "branches")

    branch: Id


class MergeBranchOptions(VerbRequest[Merge], frozen=True, kw_only=True):
    preview: bool = False


class MergeBranchRequest(MergeBranchOptions, frozen=True):
    """Say in the memory what was said in a branch, and end it; or see first what that would do."""

    endpoint = long("/v1/admin/branches/merge", "branches")

    branch: Id


class DiscardBranchRequest(VerbRequest[Discarded], frozen=True):
    """End a branch, and what was written in it."""

    endpoint = ask("/v1/admin/branches/discard", "branches")

    branch: Id

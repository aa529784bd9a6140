"""Routes of branches: open, compare, merge, discard."""

from typing import Final

from muniment.adapters.gateway.gateway import Hands
from muniment.adapters.http.route import Route, route, tagged
from muniment.adapters.requests.evidence.branches import (
    BranchesRequest,
    DiffBranchRequest,
    DiscardBranchRequest,
    Discarded,
    MergeBranchRequest,
    OpenBranchRequest,
)
from muniment.engine.evidence.branches import Branches, BranchStatus


def _of(hands: Hands) -> Branches:
    return hands.administered.branches(hands.grant.who)


def _open(hands: Hands, asked: OpenBranchRequest) -> BranchStatus:
    branches = _of(hands)
    branches.open(asked.branch, at=asked.at)
    return branches.status(asked.branch)


ROUTES: Final[tuple[Route, ...]] = tagged(
    "administration",
    [
        route(OpenBranchRequest, _open),
        route(BranchesRequest, lambda hands, _: _of(hands).list()),
        route(
            DiffBranchRequest,
            lambda hands, asked: _of(hands).diff(asked.branch, reason=asked.reason),
        ),
        route(
            MergeBranchRequest,
            lambda hands, asked: _of(hands).merge(asked.branch, preview=asked.preview),
        ),
        route(
            DiscardBranchRequest,
            lambda hands, asked: Discarded(entries=_of(hands).discard(asked.branch)),
        ),
    ],
)

"""Branch hub: a tenant's streams as a branch sees them, and the branch's own logs.

It is a hub like any other over a store that goes on from its parent's, so whatever reads, writes,
decides, folds and proves does so in a branch without knowing it.
"""

import msgspec

from muniment.engine.projections.index import Contents, Index
from muniment.engine.projections.index_cache import Indexes
from muniment.engine.projections.index_view import IndexView
from muniment.engine.session.branch_store import BranchStore, OwnLogs
from muniment.engine.session.stream_hub import StreamHub
from muniment.engine.streams.append_result import AppendResult
from muniment.engine.streams.command_pipeline import Ask
from muniment.engine.streams.ports import Embedder, Failure, Spool
from muniment.layers.governance import branches
from muniment.layers.shelves import Stream
from muniment.log.entry import Line
from muniment.log.reference_store import ScratchStore
from muniment.log.sealing import Keyring
from muniment.log.store import Store
from muniment.model import canonical_json
from muniment.model.errors import NotFoundError
from muniment.model.events.operations import BranchOpened
from muniment.model.scope import BRANCH, StreamId, ops_stream

Forks = dict[str, int]  # by reference: the last entry of the parent's log that is seen


class BranchHub(StreamHub):
    """The streams of one tenant from a branching point on; the parent is read and never written."""

    def __init__(
        self, parent: StreamHub, own: Store, logs: OwnLogs, *, opened: Line | None, forks: Forks
    ) -> None:
        event = opened.event if opened else None
        self.parent, self.opened = parent, opened
        self.name = event.name if isinstance(event, BranchOpened) else ""
        self.forks = forks
        self._own = own
        self.branch_store = BranchStore(parent.parts.store, own, forks, logs)
        spool = BranchSpool(parent.parts.spool, logs)
        super().__init__(
            msgspec.structs.replace(
                parent.parts, store=self.branch_store, spool=spool, open_tables=False
            )
        )
        self.registry = parent.registry
        keyring = parent.parts.world.keyring
        self.indexes = Indexes(self.branch_store, keyring, self.recording, self._beneath)

    def append(self, stream_id: StreamId, asks: list[Ask]) -> list[AppendResult]:
        """A branch that has been ended, here or by another process, takes nothing more."""
        if self.opened is not None:
            ops = ops_stream(stream_id.tenant)
            line = self.parent.shelves(ops).get(branches.SHELF, self.name)
            if line is None or line.hash != self.opened.hash:
                raise NotFoundError(f"the branch {self.name!r} has been ended")
        return super().append(stream_id, asks)

    @property
    def ground(self) -> Store:
        return self._own

    @property
    def root(self) -> StreamHub:
        return self.parent.root

    def marks(self, stream: Stream) -> dict[int, bytes]:
        """What was signed of a log before it was branched from; what came then is the parent's."""
        fork = self.branch_store.fork(stream.ref)
        return {size: root for size, root in self.parent.marks(stream).items() if size <= fork}

    def written(self) -> list[StreamId]:
        """The streams that hold something of the branch's own."""
        store = self.branch_store
        return [each for each in self.known_streams() if store.written(self.stream(each).ref)]

    def fork(self, stream_id: StreamId) -> int:
        """The last entry of a stream that is the parent's."""
        return self.branch_store.fork(self.stream(stream_id).ref)

    def _beneath(
        self, stream: Stream, reader: str, embedder: Embedder, contents: Contents
    ) -> IndexView:
        """The parent's index as it stood at the branching point."""
        index: Index = self.parent.index_of(stream.id, reader, embedder, contents)
        return index.settled(self.branch_store.fork(stream.ref))


def open_branches(parent: StreamHub, tenant: str) -> list[BranchHub]:
    """The branches of a tenant that are open, oldest first; what branches off one follows it."""
    found = [open_branch(parent, line) for line in branches_off(parent, tenant)]
    return [hub for each in found for hub in (each, *open_branches(each, tenant))]


def branches_off(hub: StreamHub, tenant: str) -> list[Line]:
    """What opened the branches that branch off here, oldest first.

    A branch sees the entries that opened others before it, and these are no branches of its own:
    they do not end with it.
    """
    ops = ops_stream(tenant)
    if not hub.exists(ops):
        return []
    fork = hub.fork(ops) if isinstance(hub, BranchHub) else 0
    lines = reversed(list(hub.shelves(ops).newest(branches.SHELF)))
    return [line for line in lines if line.seq > fork]


def open_branch(parent: StreamHub, opened: Line) -> BranchHub:
    """The hub of a branch that an entry of the parent's ops log opened; kept with its parent."""
    event, branch = opened.event, _identity(parent, opened)
    assert isinstance(event, BranchOpened)
    known = parent.branches.get(branch)
    if not isinstance(known, BranchHub):
        logs = KeyedLogs(parent.parts.world.keyring, branch)
        known = BranchHub(parent, parent.ground, logs, opened=opened, forks=event.heads)
        parent.branches[branch] = known
    return known


def _identity(parent: StreamHub, opened: Line) -> str:
    """Of a branch of a branch the path: one of the same name and moment is the same entry."""
    if not isinstance(parent, BranchHub) or parent.opened is None:
        return opened.hash.hex()
    path = [_identity(parent.parent, parent.opened), opened.hash.hex()]
    return canonical_json.digest("muniment/v1/branch", canonical_json.encode(path)).hex()


def scratch_branch(parent: StreamHub, forks: Forks) -> BranchHub:
    """A branch that nothing is kept of: to see what would become of something."""
    return BranchHub(parent, ScratchStore(), ScratchLogs(), opened=None, forks=forks)


class KeyedLogs:
    """Own logs in the parent's store, under references that the keyring keeps with its others."""

    def __init__(self, keyring: Keyring, branch: str) -> None:
        self._keyring, self._branch = keyring, branch
        self._names: dict[str, str] = {}

    def find(self, stream: str) -> str | None:
        return self._keyring.find(BRANCH, self._name(stream))

    def make(self, stream: str) -> str:
        return self._keyring.ref(BRANCH, self._name(stream))

    def known(self) -> list[str]:
        ending = f"/{self._branch}"
        named = (name for _, name in self._keyring.known(BRANCH) if name.endswith(ending))
        found = (self._keyring.find("stream", name.removesuffix(ending)) for name in named)
        return [each for each in found if each is not None]

    def _name(self, stream: str) -> str:
        name = self._names.get(stream)
        if name is None:
            text = self._keyring.name(stream) or stream
            name = self._names[stream] = f"{text}/{self._branch}"
        return name


class ScratchLogs:
    """Own logs in a store of their own: each under the name of its stream."""

    def __init__(self) -> None:
        self._made: set[str] = set()

    def find(self, stream: str) -> str | None:
        return stream if stream in self._made else None

    def make(self, stream: str) -> str:
        self._made.add(stream)
        return stream

    def known(self) -> list[str]:
        return sorted(self._made)


class BranchSpool:
    """A write that failed in a branch fences the branch's log, and not the parent's."""

    def __init__(self, spool: Spool, logs: OwnLogs) -> None:
        self._spool, self._logs = spool, logs

    def add(self, failure: Failure) -> None:
        self._spool.add(self._own(failure))

    def pending(self, stream: str) -> list[Failure]:
        own = self._logs.find(stream)
        waiting = self._spool.pending(own) if own else []
        return [msgspec.structs.replace(each, stream=stream) for each in waiting]

    def remove(self, failure: Failure) -> None:
        self._spool.remove(self._own(failure))

    def _own(self, failure: Failure) -> Failure:
        return msgspec.structs.replace(failure, stream=self._logs.make(failure.stream))

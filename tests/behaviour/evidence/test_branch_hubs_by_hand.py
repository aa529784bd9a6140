"""A branch from inside: its own logs, its own spool, its index, and by what it is told apart."""

from typing import Any

import msgspec
import pytest
from tests import world
from tests.deciding import placed

from muniment.engine.api.memory import Memory
from muniment.engine.projections.index import DOCUMENTS
from muniment.engine.session.branch_hub import (
    BranchHub,
    BranchSpool,
    KeyedLogs,
    ScratchLogs,
    branches_off,
    open_branch,
    scratch_branch,
)
from muniment.engine.streams.ports import Failure
from muniment.log.entry import Line
from muniment.model import canonical_json
from muniment.model.errors import NotFoundError
from muniment.model.events.operations import BranchOpened
from muniment.retrieval.index.hashing_embedder import HashingEmbedder

ONE, TWO = "1" * 32, "2" * 32


@pytest.fixture
def memory() -> Memory:
    opened = world.memory()
    opened.agent("ada", user="tuff").remember("I like green tea")
    return opened


def opening(name: str, seq: int) -> Line:
    """What opened a branch; no two entries have one hash."""
    return placed(BranchOpened(name=name, heads={}), seq)


# ── Own logs ────────────────────────────────────────────────────────────────────────────────────


def test_a_scratch_log_is_found_once_it_is_made() -> None:
    logs = ScratchLogs()

    assert (logs.find(TWO), logs.known()) == (None, [])
    assert [logs.make(each) for each in (TWO, ONE)] == [TWO, ONE]
    assert (logs.find(TWO), logs.known()) == (TWO, [ONE, TWO])


def test_a_kept_log_is_known_by_its_stream_and_its_branch() -> None:
    keyring = world.CountedKeyring()
    stream = keyring.ref("stream", "main/agent/ada/actor")
    one, other = KeyedLogs(keyring, "b1"), KeyedLogs(keyring, "b2")

    own = one.make(stream)

    assert (one.find(stream), other.find(stream)) == (own, None)
    assert (one.known(), other.known()) == ([stream], [])
    assert keyring.name(own) == "main/agent/ada/actor/b1"


# ── What failed in a branch ─────────────────────────────────────────────────────────────────────


class Noted:
    """A spool that keeps what it is told."""

    def __init__(self) -> None:
        self.kept: list[Failure] = []

    def add(self, failure: Failure) -> None:
        self.kept.append(failure)

    def pending(self, stream: str) -> list[Failure]:
        return [each for each in self.kept if each.stream == stream]

    def remove(self, failure: Failure) -> None:
        self.kept.remove(failure)


class Renamed(ScratchLogs):
    """Own logs under other names than their streams'."""

    def find(self, stream: str) -> str | None:
        return f"own {stream}" if super().find(stream) else None

    def make(self, stream: str) -> str:
        return f"own {super().make(stream)}"


def test_a_write_that_fails_in_a_branch_fences_its_own_log_alone() -> None:
    noted, failure = Noted(), Failure(stream=ONE, operation="o", code="c")
    spool = BranchSpool(noted, Renamed())
    noted.add(failure)

    assert spool.pending(ONE) == []
    spool.add(failure)
    assert noted.kept == [failure, Failure(stream=f"own {ONE}", operation="o", code="c")]
    assert spool.pending(ONE) == [failure]
    assert spool.pending(TWO) == []
    spool.remove(failure)
    assert (spool.pending(ONE), noted.kept) == ([], [failure])


# ── The hub ─────────────────────────────────────────────────────────────────────────────────────


def test_a_branch_has_the_types_of_its_parent_a_spool_of_its_own_and_no_open_tables(
    memory: Memory,
) -> None:
    parent = world.hub(memory)
    parent.parts = msgspec.structs.replace(parent.parts, open_tables=True)

    branch = scratch_branch(parent, {})

    assert branch.registry is parent.registry
    assert isinstance(branch.parts.spool, BranchSpool)
    assert not branch.parts.open_tables


def test_what_was_signed_up_to_the_branching_point_is_signed_in_a_branch(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent = world.hub(memory)
    stream = parent.stream(world.stream(memory, "agent"))
    monkeypatch.setattr(parent, "marks", lambda _: {2: b"two", 3: b"three", 4: b"four"})

    assert scratch_branch(parent, {stream.ref: 3}).marks(stream) == {2: b"two", 3: b"three"}
    assert scratch_branch(parent, {}).marks(stream) == {}


class Unrepeatable(HashingEmbedder):
    """An embedder whose vectors are recorded, for another run may give others."""

    pure = False


def test_a_branch_searches_the_index_of_its_parent_for_the_same_contents(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent, asked = world.hub(memory), list[tuple[Any, ...]]()
    stream = parent.stream(world.stream(memory, "agent"))

    class Settled:
        def settled(self, at: int) -> int:
            return at

    def index_of(*told: Any) -> Settled:  # noqa: ANN401
        asked.append(told)
        return Settled()

    monkeypatch.setattr(parent, "index_of", index_of)
    branch, embedder = scratch_branch(parent, {stream.ref: 3}), Unrepeatable()

    index: Any = branch.index_of(stream.id, stream.ref, embedder, DOCUMENTS)

    assert index.beneath() == 3
    assert asked == [(stream.id, stream.ref, embedder, DOCUMENTS)]
    assert index._recording is branch.recording  # where its vectors are looked up


def test_a_branch_that_was_ended_is_named_in_the_refusal(memory: Memory) -> None:
    branch = memory.branch("try")
    ada = branch.agent("ada", user="tuff")
    memory.branches().discard("try")

    with pytest.raises(NotFoundError) as refused:
        ada.remember("My boat is called Petrel")

    assert refused.value.detail == "the branch 'try' has been ended"


def test_a_branch_is_opened_once_and_kept_with_its_parent(memory: Memory) -> None:
    parent, line = world.hub(memory), opening("try", 4)

    branch = open_branch(parent, line)

    assert open_branch(parent, line) is branch
    assert open_branch(parent, opening("try", 5)) is not branch


def test_a_branch_is_told_apart_by_all_the_branches_that_it_comes_from(memory: Memory) -> None:
    lines = [opening("try", seq) for seq in (4, 5, 6)]

    def digest(*path: str) -> str:
        told = canonical_json.encode(list(path))
        return canonical_json.digest("muniment/v1/branch", told).hex()

    parent = world.hub(memory)
    for line in lines:
        parent = open_branch(parent, line)

    first, second, third = (line.hash.hex() for line in lines)
    assert list(world.hub(memory).branches) == [first]
    assert isinstance(parent, BranchHub)
    assert isinstance(parent.parent, BranchHub)
    assert list(parent.parent.parent.branches) == [digest(first, second)]
    assert list(parent.parent.branches) == [digest(digest(first, second), third)]


def test_without_any_entry_of_operations_nothing_branches_off() -> None:
    assert branches_off(world.hub(world.memory()), "main") == []

"""A log that goes on from another, by hand: one story, told whole and told in a branch of it."""

from collections.abc import Iterator
from contextlib import nullcontext
from itertools import product
from typing import Any

import msgspec
import pytest
from tests.conformance.streams import (
    ALICE,
    BOB,
    OTHER,
    START,
    STREAM,
    birth,
    death,
    entry,
    grow,
    places,
)

from muniment.engine.session.branch_hub import ScratchLogs
from muniment.engine.session.branch_store import BranchStore
from muniment.log.entry import Entry, Head
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Batch, Birth, Death, Derived, Find, Segment, Store
from muniment.model.errors import HeadMovedError, InputError, KeyReusedError

CHANGES: dict[int, tuple[Birth | Death, ...]] = {
    1: (birth(1, id_=b"a"), birth(1, 1, id_=b"b", key=b"l")),
    2: (birth(2, id_=b"c"), birth(2, shelf="working", id_=b"a")),
    3: (death(3, id_=b"a"), birth(3, id_=b"a"), birth(3, 1, id_=b"d", key=b"l")),
    4: (death(4, key=b"l"), birth(4, shelf="working", id_=b"e"), birth(4, id_=b"c")),
    5: (death(5, id_=b"c"), death(5, shelf="working", id_=b"a"), birth(5, id_=b"c")),
    6: (birth(6, id_=b"f"), death(6, id_=b"a")),
}
CHANGES = {seq: (*its, birth(seq, shelf="still")) for seq, its in CHANGES.items()}
LAST = len(CHANGES)
FORKS = range(LAST + 1)


class Renamed(ScratchLogs):
    """Own logs under other names than their streams'."""

    def find(self, stream: str) -> str | None:
        return own_name(stream) if super().find(stream) else None

    def make(self, stream: str) -> str:
        return own_name(super().make(stream))


def own_name(stream: str) -> str:
    return stream[::-1]


def step(seq: int) -> Entry:
    """About the two by turns, each under an operation of its own."""
    told = entry(seq, subject=ALICE if seq % 2 else BOB, operation=f"asked {seq}")
    return msgspec.structs.replace(told, parts=(*told.parts, None))


def tell(store: Store, *seqs: int) -> None:
    for seq in seqs:
        batch = Batch(entries=(step(seq),), changes=CHANGES[seq], checkpoint=b"desk %d" % seq)
        store.append(STREAM, batch, expect=store.head(STREAM) or START)


def whole() -> ScratchStore:
    store = ScratchStore()
    tell(store, *CHANGES)
    return store


def branched(fork: int, upto: int = LAST) -> BranchStore:
    """The story from an entry on in a branch, while its parent goes on otherwise."""
    parent = ScratchStore()
    tell(parent, *range(1, fork + 1))
    branch = BranchStore(parent, ScratchStore(), {STREAM: fork}, Renamed())
    if fork:
        gone = [death(fork + 1, shelf=s, key=k) for s in ("facts", "working") for k in (b"k", b"l")]
        grow(parent, 1, *gone, birth(fork + 1, id_=b"g"), operation="later", subject="c" * 32)
        grow(parent, 2, checkpoint=b"later")
    tell(branch, *range(fork + 1, upto + 1))
    return branch


@pytest.mark.parametrize("fork", FORKS)
def test_entries_are_read_picked_and_found_as_in_one_log(fork: int) -> None:
    one, branch = whole(), branched(fork)

    for after, upto, limit in product(range(-1, 8), [None, *range(8)], [None, -1, 0, 1, 3]):
        asked: Any = {"after": after, "upto": upto, "limit": limit}
        assert list(branch.read(STREAM, **asked)) == list(one.read(STREAM, **asked)), asked
    assert list(branch.read(STREAM)) == list(one.read(STREAM))
    for seqs in ([], [1], [LAST], [6, 1, 3, 1, 9, 0], [2, 4, 5]):
        assert branch.pick(STREAM, seqs) == one.pick(STREAM, seqs)
    for after, upto, who in product(range(7), range(8), [{ALICE}, {BOB}, {ALICE, BOB}, set()]):
        about: Any = {"after": after, "upto": upto}
        subjects = frozenset(who)
        assert branch.about(STREAM, subjects, **about) == one.about(STREAM, subjects, **about)
    assert branch.head(STREAM) == one.head(STREAM)
    assert [branch.find(STREAM, f"asked {n}") for n in range(8)] == [
        one.find(STREAM, f"asked {n}") for n in range(8)
    ]
    assert branch.find(STREAM, "later") is None
    assert (branch.fork(STREAM), branch.written(STREAM)) == (fork, LAST - fork)


def questions() -> Iterator[Find]:
    tokens = [(b"", b""), *((each, b"") for each in (b"a", b"c", b"d", b"f", b"x")), (b"", b"k")]
    for shelf, at, every, limit in product(
        ("facts", "working", "still", "none"), range(8), (False, True), (-1, 0, 1, 2)
    ):
        for id_, key in (*tokens, (b"", b"l"), (b"a", b"k"), (b"a", b"l")):
            yield Find(shelf=shelf, at=at, every=every, id_token=id_, key_token=key, limit=limit)


@pytest.mark.parametrize("fork", FORKS)
def test_rows_are_told_as_in_one_log(fork: int) -> None:
    one, branch = whole(), branched(fork)
    again = BranchStore(branch._parent, branch._store, {STREAM: fork}, branch._logs)
    finds = list(questions())

    for find in finds:
        rows = list(one.rows(STREAM, find))
        assert list(branch.rows(STREAM, find)) == rows, find
        assert list(again.rows(STREAM, find)) == rows, find
    assert branch.births(STREAM, finds) == one.births(STREAM, finds)
    for find in finds:
        assert branch.births(STREAM, [find]) == one.births(STREAM, [find])
    assert branch.checkpoint(STREAM) == (one.checkpoint(STREAM) if fork < LAST else None)


@pytest.mark.parametrize("fork", FORKS)
def test_shelves_are_rebuilt_as_in_one_log(fork: int) -> None:
    one, branch = whole(), branched(fork)
    every = Derived(changes=tuple(c for its in CHANGES.values() for c in its), checkpoint=b"new")
    both = [Find(shelf=shelf, at=LAST) for shelf in ("facts", "working")]
    wanted = [places(one.rows(STREAM, find)) for find in both]

    branch.reset(STREAM)
    if fork < LAST:
        assert branch.checkpoint(STREAM) is None or fork == 0
    branch.shelve(STREAM, every, upto=LAST)

    assert [places(branch.rows(STREAM, find)) for find in both] == wanted
    if fork < LAST:
        assert branch.checkpoint(STREAM) == (LAST, b"new")


def test_a_checkpoint_of_the_parent_counts_up_to_the_branching_point() -> None:
    parent = ScratchStore()
    tell(parent, 1, 2)

    def told(fork: int) -> tuple[int, bytes] | None:
        forks = {STREAM: fork}
        return BranchStore(parent, ScratchStore(), forks, ScratchLogs()).checkpoint(STREAM)

    assert [told(fork) for fork in (0, 1, 2)] == [None, None, (2, b"desk 2")]
    tell(parent, 3)
    assert told(2) is None
    assert told(3) == (3, b"desk 3")


def test_what_is_rebuilt_in_part_is_told_as_another_reads_it() -> None:
    branch, find = branched(2), Find(shelf="facts", at=LAST)
    other = BranchStore(branch._parent, branch._store, {STREAM: 2}, branch._logs)
    before = places(branch.rows(STREAM, find))
    every = Derived(changes=tuple(c for its in CHANGES.values() for c in its))

    branch.shelve(STREAM, every, upto=2)
    assert places(branch.rows(STREAM, find)) == before
    branch.reset(STREAM)
    assert places(branch.rows(STREAM, find)) == places(other.rows(STREAM, find)) != before
    branch.shelve(STREAM, every, upto=LAST)
    assert places(branch.rows(STREAM, find)) == before
    branch.shelve(STREAM, Derived(), upto=LAST)
    other = BranchStore(branch._parent, branch._store, {STREAM: 2}, branch._logs)
    assert places(branch.rows(STREAM, find)) == places(other.rows(STREAM, find)) != before
    none = branched(2, upto=2)
    none.shelve(STREAM, every, upto=LAST)
    assert none.written(STREAM) == 0


# ── What is taken, and whose ────────────────────────────────────────────────────────────────────


def test_a_branch_begins_where_it_branches_off_and_with_operations_of_its_own() -> None:
    branch = branched(2, upto=2)

    def refused(kind: type[Exception], head: Head, told: Entry) -> str:
        with pytest.raises(kind) as error:
            branch.append(STREAM, Batch(entries=(told,)), expect=head)
        return str(error.value)

    head = branch.head(STREAM)
    assert head
    wrong = Head(seq=2, hash=b"other")
    assert refused(HeadMovedError, wrong, step(3)) == "a branch begins at another entry"
    known = msgspec.structs.replace(step(3), operation="asked 2")
    refused(KeyReusedError, head, known)
    assert branch.written(STREAM) == 0
    free = msgspec.structs.replace(step(3), operation="later")
    branch.append(STREAM, Batch(entries=(free,)), expect=head)
    assert branch.find(STREAM, "later") == 3
    nobodys = msgspec.structs.replace(step(4), operation="")
    branch.append(STREAM, Batch(entries=(nobodys,)), expect=branch.head(STREAM) or START)
    assert branch.written(STREAM) == 2
    with pytest.raises(InputError):
        branch.fork("no stream")


def test_only_what_was_written_in_a_branch_is_shredded_or_emptied_there() -> None:
    branch, other = branched(2), branched(2)
    parent = list(branch._parent.read(STREAM))

    assert branch.shred(STREAM, ALICE) == 2
    assert other.empty(STREAM, [1, 2, 3, 4, 9]) == 2
    assert branch.shred(OTHER, ALICE) == other.empty(OTHER, [1]) == 0
    assert [any(each.parts) for each in branch.read(STREAM)] == [
        True,
        True,
        False,
        True,
        False,
        True,
    ]
    assert [any(each.parts) for each in other.read(STREAM)] == [
        True,
        True,
        False,
        False,
        True,
        True,
    ]
    assert list(branch._parent.read(STREAM)) == list(other._parent.read(STREAM)) == parent


def test_streams_are_those_of_the_parent_that_are_seen_and_those_of_its_own() -> None:
    parent, names = ScratchStore(), [f"{n}" * 32 for n in range(4)]
    for each in names[:2]:
        grow(parent, 2, stream=each)
    branch = BranchStore(parent, ScratchStore(), {names[1]: 1}, ScratchLogs())

    assert branch.streams() == [names[1]]
    branch._logs.make(names[2])
    grow(branch, 1, stream=names[3])
    grow(branch, 1, stream=names[0])
    assert branch.streams() == [names[0], names[1], names[3]]
    assert [branch.written(each) for each in names] == [1, 0, 0, 1]


class Locks(ScratchStore):
    """A store that notes whose lock was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.locked: list[str] = []

    def write_lock(self, stream: str) -> nullcontext[None]:
        self.locked.append(stream)
        return nullcontext()


def test_the_lock_is_that_of_its_own_log_as_soon_as_there_is_one() -> None:
    parent, own = Locks(), Locks()
    branch = BranchStore(parent, own, {}, Renamed())

    with branch.write_lock(STREAM):
        tell(branch, 1)
    with branch.write_lock(STREAM):
        pass

    assert (parent.locked, own.locked) == ([STREAM], [own_name(STREAM)])
    branch.close()
    assert parent.streams() == []


def test_an_index_of_a_branch_is_kept_nowhere() -> None:
    branch = branched(2)

    branch.put_segment(STREAM, Segment(kind="words", number=1, upto=2, data=b"x"))

    with branch.segments(STREAM, "words") as kept:
        assert list(kept) == []


def test_what_another_process_has_ended_in_a_branch_has_ended_here() -> None:
    branch = branched(2, upto=2)
    other = BranchStore(branch._parent, branch._store, {STREAM: 2}, branch._logs)
    find = Find(shelf="facts", at=LAST)

    before = places(branch.rows(STREAM, find))
    tell(other, 3, 4)
    tell(branch, 5, 6)

    assert before == [(2, 0, None), (1, 1, None), (1, 0, None)]
    wanted = places(whole().rows(STREAM, find))
    assert places(branch.rows(STREAM, find)) == places(other.rows(STREAM, find)) == wanted


def test_a_row_that_ended_ends_only_once() -> None:
    branch, ends = branched(2, upto=2), death(3, id_=b"c")
    head = branch.head(STREAM) or START

    branch.append(
        STREAM, Batch(entries=(step(3),), changes=(ends, death(3, key=b"k"))), expect=head
    )
    grow(branch, 1, death(4, id_=b"c"))

    every = Find(shelf="facts", at=9, every=True)
    assert places(branch.rows(STREAM, every)) == [(2, 0, 3), (1, 1, None), (1, 0, 3)]
    own = list(branch._store.rows(own_name(STREAM), Find(shelf="ended:facts", at=9, every=True)))
    assert len(own) == 2

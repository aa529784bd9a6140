"""A log that goes on from another tells what one log with all of it would tell."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conformance.streams import (
    START,
    STREAM,
    Change,
    batch,
    birth,
    death,
    entry,
    every_question,
    everything,
    grow,
    histories,
    naive,
    places,
)

from muniment.engine.session.branch_hub import ScratchLogs
from muniment.engine.session.branch_store import BranchStore
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Derived, Find

History = list[tuple[int, list[Change]]]


def grown(history: History, kept: int, *, parent_goes_on: bool) -> tuple[BranchStore, int]:
    """So many entries of a history in a store, the others in a branch of it, batch by batch."""
    changes = [each for _, its in history for each in sorted(its, key=lambda each: each.seq)]
    parent, last = ScratchStore(), sum(size for size, _ in history)
    if kept:
        before = [each for each in changes if each.seq <= kept]
        parent.append(STREAM, batch(1, kept, *before), expect=START)
    branch = BranchStore(parent, ScratchStore(), {STREAM: kept}, ScratchLogs())
    if parent_goes_on:  # what ends there ends nothing here
        end = [death(kept + 1, shelf=shelf, key=key) for shelf in SHELVES for key in KEYS]
        parent.append(STREAM, batch(kept + 1, 1, *end), expect=parent.head(STREAM) or START)
    for seq in range(kept + 1, last + 1):
        mine = [each for each in changes if each.seq == seq]
        branch.append(STREAM, batch(seq, 1, *mine), expect=branch.head(STREAM) or START)
    return branch, last


SHELVES, KEYS = ("facts", "working"), (b"p", b"q", b"r")


def all_changes(history: History) -> list[Change]:
    return [each for _, its in history for each in sorted(its, key=lambda each: each.seq)]


@settings(max_examples=60)
@given(
    history=histories(), limit=st.integers(-1, 3), share=st.integers(0, 4), goes_on=st.booleans()
)
def test_rows_are_told_as_if_the_log_were_one(
    *, history: History, limit: int, share: int, goes_on: bool
) -> None:
    kept = sum(size for size, _ in history) * share // 4
    branch, last = grown(history, kept, parent_goes_on=goes_on)

    for find in every_question(last, limit):
        wanted = naive(all_changes(history), find)
        assert places(branch.rows(STREAM, find)) == wanted, find
        assert branch.births(STREAM, [find, find]) == [[born for born, *_ in wanted]] * 2, find


@settings(max_examples=30)
@given(history=histories(), share=st.integers(0, 4))
def test_another_who_opens_the_branch_and_one_that_is_rebuilt_tell_the_same(
    history: History, share: int
) -> None:
    kept = sum(size for size, _ in history) * share // 4
    branch, last = grown(history, kept, parent_goes_on=True)
    changes = all_changes(history)
    questions = list(every_question(last, -1))
    before = [places(branch.rows(STREAM, find)) for find in questions]

    branch.shelve(STREAM, Derived(changes=tuple(changes)), upto=last)

    assert [places(branch.rows(STREAM, find)) for find in questions] == before
    other = BranchStore(branch._parent, branch._store, branch._forks, branch._logs)
    assert [places(other.rows(STREAM, find)) for find in questions] == before


@settings(max_examples=30)
@given(history=histories(), share=st.integers(0, 4))
def test_entries_are_read_and_picked_as_if_the_log_were_one(history: History, share: int) -> None:
    last = sum(size for size, _ in history)
    branch, _ = grown(history, last * share // 4, parent_goes_on=True)
    wanted = [entry(seq) for seq in range(1, last + 1)]

    assert list(branch.read(STREAM)) == wanted
    assert list(branch.read(STREAM, after=1, limit=2)) == wanted[1:3]
    assert list(branch.read(STREAM, after=1, upto=last - 1)) == wanted[1 : last - 1]
    assert branch.pick(STREAM, [last, 1, last, last + 1]) == wanted[:: max(last - 1, 1)][:2]
    head = branch.head(STREAM)
    assert head is not None
    assert (head.seq, head.hash) == (last, wanted[-1].hash)


def test_whatever_is_done_in_a_branch_leaves_the_parent_as_it_was() -> None:
    parent = ScratchStore()
    grow(parent, 2, birth(1), birth(2, id_=b"j"), checkpoint=b"desk", operation="asked")
    before = everything(parent)
    branch = BranchStore(parent, ScratchStore(), {STREAM: 2}, ScratchLogs())

    grow(branch, 1, death(3, id_=b"i"), birth(3, id_=b"m"), checkpoint=b"another")
    branch.shred(STREAM, "a" * 32)
    branch.reset(STREAM)

    assert everything(parent) == before


def test_a_key_of_the_parents_is_known_in_a_branch_and_one_that_came_later_is_not() -> None:
    parent = ScratchStore()
    grow(parent, 1, operation="before")
    branch = BranchStore(parent, ScratchStore(), {STREAM: 1}, ScratchLogs())
    grow(parent, 1, operation="after")

    grow(branch, 1, operation="here")

    assert branch.find(STREAM, "before") == 1
    assert branch.find(STREAM, "after") is None
    assert branch.find(STREAM, "here") == 2
    assert parent.find(STREAM, "here") is None


def test_a_row_that_ended_in_a_branch_is_counted_before_a_limit() -> None:
    parent = ScratchStore()
    grow(parent, 3, birth(1, id_=b"p"), birth(2, id_=b"q"), birth(3, id_=b"r"))
    branch = BranchStore(parent, ScratchStore(), {STREAM: 3}, ScratchLogs())

    grow(branch, 1, death(4, id_=b"r"))

    find = Find(shelf="facts", at=4, limit=1)
    assert places(branch.rows(STREAM, find)) == [(2, 0, None)]
    assert branch.births(STREAM, [find]) == [[2]]

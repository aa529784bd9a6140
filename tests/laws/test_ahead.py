"""What several commands of one append find is what the store tells once it holds them all."""

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conformance.streams import (
    START,
    STREAM,
    Change,
    batch,
    entry,
    every_question,
    histories,
    naive,
    places,
)
from tests.world import memory

from muniment.log.pending_view import Ahead
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Birth, Death, Find, ShelfRow

History = list[tuple[int, list[Change]]]


class CountingStore(ScratchStore):
    """How many rows it was asked for, by how many questions."""

    def __init__(self) -> None:
        super().__init__()
        self.questions = 0
        self.told = 0

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        self.questions += 1
        for row in super().rows(stream, find):
            self.told += 1
            yield row


def begun(history: History, kept: int) -> tuple[Ahead, list[Change], int]:
    """A store that holds so many entries of a history, and the others ahead of it."""
    changes = [each for _, its in history for each in sorted(its, key=lambda each: each.seq)]
    store, last = ScratchStore(), sum(size for size, _ in history)
    if kept:
        before = [each for each in changes if each.seq <= kept]
        store.append(STREAM, batch(1, kept, *before), expect=START)
    ahead = Ahead(store)
    for seq in range(kept + 1, last + 1):
        ahead.add(entry(seq), [each for each in changes if each.seq == seq])
    return ahead, changes, last


@settings(max_examples=40)
@given(history=histories(), limit=st.integers(-1, 3), share=st.integers(0, 4))
def test_rows_ahead_are_told_as_if_they_were_kept(history: History, limit: int, share: int) -> None:
    kept = sum(size for size, _ in history) * share // 4
    ahead, changes, last = begun(history, kept)

    for find in every_question(last, limit):
        if find.at >= kept:  # whoever decides stands at the head, or at one of these entries
            wanted = naive(changes, find)
            assert _as_of(places(ahead.rows(STREAM, find)), find) == _as_of(wanted, find), find
            assert ahead.births(STREAM, [find]) == [[born for born, *_ in wanted]], find


def _as_of(
    rows: list[tuple[int, int, int | None]], find: Find
) -> list[tuple[int, int, int | None]]:
    """What ends after the moment that was asked for has not ended yet."""
    return [(born, n, died if died and died <= find.at else None) for born, n, died in rows]


def test_a_row_that_is_ended_twice_ahead_ended_the_first_time() -> None:
    row = Birth(seq=1, n=0, shelf="facts", id_token=b"i" * 16, key_token=b"k" * 16)
    ends = [Death(seq=seq, shelf="facts", id_token=b"i" * 16, key_token=b"") for seq in (2, 3)]

    ahead, _, _ = begun([(1, [row]), (2, list(ends))], kept=1)

    (found,) = ahead.rows(STREAM, Find(shelf="facts", at=3, every=True))
    assert found.died == 2


@given(history=histories(), share=st.integers(0, 4))
def test_entries_ahead_are_read_and_picked_as_if_they_were_kept(
    history: History, share: int
) -> None:
    last = sum(size for size, _ in history)
    ahead, _, _ = begun(history, last * share // 4)
    wanted = [entry(seq) for seq in range(1, last + 1)]

    assert list(ahead.read(STREAM)) == wanted
    assert list(ahead.read(STREAM, after=1, limit=2)) == wanted[1:3]
    assert ahead.pick(STREAM, [last, 1, last, last + 1]) == wanted[:: max(last - 1, 1)][:2]


def asked(count: int) -> tuple[int, int]:
    """What the store is asked when so many documents are put at once, and some of them again."""
    store = CountingStore()
    documents = memory(store=store).agent("ada", user="tuff").documents()
    for version in range(2):
        store.questions = store.told = 0
        documents.put_all({(("notes",), f"n{n}"): f"note {n} of {version}" for n in range(count)})
    return store.questions, store.told


def test_of_many_that_are_put_at_once_the_last_asks_no_more_than_the_first() -> None:
    few, many = asked(8), asked(64)

    assert many[0] <= 8 * few[0]
    assert many[1] <= 8 * few[1]

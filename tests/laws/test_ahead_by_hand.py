"""What a decision finds that has others before it in the same append, case by case."""

from collections.abc import Iterator, Sequence

from tests.conformance.streams import START, STREAM, Change, batch, birth, death, entry, places

from muniment.log.pending_view import Ahead
from muniment.log.reference_store import ScratchStore
from muniment.log.store import Find, ShelfRow


class Watched(ScratchStore):
    """Says which rows were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Find] = []

    def rows(self, stream: str, find: Find) -> Iterator[ShelfRow]:
        self.asked.append(find)
        return super().rows(stream, find)


def ahead(kept: int, before: Sequence[Change], *here: Change) -> tuple[Ahead, Watched]:
    """A store with so many entries, and two entries more that are not there yet."""
    store = Watched()
    store.append(STREAM, batch(1, kept, *before), expect=START)
    found = Ahead(store)
    for seq in (kept + 1, kept + 2):
        found.add(entry(seq), [each for each in here if each.seq == seq])
    return found, store


def test_entries_are_read_up_to_the_one_that_is_named() -> None:
    found, _ = ahead(3, [])

    assert [each.seq for each in found.read(STREAM, upto=2)] == [1, 2]
    assert [each.seq for each in found.read(STREAM, upto=4)] == [1, 2, 3, 4]
    assert [each.seq for each in found.read(STREAM, after=1, upto=2)] == [2]


def test_a_row_that_begins_here_names_its_shelf_and_its_entry() -> None:
    found, _ = ahead(1, [], birth(3, 2))

    (row,) = found.rows(STREAM, Find(shelf="facts", at=3))

    assert row == ShelfRow(shelf="facts", n=2, born=3, died=None, entry=entry(3))


def test_a_limit_counts_no_row_that_ends_here() -> None:
    older, newer = birth(1, id_=b"older"), birth(2, id_=b"newer")
    found, _ = ahead(2, [older, newer], death(3, id_=b"newer"))

    assert places(found.rows(STREAM, Find(shelf="facts", at=3, limit=1))) == [(1, 0, None)]
    assert places(found.rows(STREAM, Find(shelf="facts", at=3, limit=0))) == []


def test_a_row_has_ended_at_the_entry_that_ends_it_and_not_before() -> None:
    found, _ = ahead(1, [birth(1)], death(3, id_=b"i"))

    assert places(found.rows(STREAM, Find(shelf="facts", at=2))) == [(1, 0, None)]
    assert places(found.rows(STREAM, Find(shelf="facts", at=3))) == []
    assert places(found.rows(STREAM, Find(shelf="facts", at=3, every=True))) == [(1, 0, 3)]


def test_what_ends_by_its_key_is_ended_for_who_seeks_it_by_its_name() -> None:
    found, _ = ahead(1, [birth(1)], death(2, key=b"k"))

    assert places(found.rows(STREAM, Find(shelf="facts", at=2, id_token=b"i"))) == []


def test_on_a_shelf_that_changes_nowhere_here_nothing_is_fetched() -> None:
    found, store = ahead(1, [birth(1)], birth(2, shelf="working"))

    assert found.births(STREAM, [Find(shelf="facts", at=2)]) == [[1]]
    assert store.asked == []

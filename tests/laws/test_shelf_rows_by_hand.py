"""Rows of a shelf that live again: where they stand, in which order, and what a limit counts."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from tests.conformance.streams import ALICE, START, STREAM, birth, death, places

from muniment.log import sealing, shelf_rows
from muniment.log.entry import Entry, Line, SealedPart
from muniment.log.reference_store import ScratchStore
from muniment.log.shelf_rows import Ending, Opening, RevivedRows
from muniment.log.store import Batch, Birth, Death, Find, ShelfRow
from muniment.model.events.rollback import EndedRow, RecordsRevived, RevivedRow

KEY = b"k" * 32


def revived(*rows: tuple[int, int], ends: int = 0) -> RecordsRevived:
    """An event that takes up the rows of these places, and ends so many others."""
    return RecordsRevived(
        rows=tuple(RevivedRow("facts", "a", "", seq, n, 0) for seq, n in rows),
        ended=tuple(EndedRow("facts", f"e{n}") for n in range(ends)),
    )


class World:
    """A stream of a few entries: of each what happened, and who may see it."""

    def __init__(self, *told: object) -> None:
        self.told = told
        self.hidden: set[int] = set()
        self.store = ScratchStore()

    def kept(self, *changes: Birth | Death) -> "RevivedRows":
        entries = tuple(self._entry(seq) for seq in range(1, len(self.told) + 1))
        batch = Batch(entries=entries, changes=changes, checkpoint=b"")
        self.store.append(STREAM, batch, expect=START)
        return RevivedRows(self.store, STREAM, self._opened, self._may_see)

    def _entry(self, seq: int) -> Entry:
        kind = "records_revived" if self.told[seq - 1] else "fact_kept"
        header = f'{{"seq":{seq},"type":"{kind}"}}'.encode()
        part = SealedPart(subject=ALICE, data=b"part")
        return Entry(seq=seq, hash=bytes([seq]) * 32, header=header, parts=(part,), operation="")

    def _opened(self, entry: Entry) -> Line:
        told: Any = SimpleNamespace(event=self.told[entry.seq - 1])
        return told  # type: ignore[no-any-return]

    def _may_see(self, shelf: str, entry: Entry) -> bool:
        return shelf == "facts" and entry.seq not in self.hidden


def find(at: int, limit: int = -1, *, every: bool = False) -> Find:
    return Find(shelf="facts", at=at, every=every, limit=limit)


A, B, C = birth(1, id_=b"a"), birth(2, id_=b"b"), birth(2, 1, id_=b"c")


def test_a_row_that_lives_again_stands_where_its_content_does() -> None:
    rows = World("", "", "", revived((1, 0))).kept(A, B, death(3, id_=b"a"), birth(4, 1, id_=b"a"))

    found = list(rows.rows(find(4)))

    assert places(iter(found)) == [(2, 0, None), (1, 0, None)]
    assert [row.entry.seq for row in found] == [2, 1]
    assert places(rows.rows(find(3))) == [(2, 0, None)]


def test_a_limit_counts_rows_where_their_content_stands() -> None:
    rows = World("", "", "", revived((1, 0))).kept(A, B, death(3, id_=b"a"), birth(4, 1, id_=b"a"))

    assert places(rows.rows(find(4, limit=1))) == [(2, 0, None)]
    assert places(rows.rows(find(4, limit=2))) == [(2, 0, None), (1, 0, None)]
    assert places(rows.rows(find(4, limit=0))) == []


def test_a_limit_without_a_revived_row_is_the_stores_own() -> None:
    rows = World("", "").kept(A, B, C)

    assert places(rows.rows(find(2, limit=2))) == [(2, 1, None), (2, 0, None)]


def test_several_that_live_again_stand_in_their_order_among_the_others() -> None:
    changes: list[Birth | Death] = [
        A,
        B,
        C,
        death(3, id_=b"a"),
        death(3, id_=b"c"),
        birth(4, id_=b"d"),
    ]
    rows = World("", "", "", "", revived((1, 0), (2, 1), ends=1)).kept(
        *changes, birth(5, 2, id_=b"a"), birth(5, 3, id_=b"c")
    )

    assert places(rows.rows(find(5))) == [(4, 0, None), (2, 1, None), (2, 0, None), (1, 0, None)]


def test_of_several_that_live_again_each_ends_by_itself() -> None:
    changes: list[Birth | Death] = [A, B, C, death(3, id_=b"a"), death(3, id_=b"c")]
    rows = World("", "", "", "", revived((1, 0), (2, 1), ends=1), "").kept(
        *changes, birth(5, 2, id_=b"a"), birth(5, 3, id_=b"c"), death(6, id_=b"c")
    )

    assert places(rows.rows(find(6, every=True))) == [(2, 1, 6), (2, 0, None), (1, 0, None)]


def test_a_row_is_told_once_with_the_end_of_its_last_life() -> None:
    rows = World("", "", "", revived((1, 0)), "").kept(
        A, B, death(3, id_=b"a"), birth(4, 1, id_=b"a"), death(5, id_=b"a")
    )

    assert places(rows.rows(find(5, every=True))) == [(2, 0, None), (1, 0, 5)]
    assert places(rows.rows(find(5))) == [(2, 0, None)]


def test_a_row_that_was_revived_twice_is_told_once() -> None:
    rows = World("", "", revived((1, 0)), "", revived((1, 0))).kept(
        A,
        *(death(2, id_=b"a"), birth(3, 1, id_=b"a"), death(4, id_=b"a"), birth(5, 1, id_=b"a")),
    )

    assert places(rows.rows(find(5, every=True))) == [(1, 0, None)]


def test_where_a_revival_was_undone_the_end_of_before_counts() -> None:
    world = World("", "", revived((1, 0)), "", revived(ends=1))
    rows = world.kept(A, death(2, id_=b"a"), birth(3, 1, id_=b"a"), death(5, id_=b"a"))

    assert places(rows.rows(find(5, every=True))) == [(1, 0, 2)]
    assert [(row.born, row.n) for row in rows.rows(find(4))] == [(1, 0)]


def test_a_revival_that_nobody_may_see_or_open_revives_nothing() -> None:
    changes = (A, death(2, id_=b"a"), birth(3, 1, id_=b"a"))
    hidden, erased = World("", "", revived((1, 0))), World("", "", "x")
    hidden.hidden = {3}

    for world in (hidden, erased):
        assert places(world.kept(*changes).rows(find(3, every=True))) == [(1, 0, 2)]


def test_every_life_of_a_row_is_told_with_where_it_began() -> None:
    world = World("", "", revived((1, 0)), "", revived((1, 0)))
    rows = world.kept(
        A, death(2, id_=b"a"), birth(3, 1, id_=b"a"), death(4, id_=b"a"), birth(5, 1, id_=b"a")
    )
    every = find(5, every=True)

    def lives() -> list[tuple[int, int, int, int | None, int]]:
        return [(born, row.born, row.n, row.died, row.entry.seq) for born, row in rows.lives(every)]

    assert lives() == [(5, 1, 0, None, 1), (3, 1, 0, 4, 1), (1, 1, 0, 2, 1)]
    world.hidden = {3}
    assert [each[0] for each in lives()] == [5, 1]
    world.hidden = {1}
    assert lives() == []


# ── Tokens ──────────────────────────────────────────────────────────────────────────────────────


def test_rows_begin_and_end_under_tokens_of_their_shelf_and_name() -> None:
    id_, key = sealing.token(KEY, "facts\x00a"), sealing.token(KEY, "facts\x01user")

    begun = shelf_rows.change(KEY, 7, 2, Opening(shelf="facts", id="a", key="user"))
    ended = shelf_rows.change(KEY, 8, 3, Ending(shelf="facts", id="a"))

    assert begun == Birth(shelf="facts", n=2, seq=7, id_token=id_, key_token=key)
    assert ended == Death(shelf="facts", seq=8, id_token=id_)
    assert shelf_rows.change(KEY, 7, 2, Opening(shelf="facts", id="a")) == Birth(
        shelf="facts", n=2, seq=7, id_token=id_, key_token=b""
    )


@pytest.mark.parametrize("token", [shelf_rows.id_token, shelf_rows.key_token])
def test_no_name_has_no_token(token: Callable[[bytes, str, str], bytes]) -> None:
    assert token(KEY, "facts", "") == b""


def test_a_row_is_revived_where_its_entry_says_so() -> None:
    rows = World("", revived((1, 0)))
    found: list[ShelfRow] = list(rows.kept(A, B).rows(find(1)))

    assert not shelf_rows.is_revived(found[0].entry)
    assert shelf_rows.is_revived(rows.store.pick(STREAM, [2])[0])

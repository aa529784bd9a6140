"""What every store promises: subclass `StoreContract`, say how to `make` one, and it is checked."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from threading import Barrier, Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conformance.streams import (
    ALICE,
    BOB,
    OTHER,
    START,
    STREAM,
    Change,
    batch,
    birth,
    death,
    entry,
    every_act,
    every_question,
    everything,
    grow,
    histories,
    naive,
    places,
    run_all,
    segments,
)

from muniment.log import store_checks
from muniment.log.entry import Entry, Head, SealedPart
from muniment.log.store import Batch, Derived, Find, Segment, Store
from muniment.model.errors import (
    HeadMovedError,
    InputError,
    KeyReusedError,
    MunimentError,
    StoreError,
)

__all__ = [
    "ALICE",
    "BOB",
    "OTHER",
    "START",
    "STREAM",
    "SharedStoreContract",
    "StoreContract",
    "batch",
    "birth",
    "death",
    "entry",
    "everything",
    "grow",
    "places",
    "run_all",
]

PATHS = ["", "..", "../" + "a" * 29, "/" + "a" * 31, "A" * 32, "a" * 31, "a" * 33, "a" * 32 + "\n"]
MISNUMBERED = [(2,), (1, 3), (1, 1), (0, 1), (2, 1)]

_numbers = count(1)

# Every example takes a stream of its own, so one store serves them all.
one_store = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
)


class StoreContract:
    """The port's promises. A store that passes may stand in for any other."""

    def make(self, folder: Path) -> Store:
        """The store to be checked; it may keep its files in the folder."""
        raise NotImplementedError

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = self.make(tmp_path)
        yield store
        store.close()

    # ── The log ─────────────────────────────────────────────────────────────────────────────────

    def test_an_unknown_stream_is_empty(self, store: Store) -> None:
        assert everything(store) == [None, [], [[], []], None, []]
        assert store.find(STREAM, "key") is None
        assert store.shred(STREAM, ALICE) == 0
        assert store.streams() == []

    def test_what_is_appended_is_read_back_as_it_was(self, store: Store) -> None:
        told = Batch(
            entries=(
                entry(1, operation="first"),
                entry(2, parts=0),
                entry(3, subject=BOB, parts=3),
            )
        )
        store.append(STREAM, told, expect=START)
        assert list(store.read(STREAM)) == list(told.entries)
        assert store.head(STREAM) == Head(seq=3, hash=told.entries[-1].hash)

    def test_a_part_that_was_shredded_elsewhere_may_be_appended(self, store: Store) -> None:
        kept = SealedPart(subject=BOB, data=b"kept")
        one = Entry(seq=1, hash=b"h", header=b"{}", parts=(None, kept, None))
        store.append(STREAM, Batch(entries=(one,)), expect=START)
        assert list(store.read(STREAM)) == [one]

    def test_an_entry_holds_as_many_parts_as_every_store_has_room_for(self, store: Store) -> None:
        full, overfull = (entry(1, parts=store_checks.PARTS_MAX + more) for more in (0, 1))
        with pytest.raises(InputError):
            store.append(STREAM, Batch(entries=(overfull,)), expect=START)
        assert store.head(STREAM) is None
        store.append(STREAM, Batch(entries=(full,)), expect=START)
        store.append(STREAM, Batch(entries=(entry(2),)), expect=Head(seq=1, hash=full.hash))
        assert list(store.read(STREAM)) == [full, entry(2)]

    @pytest.mark.parametrize("seqs", MISNUMBERED)
    def test_entries_are_numbered_without_gaps(self, store: Store, seqs: tuple[int, ...]) -> None:
        grow(store, 2)
        before = everything(store)
        wrong = Batch(entries=tuple(entry(2 + seq) for seq in seqs))
        with pytest.raises(InputError):
            store.append(STREAM, wrong, expect=store.head(STREAM) or START)
        assert everything(store) == before

    def test_a_batch_without_entries_is_refused(self, store: Store) -> None:
        with pytest.raises(InputError):
            store.append(STREAM, Batch(entries=()), expect=START)

    @pytest.mark.parametrize(
        "expect",
        [START, Head(seq=1, hash=b"old"), Head(seq=2, hash=b"wrong"), Head(seq=3, hash=b"early")],
    )
    def test_another_head_than_expected_is_refused_and_nothing_changes(
        self, store: Store, expect: Head
    ) -> None:
        grow(store, 2, birth(1), checkpoint=b"desk")
        before = everything(store)
        wrong = batch(expect.seq + 1, 1, death(expect.seq + 1, key=b"k"), checkpoint=b"other")
        with pytest.raises(HeadMovedError):
            store.append(STREAM, wrong, expect=expect)
        assert everything(store) == before

    def test_an_empty_stream_expects_the_beginning_and_any_origin(self, store: Store) -> None:
        with pytest.raises(HeadMovedError):
            store.append(STREAM, batch(2), expect=Head(seq=1, hash=b"h"))
        assert store.streams() == []
        store.append(STREAM, batch(1), expect=Head(seq=0, hash=b"whatever"))
        assert store.streams() == [STREAM]

    def test_a_batch_that_goes_wrong_in_the_middle_leaves_nothing(self, store: Store) -> None:
        head = grow(store, 2, birth(2), checkpoint=b"desk")
        before = everything(store)
        twice = (death(3, key=b"k"), birth(3), birth(3))
        with pytest.raises(InputError):
            store.append(STREAM, batch(3, 2, *twice, checkpoint=b"other"), expect=head)
        assert everything(store) == before
        store.append(STREAM, batch(3), expect=head)

    def test_an_operation_is_found_by_its_key(self, store: Store) -> None:
        grow(store, 2)
        store.append(
            STREAM,
            Batch(entries=(entry(3, operation="key"), entry(4))),
            expect=store.head(STREAM) or START,
        )
        assert store.find(STREAM, "key") == 3
        assert store.find(STREAM, "other") is None
        assert store.find(STREAM, "") is None

    def test_a_known_operation_is_refused_and_nothing_changes(self, store: Store) -> None:
        head = grow(store, operation="key")
        before = everything(store)
        again = Batch(entries=(entry(2), entry(3, operation="key")))
        with pytest.raises(KeyReusedError):
            store.append(STREAM, again, expect=head)
        assert everything(store) == before
        assert store.find(STREAM, "key") == 1

    def test_one_batch_cannot_carry_the_same_operation_twice(self, store: Store) -> None:
        twice = Batch(entries=(entry(1, operation="key"), entry(2, operation="key")))
        with pytest.raises(KeyReusedError):
            store.append(STREAM, twice, expect=START)
        assert store.head(STREAM) is None

    @pytest.mark.parametrize(
        ("asked", "seqs"),
        [
            ({}, range(1, 601)),
            ({"after": 598}, range(599, 601)),
            ({"after": 600}, range(0)),
            ({"after": 900}, range(0)),
            ({"after": -5, "upto": 2}, range(1, 3)),
            ({"upto": 0}, range(0)),
            ({"upto": -1}, range(0)),
            ({"upto": 3}, range(1, 4)),
            ({"upto": 900, "after": 590}, range(591, 601)),
            ({"after": 2, "upto": 5}, range(3, 6)),
            ({"limit": 0}, range(0)),
            ({"limit": 2}, range(1, 3)),
            ({"after": 255, "limit": 300}, range(256, 556)),
            ({"after": 4, "upto": 6, "limit": 1}, range(5, 6)),
            ({"after": 4, "upto": 6, "limit": 9}, range(5, 7)),
        ],
    )
    def test_entries_are_read_by_range_and_limit(
        self, store: Store, asked: dict[str, int], seqs: range
    ) -> None:
        grow(store, 600)
        assert [its.seq for its in store.read(STREAM, **asked)] == list(seqs)

    def test_entries_are_picked_wherever_they_are(self, store: Store) -> None:
        grow(store, 600)
        told = store.pick(STREAM, [599, 2, 300, 2, 601, 0])
        assert told == [its for its in store.read(STREAM) if its.seq in {2, 300, 599}]
        assert store.pick(STREAM, []) == []
        assert store.pick(OTHER, [1]) == []

    def test_entries_are_found_that_hold_nothing_about_anybody_else(self, store: Store) -> None:
        for n in range(40):
            grow(store, 10, subject=ALICE if n % 3 else BOB, parts=n % 2)

        def told(*subjects: str, after: int = 0, upto: int = 400) -> list[int]:
            return store.about(STREAM, frozenset(subjects), after=after, upto=upto)

        every = list(store.read(STREAM))
        hers = [
            its.seq for its in every if all(part and part.subject == ALICE for part in its.parts)
        ]
        assert 0 < len(hers) < len(every)
        assert told(ALICE) == hers
        assert told(ALICE, after=15, upto=321) == [seq for seq in hers if 15 < seq <= 321]
        assert told(ALICE, BOB, upto=900) == [its.seq for its in every]
        assert told("c" * 32) == told() == [its.seq for its in every if not its.parts]
        assert store.about(OTHER, frozenset({ALICE}), after=0, upto=9) == []
        store.shred(STREAM, BOB)
        assert told(ALICE) == [its.seq for its in every]

    def test_a_reader_may_append_while_it_reads(self, store: Store) -> None:
        grow(store, 300)
        seen = 0
        for its in store.read(STREAM, upto=300):
            seen += 1
            if its.seq % 100 == 0:
                grow(store)
        assert seen == 300
        assert store.head(STREAM) == Head(seq=303, hash=entry(303).hash)

    # ── The shelves ─────────────────────────────────────────────────────────────────────────────

    @given(history=histories(), limit=st.integers(-1, 3))
    @one_store
    def test_rows_stand_at_every_past_seq_as_in_a_naive_model(
        self, store: Store, history: list[tuple[int, list[Change]]], limit: int
    ) -> None:
        stream = f"{next(_numbers):032x}"
        for size, changes in history:
            grow(store, size, *changes, stream=stream)
        head = store.head(stream)
        assert head is not None
        told = [change for _, changes in history for change in changes]
        for find in every_question(head.seq, limit):
            assert places(store.rows(stream, find)) == naive(told, find), find
            assert store.births(stream, [find]) == [[born for born, *_ in naive(told, find)]], find

    def test_several_searches_are_answered_in_their_order_and_fetch_nothing(
        self, store: Store
    ) -> None:
        grow(store, 3, birth(1, id_=b"a"), birth(2, id_=b"b"), birth(3, id_=b"a"))
        by_a, by_b = (Find(shelf="facts", at=3, id_token=token) for token in (b"a", b"b"))
        newest = Find(shelf="facts", at=3, id_token=b"a", limit=1)
        nobody = Find(shelf="facts", at=3, id_token=b"c")
        told = store.births(STREAM, [by_b, by_a, newest, nobody])
        assert told == [[2], [3, 1], [3], []]
        assert store.births("f" * 32, [by_a]) == [[]]

    @given(history=histories())
    @one_store
    def test_shelving_again_after_a_reset_gives_equal_rows(
        self, store: Store, history: list[tuple[int, list[Change]]]
    ) -> None:
        stream = f"{next(_numbers):032x}"
        for size, changes in history:
            grow(store, size, *changes, stream=stream, checkpoint=b"desk")
        before = everything(store, stream)
        head = store.head(stream)
        assert head is not None
        store.reset(stream)
        told = tuple(change for _, changes in history for change in changes)
        store.shelve(stream, Derived(changes=told, checkpoint=b"desk"), upto=head.seq)
        assert everything(store, stream) == before

    def test_a_row_comes_with_the_entry_it_was_born_in(self, store: Store) -> None:
        grow(store, 3, birth(1), birth(3, 1, key=b"other"), parts=2)
        rows = list(store.rows(STREAM, Find(shelf="facts", at=3)))
        assert [row.entry for row in rows] == [entry(3, parts=2), entry(1, parts=2)]
        assert [row.shelf for row in rows] == ["facts", "facts"]

    def test_many_rows_come_newest_first(self, store: Store) -> None:
        changes = [birth(seq, n) for seq in (1, 2) for n in range(300)]
        grow(store, 2, *changes)
        wanted = [(seq, n) for seq in (2, 1) for n in reversed(range(300))]
        found = [(row.born, row.n) for row in store.rows(STREAM, Find(shelf="facts", at=2))]
        assert found == wanted
        few = store.rows(STREAM, Find(shelf="facts", at=9, limit=400))
        assert [(row.born, row.n) for row in few] == wanted[:400]

    def test_a_death_before_a_birth_in_one_batch_spares_the_newborn(self, store: Store) -> None:
        grow(store, 1, birth(1))
        grow(store, 1, death(2, key=b"k"), birth(2))
        assert places(store.rows(STREAM, Find(shelf="facts", at=2))) == [(2, 0, None)]
        assert places(store.rows(STREAM, Find(shelf="facts", at=1))) == [(1, 0, 2)]

    def test_a_death_after_a_birth_in_one_batch_takes_both(self, store: Store) -> None:
        grow(store, 1, birth(1))
        grow(store, 1, birth(2), death(2, key=b"k"))
        assert places(store.rows(STREAM, Find(shelf="facts", at=2))) == []
        assert places(store.rows(STREAM, Find(shelf="facts", at=1))) == [(1, 0, 2)]

    def test_a_row_dies_once(self, store: Store) -> None:
        grow(store, 1, birth(1))
        grow(store, 1, death(2, id_=b"i"))
        grow(store, 1, death(3, id_=b"i"))
        assert places(store.rows(STREAM, Find(shelf="facts", at=1))) == [(1, 0, 2)]

    def test_a_row_without_tokens_lives_and_is_found_by_its_shelf(self, store: Store) -> None:
        grow(store, 2, birth(1, id_=b"", key=b""), birth(2, id_=b"i", key=b""))
        grow(store, 1, death(3, id_=b"i"))
        assert places(store.rows(STREAM, Find(shelf="facts", at=3))) == [(1, 0, None)]

    @pytest.mark.parametrize("seq", [0, 2, 5, 9])
    def test_the_past_of_a_shelf_cannot_be_changed(self, store: Store, seq: int) -> None:
        head = grow(store, 2, birth(1))
        before = everything(store)
        for change in (birth(seq, key=b"new"), death(seq, key=b"k")):
            with pytest.raises(InputError):
                store.append(STREAM, batch(3, 2, change), expect=head)
        assert everything(store) == before

    def test_a_death_without_a_token_is_refused(self, store: Store) -> None:
        with pytest.raises(InputError):
            store.append(STREAM, batch(1, 1, death(1)), expect=START)

    # ── What the log can give again ─────────────────────────────────────────────────────────────

    def test_a_checkpoint_is_replaced_and_an_empty_one_changes_nothing(self, store: Store) -> None:
        grow(store, 2, checkpoint=b"old" * 5000)
        assert store.checkpoint(STREAM) == (2, b"old" * 5000)
        grow(store, 1, checkpoint=b"new")
        grow(store, 1)
        assert store.checkpoint(STREAM) == (3, b"new")

    def test_a_reset_leaves_the_log_alone(self, store: Store) -> None:
        grow(store, 3, birth(1), checkpoint=b"desk")
        store.put_segment(STREAM, Segment(kind="words", number=1, upto=3, data=b"index"))
        log = list(store.read(STREAM))
        store.reset(STREAM)
        assert everything(store) == [store.head(STREAM), log, [[], []], None, []]
        store.reset(OTHER)
        assert store.streams() == [STREAM]

    def test_shelving_an_empty_log_is_nothing(self, store: Store) -> None:
        store.shelve(STREAM, Derived(), upto=0)
        assert everything(store) == [None, [], [[], []], None, []]

    def test_nothing_is_derived_beyond_the_log(self, store: Store) -> None:
        beyond: list[Callable[[], None]] = [
            lambda: store.shelve(STREAM, Derived(checkpoint=b"desk"), upto=3),
            lambda: store.shelve(STREAM, Derived(changes=(birth(3),)), upto=2),
            lambda: store.shelve(OTHER, Derived(changes=(birth(1),)), upto=1),
            lambda: store.shelve(OTHER, Derived(changes=(birth(1),)), upto=0),
            lambda: store.put_segment(STREAM, Segment(kind="words", number=1, upto=3, data=b"")),
            lambda: store.put_segment(OTHER, Segment(kind="words", number=1, upto=1, data=b"")),
        ]
        grow(store, 2)
        before = everything(store)
        for act in beyond:
            with pytest.raises(InputError):
                act()
        assert everything(store) == before
        assert store.streams() == [STREAM]

    def test_shelving_replaces_what_was_there(self, store: Store) -> None:
        grow(store, 2, birth(1), birth(2), checkpoint=b"old")
        store.shelve(STREAM, Derived(changes=(birth(2),), checkpoint=b"new"), upto=2)
        assert [row.born for row in store.rows(STREAM, Find(shelf="facts", at=2))] == [2]
        assert store.checkpoint(STREAM) == (2, b"new")

    def test_a_rebuild_that_goes_wrong_leaves_what_was_there(self, store: Store) -> None:
        grow(store, 2, birth(1), checkpoint=b"old")
        before = everything(store)
        with pytest.raises(InputError):
            store.shelve(
                STREAM, Derived(changes=(birth(1), birth(2), birth(1)), checkpoint=b"desk"), upto=2
            )
        assert everything(store) == before

    def test_a_rebuild_that_goes_wrong_leaves_nothing(self, store: Store) -> None:
        grow(store, 2)
        with pytest.raises(InputError):
            store.shelve(
                STREAM, Derived(changes=(birth(1), birth(2), birth(1)), checkpoint=b"desk"), upto=2
            )
        assert store.checkpoint(STREAM) is None
        assert places(store.rows(STREAM, Find(shelf="facts", at=2))) == []

    def test_segments_are_put_replaced_and_listed_by_kind(self, store: Store) -> None:
        grow(store, 9)
        one, two, three = (
            Segment(kind="words", number=number, upto=3 * number, data=b"%d" % number)
            for number in (1, 2, 3)
        )
        vectors = Segment(kind="vectors", number=1, upto=9, data=b"v")
        for segment in (two, vectors, one):
            store.put_segment(STREAM, segment)
        assert segments(store, STREAM, "words") == [one, two]
        store.put_segment(STREAM, three, replaces=(1, 2, 7))
        assert segments(store, STREAM, "words") == [three]
        assert segments(store, STREAM, "vectors") == [vectors]
        again = Segment(kind="words", number=3, upto=9, data=b"again")
        store.put_segment(STREAM, again)
        assert segments(store, STREAM, "words") == [again]
        assert segments(store, STREAM, "other") == []

    def test_a_segment_is_read_in_parts_as_it_was_put(self, store: Store) -> None:
        grow(store, 2)
        data = bytes(n * 7 % 256 for n in range(300_001))
        for number, part in ((1, data), (2, b""), (3, data[::-1])):
            store.put_segment(STREAM, Segment(kind="words", number=number, upto=2, data=part))
        with store.segments(STREAM, "words") as kept:
            first, empty, last = kept
            assert [each.size for each in kept] == [len(data), 0, len(data)]
            assert [each.upto for each in kept] == [2, 2, 2]
            for start, size in ((0, 32), (299_990, 11), (4_000, 262_144), (17, 0)):
                room = memoryview(bytearray(size))
                assert bytes(first.read(start, room)) == data[start : start + size]
                assert bytes(last.read(start, room)) == data[::-1][start : start + size]
            assert bytes(empty.read(0, memoryview(bytearray(0)))) == b""
        assert len(segments(store, STREAM, "words")) == 3

    def test_a_visit_to_segments_that_breaks_off_leaves_the_store_as_it_was(
        self, store: Store
    ) -> None:
        grow(store, 2)
        store.put_segment(STREAM, Segment(kind="words", number=1, upto=2, data=b"one"))

        def visit() -> None:
            with store.segments(STREAM, "words"):
                raise InputError("nobody reads it after all")

        with pytest.raises(InputError, match="after all"):
            visit()
        store.put_segment(STREAM, Segment(kind="words", number=2, upto=2, data=b"two"))
        assert [each.data for each in segments(store, STREAM, "words")] == [b"one", b"two"]

    # ── Erasure ─────────────────────────────────────────────────────────────────────────────────

    def test_shredding_removes_the_parts_of_one_subject_only(self, store: Store) -> None:
        both = Entry(
            seq=3,
            hash=b"h3",
            header=b"{}",
            parts=(SealedPart(subject=BOB, data=b"1"), SealedPart(subject=ALICE, data=b"2")),
        )
        told = Batch(
            entries=(entry(1, parts=2), entry(2, subject=BOB), both), changes=(birth(3), birth(1))
        )
        store.append(STREAM, told, expect=START)
        assert store.shred(STREAM, ALICE) == 3
        kept = [entry_.parts for entry_ in store.read(STREAM)]
        assert kept == [(None, None), told.entries[1].parts, (both.parts[0], None)]
        assert [row.entry.parts for row in store.rows(STREAM, Find(shelf="facts", at=3))] == [
            (both.parts[0], None),
            (None, None),
        ]

    def test_shredding_leaves_headers_and_hashes_as_they_were(self, store: Store) -> None:
        grow(store, 5)
        before = [(its.seq, its.hash, its.header, its.operation) for its in store.read(STREAM)]
        assert store.shred(STREAM, ALICE) == 5
        after = [(its.seq, its.hash, its.header, its.operation) for its in store.read(STREAM)]
        assert after == before
        assert store.head(STREAM) == Head(seq=5, hash=before[-1][1])

    def test_emptying_removes_the_parts_of_these_entries_only(self, store: Store) -> None:
        grow(store, 5)
        before = [(its.seq, its.hash, its.header, its.operation) for its in store.read(STREAM)]
        assert store.empty(STREAM, [2, 4, 9]) == 2
        assert store.empty(STREAM, [2, 4]) == 0
        after = list(store.read(STREAM))
        assert [(its.seq, its.hash, its.header, its.operation) for its in after] == before
        assert [its.seq for its in after if any(its.parts)] == [1, 3, 5]

    def test_shredding_again_finds_nothing_and_later_parts_are_kept(self, store: Store) -> None:
        grow(store, 2)
        assert store.shred(STREAM, ALICE) == 2
        assert store.shred(STREAM, ALICE) == 0
        assert store.shred(STREAM, BOB) == 0
        grow(store, 1)
        assert [its.parts for its in store.read(STREAM)] == [(None,), (None,), entry(3).parts]

    # ── Walls ───────────────────────────────────────────────────────────────────────────────────

    def test_streams_never_see_each_other(self, store: Store) -> None:
        grow(store, 3, birth(3), checkpoint=b"desk")
        store.append(STREAM, batch(4, operation="key"), expect=store.head(STREAM) or START)
        store.put_segment(STREAM, Segment(kind="words", number=1, upto=3, data=b"index"))
        before = everything(store)
        assert everything(store, OTHER) == [None, [], [[], []], None, []]
        grow(store, 2, birth(1), stream=OTHER, checkpoint=b"other")
        store.append(OTHER, batch(3, operation="key"), expect=store.head(OTHER) or START)
        store.shred(OTHER, ALICE)
        store.reset(OTHER)
        assert everything(store) == before
        assert store.find(OTHER, "key") == 3
        assert store.streams() == sorted([STREAM, OTHER])

    @pytest.mark.parametrize("stream", PATHS)
    def test_a_stream_that_looks_like_a_path_is_refused(self, store: Store, stream: str) -> None:
        for act in every_act(store, stream):
            with pytest.raises(InputError):
                act()
        assert store.streams() == []

    def test_a_closed_store_says_so(self, store: Store) -> None:
        grow(store)
        store.close()
        for act in [*every_act(store, STREAM), store.streams]:
            with pytest.raises(StoreError):
                act()
        store.close()

    def test_a_turn_is_taken_again_by_the_one_who_has_it(self, store: Store) -> None:
        with store.write_lock(STREAM), store.write_lock(STREAM):
            grow(store)
            with store.write_lock(OTHER):
                grow(store, stream=OTHER)
        assert store.streams() == sorted([STREAM, OTHER])


class SharedStoreContract(StoreContract):
    """What a store promises besides when several threads use it."""

    def test_of_two_racing_appends_one_wins(self, store: Store) -> None:
        for first in range(1, 31):
            told = self._race(store, batch(first), batch(first, subject=BOB), head=first - 1)
            assert sorted(told) == ["HeadMovedError", "done"]
        assert [its.seq for its in store.read(STREAM)] == list(range(1, 31))

    def test_many_threads_in_turn_lose_nothing(self, store: Store) -> None:
        def write(name: int) -> None:
            for _ in range(10):
                with store.write_lock(STREAM):
                    grow(store, 2, subject=f"{name:032x}")

        run_all([lambda name=name: write(name) for name in range(4)])  # type: ignore[misc]
        told = list(store.read(STREAM))
        assert [its.seq for its in told] == list(range(1, 81))
        assert len({part.subject for its in told for part in its.parts if part}) == 4

    def test_threads_may_read_while_another_writes_elsewhere(self, store: Store) -> None:
        grow(store, 50, birth(1))

        def read() -> None:
            for _ in range(20):
                assert len(list(store.read(STREAM))) == 50
                assert len(list(store.rows(STREAM, Find(shelf="facts", at=50)))) == 1

        def write() -> None:
            for _ in range(20):
                grow(store, 1, stream=OTHER)

        run_all([read, read, write])

    def test_a_turn_keeps_other_threads_waiting_but_not_from_reading(self, store: Store) -> None:
        order: list[str] = []

        def wait() -> None:
            assert store.head(STREAM) is None
            barrier.wait()
            with store.write_lock(STREAM):
                order.append("second")

        barrier = Barrier(2)
        other = Thread(target=wait)
        with store.write_lock(STREAM):
            other.start()
            barrier.wait()
            other.join(0.05)
            order.append("first")
        other.join()
        assert order == ["first", "second"]

    def _race(self, store: Store, *batches: Batch, head: int) -> list[str]:
        barrier = Barrier(len(batches))
        expect = store.head(STREAM) or START
        assert expect.seq == head
        told: list[str] = []

        def append(its: Batch) -> None:
            barrier.wait()
            try:
                store.append(STREAM, its, expect=expect)
                told.append("done")
            except MunimentError as error:
                told.append(type(error).__name__)

        run_all([lambda its=its: append(its) for its in batches])  # type: ignore[misc]
        return told

"""Laws of what an index keeps: numbers, ids and words come back as they were, in fewer bytes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model import ids
from muniment.model.errors import InputError
from muniment.retrieval.index import buffers, integer_packing, postings
from muniment.retrieval.index import columns as index_columns

BOUNDS = {"u1": (0, 2**8), "u2": (0, 2**16), "i4": (-(2**31), 2**31), "u4": (0, 2**32)}
BOUNDS["i8"] = (-(2**62), 2**62)


def columns(kind: str) -> st.SearchStrategy[list[int]]:
    low, above = BOUNDS[kind]
    spread = min(290, (above - low) // 2)
    near = st.integers(low, above - 1 - spread).flatmap(
        lambda base: st.lists(st.integers(base, base + spread), max_size=40)
    )
    wide = st.lists(st.integers(low, above - 1), max_size=40)
    even = st.builds(
        range, st.just(low), st.integers(low, min(low + 200, above)), st.integers(1, 7)
    )
    return st.one_of(near, wide, near.map(sorted), wide.map(sorted), even.map(list))


@pytest.mark.parametrize("kind", sorted(BOUNDS))
def test_a_narrow_column_says_the_same_numbers(kind: str) -> None:
    @given(columns(kind))
    def law(numbers: list[int]) -> None:
        column = np.array(numbers, kind)
        kept = integer_packing.packed(column)

        assert integer_packing.length(kept) == len(numbers)
        again = integer_packing.unpacked(kept, kind)
        assert again.tolist() == numbers
        assert again.dtype == column.dtype
        assert integer_packing.packed(np.array(numbers, "i8")) == kept

    law()


@pytest.mark.parametrize(
    ("numbers", "each"),
    [
        ([7] * 100, 0),
        ([1_794_752_261_986] * 100, 0),
        (range(1_000_000, 1_000_200), 0),  # it rises evenly
        (range(0, 1_000_000, 10_000), 0),
        ([*range(1_000_000, 1_000_100), *range(1_000_150, 1_000_200)], 1),
        ([*range(0, 500_000, 10_000), 1_000_000], 4),
        ([*range(0, 500_000, 10_000), 520_000], 2),  # it rises in steps that two bytes tell
        ([5, 70_000] * 50, 4),
        ([-(2**62), 2**62 - 1], 8),
    ],
)
def test_a_number_takes_as_many_bytes_as_it_needs(numbers: list[int], each: int) -> None:
    assert len(
        integer_packing.packed(np.array(numbers, "i8"))
    ) == integer_packing.HEAD.size + each * len(numbers)


@pytest.mark.parametrize(
    "spoilt", [b"", b"\x00" * 8, integer_packing.HEAD.pack(3, 0, 0, 1, 0) + b"abc", b"\x01" * 40]
)
def test_what_is_no_column_is_refused(spoilt: bytes) -> None:
    with pytest.raises(InputError):
        integer_packing.unpacked(spoilt, "i8")
    with pytest.raises(InputError, match="columns must have equal lengths"):
        integer_packing.fill(integer_packing.packed(np.arange(3)), np.empty(4, "i8"))


@given(st.text(), st.integers(0, 10**6))
def test_a_short_id_says_the_same_name(text: str, counter: int) -> None:
    name = ids.episodic_id("here", "seed", counter)

    assert len(index_columns.pack_id(name)) == 17
    for each in (name, name.upper(), f"{name} ", name[:-1], name[3:], text.lstrip("\x01")):
        assert index_columns.unpack_id(index_columns.pack_id(each)) == each


@pytest.mark.parametrize("count", [postings.FEW, postings.FEW + 1])
def test_the_words_of_many_documents_come_back_as_they_were(count: int) -> None:
    run = postings.SortedPostings.sorted(
        np.array([9, 4, 2**63 + 5, 4], np.uint64),
        np.array([0, 1, 1, count - 1], np.uint32),
        np.array([1, 255, 1, 2], np.uint8),
    )

    again = postings.SortedPostings.read(count, run.at_rest(count))

    assert again.keys.tolist() == [4, 9, 2**63 + 5]
    for key in (4, 9, 2**63 + 5, 7):
        (mine,), (theirs,) = run.of([key]), again.of([key])
        assert [part.tolist() for part in run.behind(10, mine)] == [
            part.tolist() for part in again.behind(10, theirs)
        ]


def test_arrays_of_one_arena_do_not_touch_each_other() -> None:
    found = buffers.arrays({"a": ((3,), "u1"), "none": ((0, 8), "i1"), "b": ((2, 5), "i8")})
    for number, array in enumerate(found.values()):
        array.fill(number)

    assert found["a"].tolist() == [0, 0, 0]
    assert found["none"].shape == (0, 8)
    assert found["b"].tolist() == [[2] * 5] * 2
    assert buffers.arrays({}) == {}

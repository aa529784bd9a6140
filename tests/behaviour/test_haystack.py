"""Looking for many byte strings at once finds what looking for each would."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.adapters.storage.multi_search import Needles

# Few letters: needles begin alike, overlap, lie in each other, and are there by chance.
LETTERS = st.lists(st.sampled_from([b"a", b"b", b"\x00", b"\xff"]), max_size=14).map(b"".join)


@given(st.lists(LETTERS.filter(bool), max_size=12), st.lists(LETTERS, max_size=12))
def test_whatever_is_there_is_found_and_nothing_else(
    needles: list[bytes], parts: list[bytes]
) -> None:
    haystack = b"".join(parts)

    assert Needles(needles).within(haystack) == {each for each in needles if each in haystack}


@pytest.mark.parametrize("length", [1, 7, 8, 9, 16, 33, 500])
def test_a_needle_is_found_at_every_place(length: int) -> None:
    drawn = np.random.default_rng(length).bytes(length)
    needles = Needles([drawn, drawn + b"?", b"something else"])
    for place in range(20):
        assert needles.within(b"x" * place + drawn) == {drawn}
        assert needles.within(b"x" * place + drawn + b"y" * (20 - place)) == {drawn}
    assert needles.within(drawn[:-1]) == set()


def test_thousands_that_begin_alike_are_told_apart() -> None:
    said = [f"I have been to the lake {n} times this year".encode() for n in range(5_000)]
    haystack = np.random.default_rng(1).bytes(100_000) + said[1234] + b"..." + said[4321][:-1]

    assert Needles(said).within(haystack) == {said[1234]}

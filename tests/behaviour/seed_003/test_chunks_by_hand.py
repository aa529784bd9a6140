"""A long text is cut where its sentences end, else at a space, else between two letters."""

import pytest

from muniment.model.text.tokens import CHARACTERS_PER_TOKEN
from muniment.rules.memos import chunks

SIZE = 10
ROOM = SIZE * CHARACTERS_PER_TOKEN
SENTENCE = "The tea is on the table. "  # 25 signs: one fits, and two do not
ACCENT, JOINED = "e\u0301", "\U0001f468\u200d\U0001f469"


def cut(text: str) -> tuple[str, ...]:
    found = chunks.cut(text, SIZE)
    assert chunks.joined(found) == text
    assert all(0 < len(each) <= ROOM for each in found)
    return found


@pytest.mark.parametrize("length", [1, ROOM - 1, ROOM])
def test_what_fits_is_one_piece(length: int) -> None:
    text = "x" * length

    assert cut(text) == (text,)


def test_as_many_sentences_as_fit_stand_together() -> None:
    short = "It is so. " * 7  # ten signs each

    assert [len(each) for each in cut(short)] == [40, 30]
    assert [len(each) for each in cut(short + short)] == [40, 40, 40, 20]
    assert cut(SENTENCE * 3) == (SENTENCE,) * 3


def test_a_sentence_that_fits_nowhere_is_cut_behind_the_last_space_that_fits() -> None:
    words = "abcd " * 9

    assert cut(words) == ("abcd " * 8, "abcd ")
    assert cut("x" * 30 + " " + "y" * 30) == ("x" * 30 + " ", "y" * 30)


def test_a_space_in_the_first_half_is_too_early_and_one_in_the_middle_is_not() -> None:
    half = ROOM // 2

    assert cut("x" * (half - 1) + " " + "y" * 40)[0] == "x" * (half - 1) + " " + "y" * half
    assert cut("x" * half + " " + "y" * 40)[0] == "x" * half + " "


def test_the_last_space_that_fits_stands_in_the_last_place() -> None:
    assert cut("x" * (ROOM - 1) + " " + "y" * 9)[0] == "x" * (ROOM - 1) + " "
    assert cut("x" * ROOM + " " + "y" * 9)[0] == "x" * ROOM


@pytest.mark.parametrize(("pair", "stays"), [(ACCENT, ""), (JOINED, ""), ("ab", "a")])
def test_signs_that_belong_together_are_not_parted(pair: str, stays: str) -> None:
    """The cut would fall behind the first sign of the pair."""
    before = "x" * (ROOM - 1)

    first = cut(before + pair + "y" * 9)[0]

    assert first == before + stays


def test_behind_a_joiner_nothing_is_cut() -> None:
    text = "x" * (ROOM - 1) + "\u200d" + "b" * 9

    assert cut(text)[0] == "x" * (ROOM - 2)


def test_behind_sixteen_signs_that_belong_together_the_cut_falls_where_it_must() -> None:
    marks = "\u0301" * 60

    assert cut("e" + marks)[0] == "e" + marks[: ROOM - 1]


@pytest.mark.parametrize(("marks_before", "length"), [(14, ROOM - 15), (15, ROOM)])
def test_a_place_between_two_letters_is_looked_for_so_far_back(
    marks_before: int, length: int
) -> None:
    """An accent is parted from its letter where nothing nearer would do."""
    text = "x" * (ROOM - marks_before) + "\u0301" * 40

    assert len(cut(text)[0]) == length

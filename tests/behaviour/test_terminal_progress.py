"""Progress says how far it is, of how much, and how long it will still take; lines fit a screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.world import memory

from muniment.adapters.cli.progress import entries_of, so_far
from muniment.adapters.cli.word_wrap import cut, width, wrapped


@pytest.mark.parametrize(
    ("done", "of", "seconds", "told"),
    [
        (1_200, 50_000, 0.5, "1,200 of 50,000 lines"),
        (10_000, 50_000, 5.0, "10,000 of 50,000 lines, about 20 s left"),
        (10_000, 50_000, 60.0, "10,000 of 50,000 lines, about 5 min left"),
        (50_000, 50_000, 9.0, "50,000 of 50,000 lines, about 0 s left"),
        (7, 0, 9.0, "7 lines"),
        (8, 7, 9.0, "8 lines"),
    ],
)
def test_an_estimate_follows_from_what_is_done(
    done: int, of: int, seconds: float, told: str
) -> None:
    assert so_far(done, of, seconds, "lines") == told


def test_the_total_of_a_proof_is_every_entry_of_every_log() -> None:
    world = memory()
    world.agent("ada").remember("I moved to Lisbon")

    assert entries_of(world) == sum(proof.entries for proof in world.prove())


@pytest.mark.parametrize(
    ("text", "columns", "lines"),
    [
        ("", 10, [""]),
        ("short", 10, ["short"]),
        ("one two three", 8, ["one two", "three"]),
        ("one two  three", 8, ["one two", "three"]),
        ("a hippopotamus", 5, ["a", "hippo", "potam", "us"]),
        ("深圳在中国", 4, ["深圳", "在中", "国"]),
        ("  indented words", 12, ["  indented", "words"]),
    ],
)
def test_lines_break_between_words_and_a_word_that_is_too_wide_is_cut(
    text: str, columns: int, lines: list[str]
) -> None:
    assert [text[start:end] for start, end in wrapped(text, columns)] == lines


@given(st.text("ab é深\u0301 ", max_size=60), st.integers(2, 20))
def test_wrapping_loses_nothing_but_blanks_and_no_line_is_too_wide(text: str, columns: int) -> None:
    lines = [text[start:end] for start, end in wrapped(text, columns)]
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(width(line) <= columns for line in lines)


@given(st.text("ab é深 ", max_size=30), st.integers(2, 20))
def test_what_is_cut_fits_and_says_so(text: str, columns: int) -> None:
    shown = cut(text, columns)
    assert width(shown) <= columns
    assert shown == text or shown.endswith("…")

"""The matrix: every door by every read and every change, with each exception named."""

from pathlib import Path

import pytest
from bench import matrix, matrix_edges


@pytest.mark.parametrize("door", sorted(matrix.ROWS))
def test_what_is_told_through_a_door_is_known_and_changed_everywhere(door: str) -> None:
    assert not matrix.failures({door: matrix.row(door)})


def test_every_framework_has_its_row() -> None:
    """A new adapter fails here until a fact is told through it, or its package is named apart."""
    adapters = {path.stem for path in Path("src/muniment/adapters/frameworks").glob("[a-z]*.py")}
    rows = {door.replace("-", "_") for door in matrix_edges.DOORS}

    assert adapters - rows - matrix_edges.WITHOUT_ROWS.keys() == set()


def test_every_command_with_words_and_every_read_has_its_place() -> None:
    assert not matrix.unlisted()


def test_a_new_verb_without_a_row_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    rest = {name: door for name, door in matrix.DOORS.items() if name != "turn"}
    monkeypatch.setattr(matrix, "DOORS", rest)

    assert matrix.unlisted() == ["take_turn"]


def test_a_fact_that_nobody_finds_shows_nothing() -> None:
    row = dict.fromkeys(matrix.COLUMNS, "no") | dict.fromkeys(matrix.HIDDEN, matrix.YES)

    told = matrix.failures({"remember": row})

    assert "remember: the planted fact is found nowhere, so nothing was shown" in told


def test_an_exception_that_no_longer_holds_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "EXCEPTIONS", {("remember", "recall"): "a seed says so"})

    said = matrix.cell("remember", "recall")

    assert said == "a seed says so: but it holds"
    row = dict.fromkeys(matrix.READS, matrix.YES) | {"recall": said}
    assert matrix.failures({"remember": row}) == [f"remember, recall: {said}"]

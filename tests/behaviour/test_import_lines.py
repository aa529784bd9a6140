"""Lines that a person wrote: what is malformed is told of by line and field, the rest is kept."""

import json
from pathlib import Path

import pytest
from tests.terminal import Shell

from muniment.adapters.cli.errors import Exit

GOOD: dict[str, object] = {"kind": "episode", "text": "Ann sings", "user": "nora"}
LAST: dict[str, object] = {"kind": "episode", "text": "Bob paints", "user": "nora"}
LONG = "Ann sings in the choir of the harbour. " * 7_500  # 300 kB


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell("--store", str(tmp_path / "memory"))


def written(tmp_path: Path, *lines: dict[str, object]) -> str:
    file = tmp_path / "told.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(file)


def found(shell: Shell, words: str, *options: str) -> list[object]:
    return [each["text"] for each in shell.listed("hits", "recall", words, *options)]


MALFORMED: dict[str, dict[str, object]] = {
    "a list": {"user": ["nora"]},
    "no letters": {"user": ""},
    "a number": {"user": 5},
    "nothing": {"user": None},
    "two lines": {"user": "no\nra"},
    "a control character": {"user": "no\x01ra"},
    "a path": {"user": "../nora"},
    "too long": {"user": "n" * 129},
    "no time": {"at": "nonsense"},
    "a day that there is not": {"at": "2026-02-30"},
    "a month that there is not": {"at": "2026-13-01T10:00:00Z"},
    "an hour that there is not": {"at": "2026-01-01T25:00:00Z"},
    "a time that is none": {"at": {"day": 1}},
    "an origin that there is not": {"origin": "god"},
    "an origin that is no word": {"origin": []},
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_line_with_a_malformed_field_is_told_of_and_the_others_are_kept(
    shell: Shell, tmp_path: Path, name: str
) -> None:
    (field,) = MALFORMED[name]
    line = {"kind": "episode", "text": "Nora has diabetes", "user": "nora", **MALFORMED[name]}
    file = written(tmp_path, GOOD, line, LAST)

    told = shell.document("import", file)

    reason = f"{field}_malformed"
    assert (told["lines"], told["kept"], told["refused"]) == (3, 2, {})
    assert (told["skipped"], told["places"]) == ({reason: 1}, {reason: ["line 2"]})
    assert shell("import", file).stdout.endswith(f"Skipped: 1 {reason} (line 2)\n")
    for options in ((), ("--user", "nora"), ("--user", "mona"), ("--user", "5")):
        assert "Nora has diabetes" not in found(shell, "Who has diabetes?", *options)
    assert found(shell, "Who paints?", "--user", "nora")[0] == "Bob paints"


def test_a_malformed_user_is_not_made_anybody_by_an_option(shell: Shell, tmp_path: Path) -> None:
    told = shell.document("import", written(tmp_path, {**GOOD, "user": ["nora"]}), "--user", "mona")

    assert (told["kept"], told["skipped"]) == (0, {"user_malformed": 1})


def test_fields_that_are_left_out_are_none_that_are_malformed(shell: Shell, tmp_path: Path) -> None:
    line: dict[str, object] = {
        "kind": "episode",
        "text": "The office has a lift",
        "at": None,
        "origin": None,
    }

    told = shell.document("import", written(tmp_path, line))

    assert (told["kept"], told["skipped"]) == (1, {})
    assert found(shell, "lift") == ["The office has a lift"]


def test_many_malformed_lines_are_counted_and_the_first_are_named(
    shell: Shell, tmp_path: Path
) -> None:
    bad = {**GOOD, "user": 5}
    file = written(tmp_path, bad, GOOD, bad, bad, bad, {**LAST, "at": "never"})

    assert shell("import", file).stdout == (
        "Imported 6 lines: 1 kept\n"
        "Skipped: 1 at_malformed (line 6), 4 user_malformed (line 1, line 3, line 4, …)\n"
    )


def test_places_are_named_also_where_records_stand_between_the_lines(
    shell: Shell, tmp_path: Path
) -> None:
    shell("remember", "I moved to Lisbon", "--user", "tuff")
    shell("export", str(tmp_path / "out.jsonl"))
    (record,) = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    file = tmp_path / "mixed.jsonl"
    bad = json.dumps({**GOOD, "user": 5})
    file.write_text(f"{bad}\n{record}\n{bad}\n", encoding="utf-8")

    told = shell.document("import", str(file))

    assert told["skipped"] == {"user_malformed": 2}
    assert told["places"] == {"user_malformed": ["line 1", "line 3"]}


def test_what_another_program_says_of_nobody_who_can_have_a_memory_is_told_of(
    shell: Shell, tmp_path: Path
) -> None:
    rows = [
        {"id": "1", "memory": "Likes figs", "user_id": "nora"},
        {"id": "2", "memory": "Plays chess", "user_id": "people/nora"},
    ]
    file = tmp_path / "mem0.json"
    file.write_text(json.dumps({"results": rows}), encoding="utf-8")
    told = shell.document("import", str(file))

    assert (told["lines"], told["kept"]) == (2, 1)
    assert told["places"] == {"user_malformed": ["entry 2"]}

    file.write_text(json.dumps({"results": rows[1:]}), encoding="utf-8")
    assert shell.document("import", str(file), "--user", "nora")["kept"] == 1
    assert "Plays chess" in found(shell, "chess", "--user", "nora")


def test_what_was_there_already_is_not_said_to_be_kept(shell: Shell, tmp_path: Path) -> None:
    once = shell("import", written(tmp_path, GOOD))
    grown = shell("import", written(tmp_path, GOOD, LAST))
    again = shell("import", written(tmp_path, GOOD, LAST))

    assert once.stdout == "Imported 1 line: 1 kept\n"
    assert grown.stdout == "Imported 2 lines: 1 kept, 1 there already\n"
    assert again.stdout == "Imported 2 lines: 2 there already\n"


@pytest.mark.parametrize("others", [(), (LAST,)], ids=["alone", "with another"])
def test_a_file_is_known_also_by_a_long_first_line(
    shell: Shell, tmp_path: Path, others: tuple[dict[str, object], ...]
) -> None:
    told = shell("import", written(tmp_path, {**GOOD, "text": LONG}, *others), "--json")

    assert told.exit_code == Exit.DONE, told.output
    assert json.loads(told.stdout)["from"] == "muniment"
    assert found(shell, "the choir", "--user", "nora")


def test_an_empty_file_is_said_to_be_empty(shell: Shell, tmp_path: Path) -> None:
    empty = tmp_path / "nothing.json"
    empty.touch()

    told = shell("import", str(empty))

    assert told.exit_code != 0
    assert "'nothing.json' is empty" in told.output

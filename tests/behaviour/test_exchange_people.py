"""Whose a memory is goes along with it: out of one store, into another, and to the person."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.terminal import PHONE, WISH, Shell

from muniment.adapters.cli.errors import Exit

LISBON, REX = "I moved to Lisbon in March", "My dog is called Rex"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell("--store", str(tmp_path / "memory"))
    made("remember", LISBON, "--user", "tuff")
    made("remember", REX, "--user", "bea")
    return made


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_an_export_says_of_each_line_whose_it_is(shell: Shell, tmp_path: Path) -> None:
    shell("remember", "The office has a lift")

    shell("export", str(tmp_path / "all"))

    told = {each["text"]: each.get("user") for each in lines(tmp_path / "all")}
    assert told == {LISBON: "tuff", REX: "bea", "The office has a lift": None}


def test_an_export_for_a_user_holds_nothing_of_anybody_else(shell: Shell, tmp_path: Path) -> None:
    for user in ("tuff", "bea"):
        wish = Shell(*shell.options, "--user", user)
        wish("remember", WISH)
        shell("approve", wish.requested())

    shell("export", str(tmp_path / "theirs"), "--user", "Tuff")

    told = lines(tmp_path / "theirs")
    assert {each["user"] for each in told} == {"tuff"}
    assert {each["kind"] for each in told} == {"episode", "fact"}
    assert "Rex" not in (tmp_path / "theirs").read_text(encoding="utf-8")


def test_what_is_imported_is_seen_by_whom_it_was_about_and_by_nobody_else(
    shell: Shell, tmp_path: Path
) -> None:
    shell("export", str(tmp_path / "all"))
    other = Shell("--store", str(tmp_path / "other"))

    assert other("import", str(tmp_path / "all")).exit_code == Exit.DONE

    for user, known in (("tuff", [LISBON]), ("bea", [REX]), ("carl", [])):
        found = other.listed("hits", "recall", "dog Lisbon", "--user", user)
        assert [each["text"] for each in found] == known


def test_an_option_does_not_make_one_person_of_several(shell: Shell, tmp_path: Path) -> None:
    shell("export", str(tmp_path / "all"))
    other = Shell("--store", str(tmp_path / "other"), "--user", "carl")

    told = other("import", str(tmp_path / "all"))

    assert told.exit_code == Exit.INPUT
    assert "2 users" in told.stderr


def test_whose_word_it_is_goes_along(shell: Shell, tmp_path: Path) -> None:
    page = ("--origin", "external", "--source", "example.org")
    shell("remember", "The museum is free on Sundays", "--user", "tuff", *page)
    shell("export", str(tmp_path / "theirs"), "--user", "tuff")
    other = Shell("--store", str(tmp_path / "other"))
    other("import", str(tmp_path / "theirs"))
    other("export", str(tmp_path / "again"))

    again = lines(tmp_path / "again")
    sources = [each["data"].get("handles", {}).get("source") for each in again]
    assert sources == [None, "example.org"]
    own = {"seq", "batch"}  # where an entry stands is each log's own
    before = lines(tmp_path / "theirs")
    assert [{k: v for k, v in each.items() if k not in own} for each in again] == [
        {k: v for k, v in each.items() if k not in own} for each in before
    ]


def test_a_governed_fact_goes_along_and_a_second_import_changes_nothing(
    shell: Shell, tmp_path: Path
) -> None:
    wish = Shell(*shell.options, "--user", "tuff")
    wish("remember", WISH)
    shell("approve", wish.requested())
    shell("export", str(tmp_path / "all"))
    other = Shell("--store", str(tmp_path / "other"))

    once = other.document("import", str(tmp_path / "all"))
    facts = other("facts", "--user", "tuff").output
    again = other.document("import", str(tmp_path / "all"))

    assert once["kept"] == again["kept"] == once["lines"]
    assert "cerulean" in facts
    assert other("facts", "--user", "tuff").output == facts


def test_everything_about_a_person_is_written_for_them(shell: Shell, tmp_path: Path) -> None:
    shell("remember", f"Call me on {PHONE}", "--user", "tuff", "--agent", "ben")
    shell("documents", "put", "letters", "rua", '"The letter from Rua Augusta"', "--user", "tuff")

    told = shell("about", "tuff", "--file", str(tmp_path / "tuff"))

    assert told.exit_code == Exit.DONE, told.output
    text = (tmp_path / "tuff").read_text(encoding="utf-8")
    assert LISBON in text
    assert "Rua Augusta" in text
    assert "[phone:" in text
    assert "Rex" not in text
    assert PHONE not in text
    entries = shell.document("about", "tuff")["entries"]
    assert isinstance(entries, dict)
    assert len(text.splitlines()) == sum(entries.values())


def test_a_look_at_another_person_s_data_is_not_told_as_one_at_theirs(shell: Shell) -> None:
    (rex,) = shell.listed("hits", "recall", "dog", "--user", "bea")
    shell("payload", str(rex["id"]), "--reason", "a court asked")

    assert "privileged reads  1" in shell("about", "bea").output
    assert "privileged reads  0" in shell("about", "tuff").output


def test_many_lines_come_in_as_they_would_one_by_one(tmp_path: Path) -> None:
    told = [f"[2026-03-{1 + n % 28:02d} 10:00] Ann: I painted fence {n}" for n in range(150)]
    told += told[:3]
    (tmp_path / "chat").write_text("\n".join(told), encoding="utf-8")
    shell = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")

    once = shell.document("import", str(tmp_path / "chat"), "--from", "transcript")
    shell("export", str(tmp_path / "out"))
    again = shell.document("import", str(tmp_path / "chat"), "--from", "transcript")

    assert once["kept"] == again["kept"] == 153
    kept = lines(tmp_path / "out")
    assert [each["at"] for each in kept[:2]] == [
        "2026-03-01T10:00:00.000Z",
        "2026-03-02T10:00:00.000Z",
    ]
    shell("export", str(tmp_path / "out"), "--force")
    assert lines(tmp_path / "out") == kept

"""Errors of a first hour: each names what is wrong, where it is, and what to do."""

from pathlib import Path

import pytest
from tests.terminal import Shell, said


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    made = Shell("--store", str(tmp_path / "memory"), "--user", "tuff")
    made("remember", "I moved to Lisbon in March")
    return made


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"[keep_days]\nsentence = 3\n", "'my.toml': Object contains unknown field `sentence`"),
        (b"a = = 1\n", "'my.toml': Invalid value (at line 1, column 5)"),
        (None, "'my.toml': No such file or directory."),
    ],
    ids=["unknown", "unreadable", "missing"],
)
def test_a_bad_policy_file_is_named_with_what_is_wrong_in_it(
    tmp_path: Path, shell: Shell, text: bytes | None, sentence: str
) -> None:
    file = tmp_path / "my.toml"
    if text is not None:
        file.write_bytes(text)

    result = shell("policy", "--file", str(file), "--reason", "a try")

    assert said(result).startswith(f"muniment: {sentence}")
    assert said(result).endswith(" [INVALID_POLICY]")


def test_a_policy_file_with_the_line_ends_of_windows_is_read(tmp_path: Path, shell: Shell) -> None:
    file = tmp_path / "my.toml"
    file.write_bytes(b"[keep_days]\r\nsentences = 30\r\n")

    assert shell("policy", "--file", str(file), "--reason", "a try").exit_code == 0


@pytest.mark.parametrize("how", ["gone", "another"])
def test_a_key_that_is_lost_or_not_the_right_one_is_said_with_what_helps(
    tmp_path: Path, shell: Shell, how: str
) -> None:
    keys = tmp_path / "memory" / "keys"
    if how == "gone":
        for each in keys.iterdir():
            each.unlink()
    else:
        (keys / "master.key").write_bytes(b"k" * 32)

    told = said(shell("recall", "Lisbon"))

    assert "put the folder `keys` back from a backup. [KEYSTORE_UNREADABLE]" in told


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["recall", "x", "--zzz"], "No such option '--zzz'; `muniment recall --help` shows how."),
        (["payload", "ep:9"], "Missing option '--reason'; `muniment payload --help` shows how."),
        (["show", "9999"], "There is no entry '9999'; `muniment log` lists them."),
        (["blame", "ep:9"], "There is no item 'ep:9'; `muniment list` shows what there is."),
        (["forget", "ep:9"], "There is no item 'ep:9'; `muniment list` shows what there is."),
        (["approve", "req:9"], "There is no request 'req:9'; `muniment requests` lists them."),
        (
            ["remember", "a" * 32_769],
            "Remember: text may have at most 32,768 characters: divide it.",
        ),
        (
            ["export", "no-such-folder/all.jsonl"],
            "'no-such-folder/all.jsonl': No such file or directory; make its folder first.",
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_an_error_says_what_to_do(shell: Shell, words: list[str], sentence: str) -> None:
    assert said(shell(*words)).startswith(f"muniment: {sentence} [")


@pytest.mark.parametrize("text", ["a" * 300_000, "é" * 200_000, "é" * 40_000])
def test_a_text_that_is_far_too_long_is_told_the_limit_that_holds(shell: Shell, text: str) -> None:
    sentence = "muniment: Remember: text may have at most 32,768 characters: divide it. ["
    assert said(shell("remember", text)).startswith(sentence)
    assert said(shell("remember", "-", typed=text)).startswith(sentence)


def test_a_file_is_named_as_it_is_written(tmp_path: Path, shell: Shell) -> None:
    file = tmp_path / "questions.json"
    file.write_text("{}")

    assert said(shell("eval", str(file))).startswith("muniment: 'questions.json' is not a file of")

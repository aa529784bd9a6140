"""What a check makes of a word after "password", "passphrase" or "key", case by case."""

from collections.abc import Callable

import pytest

from muniment.rules.privacy import secret_checks as checks

Check = Callable[[str], int]
LONG = "AbcdefghijKlmnopqrst"  # twenty letters of mixed case


@pytest.mark.parametrize(
    ("check", "value", "kept"),
    [
        (checks.assigned_password, "hunter2", "hunter2"),
        (checks.assigned_password, "hunter2.,;:)", "hunter2"),
        (checks.assigned_password, '"hunter2"', '"hunter2"'),
        (checks.assigned_password, "'horse.name'", "'horse.name'"),
        (checks.assigned_password, "horse.name", ""),
        (checks.assigned_password, "abc", ""),
        (checks.assigned_password, "abcd", "abcd"),
        (checks.assigned_password, "Missing", ""),
        (checks.assigned_password, "${PASSWORD}", ""),
        (checks.assigned_password, "os.environ[x]", ""),
        (checks.assigned_password, "<swordfish>", "<swordfish>"),
        (checks.stated_password, "swordfish.", "swordfish"),
        (checks.stated_password, "swinging", ""),
        (checks.stated_password, "Swinging", "Swinging"),
        (checks.stated_password, "'swinging'", "'swinging'"),
        (checks.stated_password, "sw1nging", "sw1nging"),
        (checks.stated_password, "weak", ""),
        (checks.said_password, "swordfish", ""),
        (checks.said_password, "'swordfish'", "'swordfish'"),
        (checks.said_password, "horse.name", ""),
        (checks.said_password, "'horse.name'", ""),
        (checks.said_password, "'weak'", ""),
        (checks.said_password, "1234.", "1234"),
        (checks.said_password, "123", ""),
        (checks.said_password, "sword$fish", "sword$fish"),
        (checks.said_password, "sword1fish,", "sword1fish"),
        (checks.drawn_password, "sword$fish", "sword$fish"),
        (checks.drawn_password, "sword1fish", "sword1fish"),
        (checks.drawn_password, "swordfish!", ""),
        (checks.drawn_password, "swordfish?!", ""),
        (checks.drawn_password, "sword!fish", "sword!fish"),
        (checks.drawn_password, "sword!fish.", "sword!fish"),
        (checks.drawn_password, "sword!X", "sword!X"),
        (checks.drawn_password, "50+50=100", ""),
        (checks.drawn_password, "/home/sword1", ""),
        (checks.drawn_password, "'/home/sword1'", ""),
        (checks.drawn_password, "'1234'", ""),
        (checks.drawn_password, "sword_1.fish", "sword_1.fish"),
        (checks.drawn_password, "sword_b.fish", ""),
        (checks.drawn_password, "a$b", ""),
        (checks.other_letters, "秘密之花", "秘密之花"),
        (checks.other_letters, "秘密之花」,", "秘密之花"),
        (checks.other_letters, "秘密", ""),
    ],
)
def test_a_password_is_what_a_check_takes_for_one(check: Check, value: str, kept: str) -> None:
    assert value[: check(value)] == kept


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("abcd12", "abcd12"),
        ("abcd12.", "abcd12"),
        ("ABCD12", "ABCD12"),
        ("abc12", ""),
        ("123456", ""),
        ("abcdef", ""),
        ("ABCDEF", ""),
        (LONG, LONG),
        (LONG[:-1], ""),
        (LONG.lower(), ""),
        (LONG.upper(), ""),
        (LONG[:10] + "_" + LONG[10:], ""),
        (LONG[:10] + "-" + LONG[10:], LONG[:10] + "-" + LONG[10:]),
        (LONG[:-1] + "é", ""),
        ("abcd12\x07", ""),
        ("sha512", ""),
        ("[abc123]", ""),
    ],
)
def test_a_key_has_letters_with_digits_or_is_long_and_of_mixed_case(value: str, kept: str) -> None:
    assert value[: checks.random_looking(value)] == kept


@pytest.mark.parametrize(
    ("check", "value", "told"),
    [
        (checks.assigned_phrase, "blue kites over rome", True),
        (checks.assigned_phrase, "blue", True),
        (checks.assigned_phrase, "blue, see vault", False),
        (checks.assigned_phrase, "Never blue", False),
        (checks.assigned_phrase, "blue-never-red", False),
        (checks.assigned_phrase, "blue,never,red", False),
        (checks.stated_phrase, "blue kites saw rome", True),
        (checks.stated_phrase, "blue-kites-saw,rome", True),
        (checks.stated_phrase, "Correct horse battery staple", True),
        (checks.stated_phrase, "blue kites rome", False),
        (checks.stated_phrase, "blue kites over rome", False),
        (checks.stated_phrase, "blue kites saw vault", False),
        (checks.stated_phrase, "blue kites saw plaintext", False),
        (checks.stated_phrase, "flying kites saw rome", False),
        (checks.stated_phrase, "blue flying saw rome", True),
        (checks.stated_phrase, "blue kites cambiada rome", False),
        (checks.stated_words, "blue kites rome", True),
        (checks.stated_words, "blue kites", False),
        (checks.stated_words, "blue kites over", False),
        (checks.recovery_code, "1234 5678", True),
        (checks.recovery_code, "12-34", False),
        (checks.recovery_code, "ab12cd", True),
    ],
)
def test_a_phrase_is_no_remark_about_one_and_no_sentence(
    check: Check,
    value: str,
    told: bool,  # noqa: FBT001
) -> None:
    assert check(value) == (len(value) if told else 0)

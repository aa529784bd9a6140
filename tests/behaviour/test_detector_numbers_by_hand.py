"""What a check makes of a number: how much of it belongs to a card, an account or a paper."""

from collections.abc import Callable

import pytest

from muniment.rules.privacy import number_checks as checks

Check = Callable[[str], int]
VISA, AMEX = "4111111111111111", "378282246310005"
GROUPED = "4111 1111 1111 1111"
ONE_BY_ONE = "4.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        (VISA, VISA),
        (GROUPED, GROUPED),
        (f"{GROUPED} 12", GROUPED),
        (f"{GROUPED}-12", GROUPED),
        (f"{VISA}12", ""),
        ("4111111111111112", ""),
        ("4222222222222", "4222222222222"),
        ("0604567890127", ""),
        ("501234567892", ""),
        ("9111111111111111", ""),
        ("0000000000000000", ""),
        ("6666666666666666", ""),
        (AMEX, AMEX),
    ],
)
def test_a_card_has_a_brand_a_length_and_a_check_digit(value: str, kept: str) -> None:
    assert value[: checks.card(value)] == kept


def test_the_shortest_cards_are_cards_only_in_one_row() -> None:
    short = next(str(n) for n in range(501200000000, 501200000010) if checks.luhn(str(n)))

    assert checks.card(short) == len(short)
    assert checks.card(f"{short[:4]} {short[4:]}") == 0


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("4111.1111.1111.1111", "4111.1111.1111.1111"),
        ("4111 . 1111.1111. 1111", "4111 . 1111.1111. 1111"),
        ("4111.1111/1111.1111", ""),
        ("4111.1111.1111.1112", ""),
        ("4111.1111.1111.1111/99", "4111.1111.1111.1111"),
        ("3782.822463.10005", "3782.822463.10005"),
        ("378.282246.310005", ""),
        ("41111111.11111111", "41111111.11111111"),
        (ONE_BY_ONE, ONE_BY_ONE),
        (f"{ONE_BY_ONE}/2", ONE_BY_ONE),
        (ONE_BY_ONE[:-2], ""),
        ("4444.4444.4444.4444", ""),
        ("9111.1111.1111.1111", ""),
        ("41.11.11.11.11.11.11.11", ""),
    ],
)
def test_a_card_may_stand_in_the_groups_that_are_printed_on_it(value: str, kept: str) -> None:
    assert value[: checks.card_in_groups(value)] == kept


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("DE89370400440532013000", "DE89370400440532013000"),
        ("DE89 3704 0044 0532 0130 00 please", "DE89 3704 0044 0532 0130 00"),
        ("DE89370400440532013000-1", "DE89370400440532013000"),
        ("DE89370400440532013000.A", "DE89370400440532013000"),
        ("DE89370400440532013000A", ""),
        ("DE89370400440532013001", ""),
        ("NO9386011117947", "NO9386011117947"),
        ("BE41539007547035", "BE41539007547035"),
    ],
)
def test_an_account_ends_where_a_group_ends(value: str, kept: str) -> None:
    assert value[: checks.bank_account(value)] == kept


@pytest.mark.parametrize(
    ("check", "value", "kept"),
    [
        (checks.ipv4, "10.1.2.3", "10.1.2.3"),
        (checks.ipv4, "127.0.0.1", ""),
        (checks.ipv4, "0.0.0.0", ""),  # noqa: S104
        (checks.ipv4, "256.0.0.1", ""),
        (checks.ipv6, "2001:db8::1", "2001:db8::1"),
        (checks.ipv6, "2001:db8::1.", "2001:db8::1"),
        (checks.ipv6, "2001:db8::1:", "2001:db8::1"),
        (checks.ipv6, "fe80::1", "fe80::1"),
        (checks.ipv6, "fe8::", "fe8::"),
        (checks.ipv6, "a::b:1", "a::b:1"),
        (checks.ipv6, "1::b", ""),
        (checks.ipv6, "abc::d", ""),
        (checks.ipv6, "::1", ""),
        (checks.ipv6, "0:0:0:0:0:0:0:1", ""),
        (checks.ipv6, "0:0:0:0:0:0:0:2", "0:0:0:0:0:0:0:2"),
        (checks.ipv6, "2001:db8:1", ""),
        (checks.ipv6, "2001:db8::1X", ""),
        (checks.ipv6, "2001:db8::12345", ""),
        (checks.ipv6, "0:0:0:0:0:ffff:127.0.0.1", "0:0:0:0:0:ffff:127.0.0.1"),
    ],
)
def test_an_address_is_one_that_is_not_the_same_everywhere(
    check: Check, value: str, kept: str
) -> None:
    assert value[: check(value)] == kept


@pytest.mark.parametrize(
    ("check", "value", "valid"),
    [
        (checks.korean_id, "901231-1234567", True),
        (checks.korean_id, "900101-1234567", True),
        (checks.korean_id, "901331-1234567", False),
        (checks.korean_id, "900031-1234567", False),
        (checks.korean_id, "901232-1234567", False),
        (checks.korean_id, "901200-1234567", False),
        (checks.south_african_id, "8001015009087", True),
        (checks.south_african_id, "8001015009086", False),
        (checks.south_african_id, "8013015009083", False),
        (checks.belgian_id, "85.07.30-033 28", True),
        (checks.belgian_id, "85.07.30-033 29", False),
        (checks.belgian_id, "05.07.30-001 61", False),
        (checks.swedish_id, "811228-9874", True),
        (checks.swedish_id, "19811228-9874", True),
        (checks.swedish_id, "811228-9875", False),
        (checks.swedish_id, "811328-9873", False),
        (checks.tanzanian_id, "19900131-14101-00001-22", True),
        (checks.tanzanian_id, "19901331-14101-00001-22", False),
        (checks.tanzanian_id, "19900132-14101-00001-22", False),
        (checks.russian_insurance_id, "112-233-445 95", True),
        (checks.russian_insurance_id, "112-233-445 96", False),
        (checks.has_digits, "a1b2c3d4e5", True),
        (checks.has_digits, "a1b2c3d4", False),
        (checks.papers_in_groups, "1234-5678", True),
        (checks.papers_in_groups, "1234-567", False),
        (checks.papers_in_groups, "1234 5678 9012 3456 7890", True),
        (checks.papers_in_groups, "1234 5678 9012 3456 7890 1", False),
        (checks.papers_in_groups, "2024-01-31 12", False),
        (checks.machine_line, "L898902C36UTO7408122F1204159ZE184226B<<<<<10", True),
        (checks.machine_line, "L898902C37UTO7408122F1204159ZE184226B<<<<<10", False),
        (checks.machine_line, "L898902C36UTO7408123F1204159ZE184226B<<<<<10", False),
        (checks.machine_line, "L898902C36UTO7408122F1204158ZE184226B<<<<<10", False),
    ],
)
def test_a_paper_is_valid_by_its_day_and_its_check_digits(
    check: Check,
    value: str,
    valid: bool,  # noqa: FBT001
) -> None:
    assert check(value) == (len(value) if valid else 0)


def with_check(stem: str, check: Check) -> list[str]:
    """The numbers that a check takes among all that begin like this."""
    return [f"{stem}{n:02}" for n in range(100) if check(f"{stem}{n:02}")]


def test_a_belgian_is_of_this_century_or_of_the_last() -> None:
    assert with_check("850730033", checks.belgian_id) == ["85073003328", "85073003357"]


def test_a_russian_number_has_a_check_of_two_digits_that_may_be_nought() -> None:
    assert with_check("112233445", checks.russian_insurance_id) == ["11223344595"]
    assert with_check("920000003", checks.russian_insurance_id) == ["92000000300"]
    assert with_check("920000004", checks.russian_insurance_id) == ["92000000400"]
    assert with_check("920000005", checks.russian_insurance_id) == ["92000000501"]
    assert [with_check(f"00000005{n}", checks.russian_insurance_id)[0][-2:] for n in range(3)] == [
        *("10", "11", "12"),
    ]


def test_a_swede_who_was_given_a_number_later_has_a_day_with_sixty_more() -> None:
    days = [
        day
        for day in range(100)
        if any(checks.swedish_id(f"8112{day:02}-987{last}") for last in range(10))
    ]

    assert days == [*range(1, 32), *range(61, 92)]


def test_a_south_african_was_born_on_a_day() -> None:
    born = [
        (month, day)
        for month in range(14)
        for day in range(33)
        if any(checks.south_african_id(f"80{month:02}{day:02}500908{last}") for last in range(10))
    ]

    assert born == [(month, day) for month in range(1, 13) for day in range(1, 32)]


def test_what_a_check_of_others_takes_is_taken_whole() -> None:
    check = checks.whole(lambda value: value == "abc")

    assert (check("abc"), check("abd")) == (3, 0)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("12345", "12345"),
        ("1234", ""),
        ("C01X00T47", "C01X00T47"),
        ("AB 12 34 56 C", "AB 12 34 56 C"),
        ("12345 please", "12345"),
        ("12345 PLEASE now", "12345 PLEASE"),
        ("12345 PLEASES", "12345"),
        ("12345  678", "12345"),
        ("12345/678-9.0", "12345/678-9.0"),
        ("please 12345", ""),
        ("2024-01-31", ""),
        ("31.01.2024 7", "31.01.2024 7"),
    ],
)
def test_a_number_that_was_announced_ends_with_its_last_group(value: str, kept: str) -> None:
    assert value[: checks.told_number(value)] == kept

"""Number checks: check digits and formats of cards, accounts, IP addresses and papers.

Each check says how many leading code points of a candidate are the real thing; nought, none. For
papers they are python-stdnum's, except where those would ask a clock.
"""

import ipaddress
import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any, Final

from muniment.model.lazy_pattern import lazy_pattern
from muniment.rules.privacy.lookalikes import CALENDAR

# Prefix and lengths of each card brand: a checksum alone lets every tenth order number through.
CARD_BRANDS: tuple[tuple[re.Pattern[str], tuple[int, ...]], ...] = (
    (lazy_pattern(r"4"), (13, 16, 19)),
    (lazy_pattern(r"5[1-5]|2[2-7]"), (16,)),
    (lazy_pattern(r"3[47]"), (15,)),
    (lazy_pattern(r"3[0689]"), (14, 16)),
    (lazy_pattern(r"35"), (16,)),
    (lazy_pattern(r"2131|1800"), (15,)),
    (lazy_pattern(r"6"), (16, 19)),
    (lazy_pattern(r"50|5[6-8]|6304|639|67|0604"), (12, 13, 16, 18, 19)),
)
# The shortest are never written in groups; in groups, they are a part of something longer.
CARD_LENGTH_MIN = 12


# How groups are printed on a card; read out one by one, every digit is a group.
CARD_GROUPS: tuple[tuple[int, ...], ...] = (
    (4, 4, 4, 4, 3),
    (4, 4, 4, 4),
    (4, 6, 5),
    (4, 6, 4),
    (4, 5, 6),
    (8, 8),
)
CARD_DIGITS = range(13, 20)


@cache
def _stdnum(module: str) -> Any:  # noqa: ANN401 - a module, imported for the first candidate
    return import_module(module)


def luhn(digits: str) -> bool:
    return bool(_stdnum("stdnum.luhn").is_valid(digits))


def card_lengths(digits: str) -> set[int]:
    """How long a card that begins like this may be."""
    return {size for brand, sizes in CARD_BRANDS if brand.match(digits) for size in sizes}


def card(value: str) -> int:
    digits = re.sub(r"[^0-9]", "", value)
    lengths = card_lengths(digits)
    if not lengths:
        return 0
    size = count = 0
    for end, letter in enumerate(value, 1):
        count += letter.isdigit()
        at_end = value[end : end + 1] in ("", " ", "-") and letter.isdigit()
        fits = count in lengths and (count > CARD_LENGTH_MIN or value[:end].isdigit())
        if at_end and fits and len(set(digits)) > 1 and luhn(digits[:count]):
            size = end
    return size


def card_in_groups(value: str) -> int:
    """A card whose groups are parted by any one mark, as they are printed or digit by digit."""
    groups = list(re.finditer(r"[0-9]+", value))
    sizes = tuple(len(group[0]) for group in groups)
    marks = [value[one.end() : two.start()].strip() for one, two in pairwise(groups)]
    for count in (*(len(form) for form in CARD_GROUPS), *reversed(CARD_DIGITS)):
        printed = sizes[:count] in CARD_GROUPS or set(sizes[:count]) == {1}
        if not printed or len(sizes) < count or len(set(marks[: count - 1])) > 1:
            continue
        digits = "".join(group[0] for group in groups[:count])
        fits = len(digits) in card_lengths(digits) and len(set(digits)) > 1
        if fits and luhn(digits):
            return groups[count - 1].end()
    return 0


IBAN_LENGTH_MIN = 15


def bank_account(value: str) -> int:
    # Words may follow: every end of a group is tried, the longest first.
    for end in range(len(value), IBAN_LENGTH_MIN - 1, -1):
        if value[end : end + 1] not in ("", " ", "-", "."):
            continue
        # National check digits are not asked for: a mistyped account is still somebody's account.
        if _stdnum("stdnum.iban").is_valid(value[:end], check_country=False):
            return end
    return 0


def told_address(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Loopback and the unspecified address are the same on every machine: they tell nothing."""
    if address.version == 6:  # noqa: PLR2004 - Pythons differ about those that stand for others
        return int(address) > IPV6_LOOPBACK
    return not (address.is_loopback or address.is_unspecified)


def ipv4(value: str) -> int:
    try:
        return len(value) if told_address(ipaddress.IPv4Address(value)) else 0
    except ValueError:
        return 0


IPV6_LOOPBACK = 1  # and the unspecified address is 0
IPV6_GROUPS_MIN = 3
IPV6_FIRST_GROUP_MIN = 3


def ipv6(value: str) -> int:
    # A sentence may end after an address, or a colon may follow it.
    for text in (value, value[:-1] if value[-1] in ":." else ""):
        groups = [group for group in text.split(":") if group]
        # "a::b" and "12::30" parse as addresses but are code and typing errors.
        likely = len(groups) >= IPV6_GROUPS_MIN or len(text.split(":")[0]) >= IPV6_FIRST_GROUP_MIN
        if not likely or not any(letter.isdigit() for letter in text):
            continue
        try:
            if told_address(ipaddress.IPv6Address(text)):
                return len(text)
        except ValueError:
            continue
    return 0


# ---- papers --------------------------------------------------------------------------------------

PAPERS_DIGITS: Final = range(8, 21)
DIGITS_TOLD_MIN: Final = 5  # of a number that only its word makes personal
LETTERS_TOLD_MAX: Final = 6  # of a group without a digit, in capitals: a part of the number
SUMMER: Final = 60  # is added to the day of a Swede who was given a number later
_GROUP = lazy_pattern(r"[ ./-]?([A-Za-z0-9]+)")


def whole(is_valid: Callable[[str], object]) -> Callable[[str], int]:
    return lambda value: len(value) if is_valid(value) else 0


def only_digits(value: str) -> str:
    return re.sub(r"[^0-9]", "", value)


@cache
def stdnum_check(module: str) -> Callable[[str], int]:
    """The check of one module of python-stdnum."""
    return whole(_stdnum(module).is_valid)


def is_day(month: str, day: str) -> bool:
    return 1 <= int(month) <= 12 and 1 <= int(day) <= 31  # noqa: PLR2004 - the calendar's own


def korean_id(value: str) -> int:
    """Since 2020 the last digits are drawn: birthday and century have to do."""
    digits = only_digits(value)
    return len(value) if is_day(digits[2:4], digits[4:6]) else 0


def south_african_id(value: str) -> int:
    digits = only_digits(value)
    return len(value) if is_day(digits[2:4], digits[4:6]) and luhn(digits) else 0


def belgian_id(value: str) -> int:
    digits = only_digits(value)
    number, check = digits[:9], int(digits[9:])
    return len(value) if check in {97 - int(each) % 97 for each in (number, "2" + number)} else 0


def swedish_id(value: str) -> int:
    digits = only_digits(value)[-10:]
    day = int(digits[4:6])
    born = is_day(digits[2:4], str(day - SUMMER if day > SUMMER else day))
    return len(value) if born and luhn(digits) else 0


def tanzanian_id(value: str) -> int:
    return len(value) if is_day(value[4:6], value[6:8]) else 0


def russian_insurance_id(value: str) -> int:
    digits = only_digits(value)
    rest = sum(int(digit) * (9 - place) for place, digit in enumerate(digits[:9])) % 101 % 100
    return len(value) if int(digits[9:]) == rest else 0


MACHINE_VALUES: Final = {
    letter: place for place, letter in enumerate("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
} | {"<": 0}


def machine_line(value: str) -> int:
    """The second line of a passport: number, birthday and end, each with its check digit."""
    fields = (value[:10], value[13:20], value[21:28])
    return len(value) if all(map(_is_checked, fields)) else 0


def _is_checked(field: str) -> bool:
    weighed = (MACHINE_VALUES[sign] * (7, 3, 1)[n % 3] for n, sign in enumerate(field[:-1]))
    return sum(weighed) % 10 == int(field[-1])


def has_digits(value: str) -> int:
    return len(value) if len(only_digits(value)) >= DIGITS_TOLD_MIN else 0


def papers_in_groups(value: str) -> int:
    """Groups of digits, long enough for an identity number, and no date."""
    return (
        len(value) if len(only_digits(value)) in PAPERS_DIGITS and not CALENDAR.match(value) else 0
    )


def told_number(value: str) -> int:
    """As many groups as belong to a number that was announced: with digits, or short capitals."""
    end = 0
    for group in _GROUP.finditer(value):
        word = group[1]
        part = any(map(str.isdigit, word)) or (word.isupper() and len(word) <= LETTERS_TOLD_MAX)
        if group.start() != end or not part:
            break
        end = group.end()
    told = value[:end]
    if CALENDAR.fullmatch(told) or len(only_digits(told)) < DIGITS_TOLD_MIN:
        return 0
    return end


IDENTITY_CHECKS: dict[str, Callable[[str], int]] = {
    "belgian_id": belgian_id,
    "has_digits": has_digits,
    "korean_id": korean_id,
    "luhn": whole(lambda value: luhn(only_digits(value))),
    "machine_line": machine_line,
    "papers_in_groups": papers_in_groups,
    "russian_insurance_id": russian_insurance_id,
    "south_african_id": south_african_id,
    "swedish_id": swedish_id,
    "tanzanian_id": tanzanian_id,
    "told_number": told_number,
}

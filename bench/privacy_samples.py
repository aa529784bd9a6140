"""Samples for the detector: one text and the thing in it, and how numbers and scripts are drawn."""

import string
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple


class Sample(NamedTuple):
    """One text: what kind of thing is in it (or looks like it), and the thing itself."""

    kind: str
    text: str
    value: str


# ---- drawing -------------------------------------------------------------------------------------


def digits(by: Random, count: int, first: str = string.digits) -> str:
    return by.choice(first) + "".join(by.choices(string.digits, k=count - 1))


def letters(by: Random, count: int, of: str = string.ascii_uppercase) -> str:
    return "".join(by.choices(of, k=count))


def until(make: Callable[[], str], is_valid: Callable[[str], object]) -> str:
    """Drawn again until its check digits are right; bounded, for a form that never is."""
    return next(each for each in (make() for _ in range(200_000)) if is_valid(each))


def ended(
    start: str, is_valid: Callable[[str], object], ends: Sequence[str] = string.digits
) -> str:
    """A number that begins so, with the check digits that belong to it; empty where none do."""
    return next((start + end for end in ends if is_valid(start + end)), "")


def birthday(by: Random) -> str:
    return f"{by.randint(50, 99):02d}{by.randint(1, 12):02d}{by.randint(1, 28):02d}"


def grouped(text: str, sizes: Sequence[int], mark: str) -> str:
    at, parts = 0, []
    for size in sizes:
        parts.append(text[at : at + size])
        at += size
    return mark.join(parts)


SCRIPTS = {
    "full width": "０１２３４５６７８９",
    "arabic": "٠١٢٣٤٥٦٧٨٩",
    "persian": "۰۱۲۳۴۵۶۷۸۹",
    "devanagari": "०१२३४५६७८९",
    "thai": "๐๑๒๓๔๕๖๗๘๙",
    "bold": "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗",
}


def in_script(text: str, script: str) -> str:
    return text.translate(str.maketrans(string.digits, script))


# ---- personal data -------------------------------------------------------------------------------

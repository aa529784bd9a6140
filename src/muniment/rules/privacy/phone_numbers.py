"""Telephone numbers: found by patterns, confirmed by numbering plans and context words."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from typing import Any, Final

from muniment.model.lazy_pattern import lazy_pattern
from muniment.rules.privacy.lookalikes import (
    AMOUNT,
    BOOK,
    CALENDAR,
    CLOCK_BEFORE,
    COORDINATES,
    NUMBERED_BY_YEAR,
    SECONDS,
    SMALL_NUMBERS,
    THING_BEFORE,
)
from muniment.rules.privacy.number_checks import ipv4
from muniment.rules.privacy.rule import PrivacyFinding, finding, personal

PHONE_DIGITS_MIN: Final = 7
# "call her on her new work line:" fits between the word and the number; the next sentence does not.
PHONE_CONTEXT_LENGTH_MAX: Final = 40
# A run this long was cut, so the search steps back by more than the longest number.
PHONE_RUN_LENGTH_MAX: Final = 98
PHONE_LENGTH_MAX: Final = 22
# Fifteen digits, each on its own: a longer row with one kind of mark is a table, not a number.
PHONE_SPACED_LENGTH_MAX: Final = 30
THING_LENGTH_MAX: Final = 40
CLOCK_LENGTH: Final = 7  # hours and minutes, and what stands before them
DIGIT: Final = lazy_pattern(r"[0-9]")
POSSIBLE, VALID = 0, 1  # how strict the numbering plans are: phonenumbers' `Leniency`

PHONE_VALID: Final = personal(
    "phone.valid",
    # A run that may hold a number; one blank or mark in a row, so that tables do not join up.
    r"(?<![A-Za-z0-9_.])[+(]{0,2}[0-9][0-9 ().\-/+]{5,98}[0-9](?:\s?(?:x|ext\.?|#)\s?[0-9]{1,7})?",
    digits=PHONE_DIGITS_MIN,
)
PHONE_TOLD: Final = personal(
    "phone.told",
    r"(?i)(?:\b(?:call(?:ed|ing|s)?|phones?|(?:tele)?phone\s?(?:number|no\.?|nr\.?)?|tel|mobile|cell"
    r"|cellphone|text(?:ed)?|sms|whatsapp|signal|reach(?:ed)?|ring|dial|fax|landline|hotline"
    r"|(?:my|his|her|their|our|your|contact|new|work|home|office|the)\s(?:number|no\.)"
    r"(?:\s(?:is|was))?|telefon(?:nummer)?|handy(?:nummer)?|rufnummer|rufen|anrufen|ruf"
    r"|(?:^|(?<=[.!?,;:] ))number\sis|t[ée]l[ée]phone|portable|appel(?:er|ez|le)|joindre|numéro"
    r"|tel[ée]fono|m[óo]vil|celular|ll[áa]m(?:ame|eme|ar|a)|cellulare|chiam(?:ami|are)|telefone"
    r"|telem[óo]vel|lig(?:ue|ar|a)|telefoon(?:nummer)?|mobiel|bel(?:len)?|gsm)\b"
    r"|телефон[а-я]{0,2}|звони(?:те|ть)?|моб(?:ильный|\.)|τηλέφωνο|κινητό|κάλεσ[εέ]|هاتف|جوال|اتصل"
    r"|फ़ोन|फोन|मोबाइल|कॉल|电话|電話|手机|手機|携帯|전화|휴대폰|핸드폰|연락처)",
    digits=PHONE_DIGITS_MIN,
)


def phones(text: str, regions: tuple[str, ...]) -> Iterator[PrivacyFinding]:
    told_ends = [match.end() for match in PHONE_TOLD.pattern.finditer(text)]
    at = 0
    while run := PHONE_VALID.pattern.search(text, at):
        told = is_told_phone(text, run.start(), told_ends)
        if not told and is_lookalike(run[0]):
            at = run.end()
            continue
        rule = PHONE_TOLD if told else PHONE_VALID
        for start, end in numbers(run[0], regions, POSSIBLE if told else VALID):
            if is_phone(text, run.start() + start, run.start() + end, told=told):
                yield finding(rule, run.start() + start, run.start() + end)
        cut = len(run[0]) > PHONE_RUN_LENGTH_MAX
        at = run.end() - PHONE_LENGTH_MAX if cut else run.end()


@lru_cache(maxsize=1_024)  # tables of a machine repeat their numbers; a plan takes a millisecond
def numbers(run: str, regions: tuple[str, ...], leniency: int) -> tuple[tuple[int, int], ...]:
    """What the numbering plans make of a run, stopping when every digit is spoken for."""
    marks = set(run) - set("0123456789")
    endless = len(run) > PHONE_SPACED_LENGTH_MAX and len(marks) <= 1 and "+" not in marks
    digits = len(DIGIT.findall(CALENDAR.sub("", run, count=1)))
    if digits < PHONE_DIGITS_MIN or (endless and leniency == VALID):
        return ()
    found: list[tuple[int, int]] = []
    for region in regions:
        found.extend(
            (match.start, match.end)
            for match in _numbering_plans().PhoneNumberMatcher(run, region, leniency)
            if len(DIGIT.findall(match.raw_string)) >= PHONE_DIGITS_MIN
        )
        if found and not DIGIT.search(run[: min(found)[0]] + run[max(end for _, end in found) :]):
            break
    return tuple(found)


@cache
def _numbering_plans() -> Any:  # noqa: ANN401 - a module, imported for the first run of digits
    return import_module("phonenumbers")


def is_told_phone(text: str, start: int, told_ends: list[int]) -> bool:
    index = bisect_right(told_ends, start)
    return bool(index) and start - told_ends[index - 1] <= PHONE_CONTEXT_LENGTH_MAX


# What stands at the edge of a price, a path, a name in code or a part of something longer.
EDGE_BEFORE: Final = tuple("-/_#$€£=.,")
EDGE_AFTER: Final = tuple("-/_%$€£=:")
LETTER_AFTER: Final = lazy_pattern(r"[A-Za-z0-9_]")


def is_phone(text: str, start: int, end: int, *, told: bool) -> bool:
    """A numbering plan knows digits, not dates, prices, books or the number of an order."""
    raw = text[start:end]
    if CALENDAR.match(raw) or NUMBERED_BY_YEAR.fullmatch(raw) or ipv4(raw):
        return False
    if SECONDS.fullmatch(raw) and CLOCK_BEFORE.search(text[max(0, start - CLOCK_LENGTH) : start]):
        return False
    after = text[end : end + 1]
    edged = text[max(0, start - 1) : start] in EDGE_BEFORE or after in EDGE_AFTER
    if edged or LETTER_AFTER.match(after):
        return False
    if raw[0] != "+" and THING_BEFORE.search(text[max(0, start - THING_LENGTH_MAX) : start]):
        return False
    return told or not (is_lookalike(raw) or is_part(text, start, end))


def is_lookalike(raw: str) -> bool:
    """Ten digits in a row are a telephone number in some country and an order number in all."""
    return raw.isdigit() or any(
        form.fullmatch(raw) for form in (AMOUNT, BOOK, COORDINATES, SMALL_NUMBERS)
    )


def is_part(text: str, start: int, end: int) -> bool:
    """Whether more digits follow behind the same mark that joins the number's own groups."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    begins = text[start] in "+("  # it opens by itself, whatever stands before it
    joined_before = not begins and before[:1].isdigit() and before[-1] in text[start:end]
    return joined_before or (after[-1:].isdigit() and after[0] in text[start:end])

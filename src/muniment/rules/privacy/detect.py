"""Secrets and personal data in a text: where they stand, and how much harm their loss would do."""

import hashlib
import ipaddress
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

import msgspec
import phonenumbers
import stdnum
from phonenumbers import Leniency, PhoneNumberMatcher
from stdnum import iban, luhn
from stdnum.de import idnr
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.in_ import aadhaar, pan

from muniment.model.unicode14 import is_printable, is_small, known
from muniment.rules.privacy.needs import rules_for
from muniment.rules.privacy.patterns import (
    EVERY_RULE,
    PHONE_TOLD,
    PHONE_VALID,
    Category,
    Risk,
    Rule,
)

# Longer text is refused, not skimmed: the work stays bounded and nothing goes through unread.
TEXT_LENGTH_MAX = 32_768
# Raised by hand when a check or the search changes without the table changing.
LOGIC_REVISION = 2
VETO_LENGTH_MAX = 24
PHONE_DIGITS_MIN = 7
# "call her on her new work line:" fits between the word and the number; the next sentence does not.
PHONE_CONTEXT_LENGTH_MAX = 40
# A run this long was cut, so the search steps back by more than the longest number.
PHONE_RUN_LENGTH_MAX = 98
PHONE_LENGTH_MAX = 22
# Fifteen digits, each on its own: a longer row with one kind of mark is a table, not a number.
PHONE_SPACED_LENGTH_MAX = 30


class PrivacyFinding(msgspec.Struct, frozen=True, kw_only=True):
    category: Category
    kind: str
    risk: Risk
    rule: str
    start: int
    end: int


def detect(
    text: str, *, regions: tuple[str, ...] = ("US", "GB", "DE", "FR", "IN")
) -> tuple[PrivacyFinding, ...]:
    """Every secret and every piece of personal data, in order, never overlapping."""
    if len(text) > TEXT_LENGTH_MAX:
        raise ValueError(f"a text of {len(text)} code points is longer than {TEXT_LENGTH_MAX}")
    text = known(text)
    digits = len(DIGIT.findall(text))
    found: list[PrivacyFinding] = []
    for rule in rules_for(text.lower()):
        if digits >= rule.digits_min:
            found.extend(spans(rule, text))
    if digits >= PHONE_DIGITS_MIN:
        found.extend(phones(text, regions))
    return settled(found, len(text), text) if found else ()


# ---- the search ----------------------------------------------------------------------------------

DIGIT = re.compile(r"\d")
WORD = re.compile(r"\w")
FREE = re.compile(rb"\x00+")


def finding(rule: Rule, start: int, end: int) -> PrivacyFinding:
    return PrivacyFinding(
        category=rule.category, kind=rule.kind, risk=rule.risk, rule=rule.id, start=start, end=end
    )


def spans(rule: Rule, text: str) -> Iterator[PrivacyFinding]:
    group = "value" if "value" in rule.pattern.groupindex else 0
    check = CHECKS.get(rule.check, len)
    at = 0
    while match := rule.pattern.search(text, at):
        start = match.start(group)
        size = check(match[group])
        before = text[max(0, start - VETO_LENGTH_MAX) : start]
        if size and not (rule.veto and rule.veto.search(before)):
            yield finding(rule, start, start + size)
            at = start + size
        else:
            # A refused candidate must not hide a real one that begins inside it.
            at = match.start() + 1


def phones(text: str, regions: tuple[str, ...]) -> Iterator[PrivacyFinding]:
    told_ends = [match.end() for match in PHONE_TOLD.pattern.finditer(text)]
    at = 0
    while run := PHONE_VALID.pattern.search(text, at):
        told = is_told_phone(text, run.start(), told_ends)
        rule = PHONE_TOLD if told else PHONE_VALID
        for start, end in numbers(run[0], regions, Leniency.POSSIBLE if told else Leniency.VALID):
            if is_phone(text, run.start() + start, run.start() + end, told=told):
                yield finding(rule, run.start() + start, run.start() + end)
        cut = len(run[0]) > PHONE_RUN_LENGTH_MAX
        at = run.end() - PHONE_LENGTH_MAX if cut else run.end()


def numbers(run: str, regions: tuple[str, ...], leniency: int) -> list[tuple[int, int]]:
    """What the numbering plans make of a run, stopping when every digit is spoken for."""
    marks = set(run) - set("0123456789")
    endless = len(run) > PHONE_SPACED_LENGTH_MAX and len(marks) <= 1 and "+" not in marks
    digits = len(DIGIT.findall(CALENDAR.sub("", run, count=1)))
    if digits < PHONE_DIGITS_MIN or (endless and leniency == Leniency.VALID):
        return []
    found: list[tuple[int, int]] = []
    for region in regions:
        found.extend(
            (match.start, match.end)
            for match in PhoneNumberMatcher(run, region, leniency)
            if len(DIGIT.findall(match.raw_string)) >= PHONE_DIGITS_MIN
        )
        if found and not DIGIT.search(run[: min(found)[0]] + run[max(end for _, end in found) :]):
            break
    return found


# A number of something else stands between: an order, a ticket, a part.
THING = re.compile(
    r"(?i)\b(?:order|invoice|ticket|case|part|model|serial|tracking|account|reference|ref|isbn|id|"
    r"sku|version|build|commit|issue|item|parcel|room|population|rechnung|bestellung|commande)\b"
)


def is_told_phone(text: str, start: int, told_ends: list[int]) -> bool:
    index = bisect_right(told_ends, start)
    if not index or start - told_ends[index - 1] > PHONE_CONTEXT_LENGTH_MAX:
        return False
    return not THING.search(text[told_ends[index - 1] : start])


CALENDAR = re.compile(
    r"(?:19|20)[0-9]{2}[-/. ][0-9]{1,2}[-/. ][0-9]{1,2}(?![0-9-])"
    r"|[0-9]{1,2}[-/.][0-9]{1,2}[-/.](?:19|20)[0-9]{2}(?![0-9])|(?:19|20)[0-9]{2}[-\u2013/](?:19|20)[0-9]{2}"
)
AMOUNT = re.compile(r"[1-9][0-9]{0,2}(?:[ .][0-9]{3}){2,4}|[1-9][0-9]{0,15}\.[0-9]{1,15}")
BOOK = re.compile(r"97[89][ -]?[0-9]{1,5}[ -][0-9 -]{7,12}")
BEFORE_A_THING = "-/_#$€£=.,"
AFTER_A_THING = "-/_%$€£=:"


def is_phone(text: str, start: int, end: int, *, told: bool) -> bool:
    """A numbering plan knows digits, not dates, prices, books or the tail of an identifier."""
    raw = text[start:end]
    if CALENDAR.match(raw) or ipv4(raw):
        return False
    if text[max(0, start - 1) : start] in tuple(BEFORE_A_THING):
        return False
    after = text[end : end + 1]
    if after in tuple(AFTER_A_THING) or (after and WORD.match(after)):
        return False
    # Ten digits in a row are a telephone number in some country and an order number in all.
    lookalike = raw.isdigit() or AMOUNT.fullmatch(raw) or BOOK.fullmatch(raw)
    return told or not (lookalike or is_part(text, start, end))


def is_part(text: str, start: int, end: int) -> bool:
    """Whether more digits follow behind the same mark that joins the number's own groups."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    begins = text[start] in "+("  # it opens by itself, whatever stands before it
    joined_before = not begins and before[:1].isdigit() and before[-1] in text[start:end]
    return joined_before or (after[-1:].isdigit() and after[0] in text[start:end])


# ---- one answer per code point -------------------------------------------------------------------


def settled(found: list[PrivacyFinding], length: int, text: str) -> tuple[PrivacyFinding, ...]:
    """The first in rank keeps its whole span; what others claim beyond it stays flagged."""
    taken = bytearray(length)
    kept: list[PrivacyFinding] = []
    for each in sorted(found, key=rank):
        free = [match.span() for match in FREE.finditer(bytes(taken[each.start : each.end]))]
        for start, end in [(each.start + left, each.start + right) for left, right in free]:
            uncut = (start, end) == (each.start, each.end)
            if uncut or WORD.search(text, start, end):
                kept.append(msgspec.structs.replace(each, start=start, end=end))
                taken[start:end] = b"\x01" * (end - start)
    return tuple(sorted(kept, key=lambda each: each.start))


def rank(each: PrivacyFinding) -> tuple[int, int, int, str]:
    """Secrets first, then the earlier, then the longer, then the rule: no two findings tie."""
    return (int(each.category == "pii"), each.start, -each.end, each.rule)


# ---- checks: how many leading code points of a candidate are the real thing; nought, none --------

# What follows "password is" or "password:" when people talk about one and do not tell it.
PROSE = (
    "a about above admin always an and another argon2 argon2id as at auto bad base64 bcrypt be "
    "because been before below blank bool boolean both but by case case-sensitive common correct "
    "default different easy either empty enough every false field fine for forgotten from given "
    "going gone good hard hash hers hidden his how i if ill in incorrect insecure int invalid it "
    "its just kept known less like long longer lost made mandatory many maybe md5 me mine minimum "
    "missing more most must my n/a never new nil no none not nothing now null oauth2 object of "
    "off ok okay old on only optional or our ours out over pbkdf2 personal plain plaintext please "
    "poor private probably public quite read really requirement requirements right safe same "
    "secret secure see sent set sha1 sha256 sha512 shared short simple so some something stale "
    "still str string strong temporary text than that the their theirs there this to too true "
    "type undefined under unique unknown up upon used usually utf8 valid very void was weak what "
    "when where which who why with within without wrong yes your yours "
)
PROSE_WORDS = frozenset(PROSE.split())
PROSE_ENDINGS = ("ed", "ing", "able", "ible", "ly", "less")
PLACEHOLDER = re.compile(
    r"\$\{?[A-Z_][A-Z0-9_]{0,63}\}?|\{.{0,128}|%\(?[a-z_]{0,32}\)?s|\[[A-Za-z][\w :.-]{0,62}\]?"
    r"|[*•.…_xX-]{2,128}|\d{1,3}[-\u2013]\d{1,3}"
)
CODE = re.compile(r"[A-Za-z_.]{1,64}(?:[(\[{]|\([^()]{0,80}\)|\[[^\[\]]{0,80}\])")
NAME_IN_CODE = re.compile(
    r"[A-Za-z_]{1,64}[._][A-Za-z_.]{1,64}|(?i:passw(?:or)?d|pwd|secret|token|key)"
)
QUOTES = "\"'`“”\u2018\u2019"
TAIL = ".,;:)" + QUOTES
PASSWORD_LENGTH_MIN = 4
RANDOM_LENGTH_MIN = 6
LONG_RANDOM_LENGTH_MIN = 20


def bare(value: str) -> str:
    return value.strip(QUOTES).rstrip(TAIL)


def kept_length(value: str) -> int:
    return len(value) if value[0] in QUOTES else len(value.rstrip(TAIL))


def is_told(word: str) -> bool:
    """Whether a word after "password" can be the password itself."""
    if len(word) < PASSWORD_LENGTH_MIN or word.lower() in PROSE_WORDS:
        return False
    return not (PLACEHOLDER.fullmatch(word) or CODE.fullmatch(word))


def assigned_password(value: str) -> int:
    word = bare(value)
    quoted = value[0] in QUOTES
    told = is_told(word) and (quoted or not NAME_IN_CODE.fullmatch(word))
    return kept_length(value) if told else 0


def stated_password(value: str) -> int:
    word = bare(value)
    plain = word.isalpha() and word.islower() and value[0] not in QUOTES
    if not is_told(word) or (plain and word.endswith(PROSE_ENDINGS)):
        return 0
    return kept_length(value)


def random_looking(value: str) -> int:
    """A key must look drawn, not spoken: letters with digits, or long and of mixed case."""
    word = bare(value)
    if len(word) < RANDOM_LENGTH_MIN or not is_printable(word) or not is_told(word):
        return 0
    lower = any(map(is_small, word))
    upper = any(letter.isupper() for letter in word)
    digit = any(letter.isdigit() for letter in word)
    mixed = lower and upper and len(word) >= LONG_RANDOM_LENGTH_MIN and word.isascii()
    drawn = (digit and (lower or upper)) or (mixed and not NAME_IN_CODE.fullmatch(word))
    return kept_length(value) if drawn else 0


# Prefix and lengths of each card brand: a checksum alone lets every tenth order number through.
CARD_BRANDS: tuple[tuple[re.Pattern[str], tuple[int, ...]], ...] = (
    (re.compile(r"4"), (13, 16, 19)),
    (re.compile(r"5[1-5]|2[2-7]"), (16,)),
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"3[0689]"), (14, 16)),
    (re.compile(r"35"), (16,)),
    (re.compile(r"2131|1800"), (15,)),
    (re.compile(r"6"), (16, 19)),
    (re.compile(r"50|5[6-8]|6304|639|67|0604"), (12, 13, 16, 18, 19)),
)
# The shortest are never written in groups; in groups, they are a part of something longer.
CARD_LENGTH_MIN = 12


def card(value: str) -> int:
    digits = re.sub(r"[^0-9]", "", value)
    lengths = {size for brand, sizes in CARD_BRANDS if brand.match(digits) for size in sizes}
    if not lengths:
        return 0
    size = count = 0
    for end, letter in enumerate(value, 1):
        count += letter.isdigit()
        at_end = value[end : end + 1] in ("", " ", "-") and letter.isdigit()
        fits = count in lengths and (count > CARD_LENGTH_MIN or value[:end].isdigit())
        if at_end and fits and len(set(digits)) > 1 and luhn.is_valid(digits[:count]):
            size = end
    return size


IBAN_LENGTH_MIN = 15


def bank_account(value: str) -> int:
    # Words may follow: every end of a group is tried, the longest first.
    for end in range(len(value), IBAN_LENGTH_MIN - 1, -1):
        if value[end : end + 1] not in ("", " ", "-"):
            continue
        # National check digits are not asked for: a mistyped account is still somebody's account.
        if iban.is_valid(value[:end], check_country=False):
            return end
    return 0


def whole(is_valid: Callable[[str], bool]) -> Callable[[str], int]:
    return lambda value: len(value) if is_valid(value) else 0


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


CHECKS: dict[str, Callable[[str], int]] = {
    "assigned_password": assigned_password,
    "bank_account": bank_account,
    "british_health_id": whole(nhs.is_valid),
    "card": card,
    "french_id": whole(nir.is_valid),
    "german_tax_id": whole(idnr.is_valid),
    "indian_id": whole(aadhaar.is_valid),
    "indian_tax_id": whole(pan.is_valid),
    "ipv4": ipv4,
    "ipv6": ipv6,
    "random_looking": random_looking,
    "stated_password": stated_password,
}


def fingerprint() -> str:
    """One short name for all that decides what is found: rules, words, and the data of others."""
    rows = [
        f"{rule.id}|{rule.category}|{rule.kind}|{rule.risk}|{rule.form}"
        f"|{rule.flags}|{rule.needs}|{rule.digits_min}|{rule.check}"
        f"|{rule.veto.pattern if rule.veto else ''}"
        for rule in sorted(EVERY_RULE, key=lambda rule: rule.id)
    ]
    parts = [
        *rows,
        *sorted(PROSE_WORDS),
        f"logic {LOGIC_REVISION}",
        f"phonenumbers {phonenumbers.__version__}",
        f"stdnum {stdnum.__version__}",
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


DETECTOR_VERSION: str = fingerprint()

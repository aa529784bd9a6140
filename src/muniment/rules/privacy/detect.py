"""Detector: secrets and personal data in a text, with position and severity."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec
from typing import Final

import msgspec

from muniment.model.commands.command import TEXT_LENGTH_MAX
from muniment.model.lazy_pattern import lazy_pattern
from muniment.model.lru_cache import LruCache
from muniment.model.struct_copy import copied
from muniment.rules.privacy import number_checks, secret_checks
from muniment.rules.privacy.fold import fold
from muniment.rules.privacy.lookalikes import THING
from muniment.rules.privacy.patterns import EVERY_RULE, rules_for
from muniment.rules.privacy.phone_numbers import PHONE_DIGITS_MIN, phones
from muniment.rules.privacy.rule import (
    DetectFunction,
    DetectionRule,
    OutsideFinding,
    PrivacyFinding,
    finding,
)

# Raised by hand when a check or the search changes without the table changing.
LOGIC_REVISION = 7
VETO_LENGTH_MAX = 40
NAME_LENGTH_MAX = 64  # one word: sessions, profiles and references come again with every turn
NAMES_KEPT = 512
# A word for papers and its number stand this close to each other.
NEAR_BEFORE_MAX = 48
NEAR_AFTER_MAX = 40
# Names in which nothing was found, each with the regions it was read for. In what is not here
# something may be found: no secret is kept.
_CLEAN = LruCache[tuple[str, tuple[str, ...]], bool](NAMES_KEPT)
_VERSION = lazy_pattern(r"^__version__ = ['\"]([^'\"]+)['\"]$", re.MULTILINE)


class TextTooLongError(ValueError):
    """A text is longer than the detector reads; this says nothing about what stands in it."""


def detect(
    text: str, *, regions: tuple[str, ...] = ("US", "GB", "DE", "FR", "IN")
) -> tuple[PrivacyFinding, ...]:
    """Every secret and every piece of personal data, in order, never overlapping.

    Longer text is refused, not skimmed: the work stays bounded and nothing goes through unread.
    """
    if len(text) > TEXT_LENGTH_MAX:
        raise TextTooLongError(
            f"a text of {len(text)} code points is longer than {TEXT_LENGTH_MAX}"
        )
    is_name = len(text) <= NAME_LENGTH_MAX and " " not in text
    if is_name and _CLEAN.get((text, regions)):
        return ()
    found = _detected(text, regions)
    if is_name and not found:
        _CLEAN.put((text, regions), True)  # noqa: FBT003
    return found


def _detected(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
    folded = fold(text)
    seen = folded.text
    digits = len(DIGIT.findall(seen))
    found: list[PrivacyFinding] = []
    for rule in rules_for(seen.lower(), digits):
        found.extend(spans(rule, seen))
    if digits >= PHONE_DIGITS_MIN:
        found.extend(phones(seen, regions))
    return merged([moved(each, *folded.span(each.start, each.end)) for each in found], text)


def merged(found: Sequence[PrivacyFinding], text: str) -> tuple[PrivacyFinding, ...]:
    """What several have found in one text, in order, never overlapping."""
    return settled(found, len(text), text) if found else ()


def moved(each: PrivacyFinding, start: int, end: int) -> PrivacyFinding:
    if (each.start, each.end) == (start, end):
        return each
    return msgspec.structs.replace(each, start=start, end=end)


# ---- the search ----------------------------------------------------------------------------------

DIGIT = lazy_pattern(r"[0-9]")
WORD = lazy_pattern(r"\w")
FREE = lazy_pattern(rb"\x00+")
# "… is my passport number", "… (SIN)": what may stand between a number and the word after it.
JOINED_AFTER = lazy_pattern(
    r"(?i)\s?[(,]\s?|\s(?:is|was|ist|war|est|es|è|é|это|είναι)\s[^0-9.!?\n]{0,20}"
)


def spans(rule: DetectionRule, text: str) -> Iterator[PrivacyFinding]:
    group = "value" if "value" in rule.pattern.groupindex else 0
    check = checked_by(rule.check)
    at = 0
    while match := rule.pattern.search(text, at):
        start = match.start(group)
        size = check(match[group])
        before = text[max(0, start - VETO_LENGTH_MAX) : start]
        vetoed = rule.veto and rule.veto.search(before)
        if size and not vetoed and (not rule.near or is_near(rule, text, start, start + size)):
            yield finding(rule, start, start + size)
            at = start + size
        else:
            # A refused candidate must not hide a real one that begins inside it.
            at = match.start() + 1


def is_near(rule: DetectionRule, text: str, start: int, end: int) -> bool:
    """Whether a number is told to be one of somebody's papers, by a word before or behind it."""
    before = text[max(0, start - NEAR_BEFORE_MAX) : start]
    if THING.search(before):
        return False
    if rule.near_words.search(before):
        return True
    after = text[end : end + NEAR_AFTER_MAX]
    word = rule.near_words.search(after)
    return word is not None and JOINED_AFTER.fullmatch(after, 0, word.start()) is not None


def checked_by(name: str) -> Callable[[str], int]:
    if name.startswith("stdnum."):
        return number_checks.stdnum_check(name)
    return CHECKS[name]


# ---- one answer per code point -------------------------------------------------------------------


def settled(found: Sequence[PrivacyFinding], length: int, text: str) -> tuple[PrivacyFinding, ...]:
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


CHECKS: dict[str, Callable[[str], int]] = {
    "": len,
    "assigned_password": secret_checks.assigned_password,
    "assigned_phrase": secret_checks.assigned_phrase,
    "bank_account": number_checks.bank_account,
    "card": number_checks.card,
    "card_in_groups": number_checks.card_in_groups,
    "drawn_password": secret_checks.drawn_password,
    "ipv4": number_checks.ipv4,
    "ipv6": number_checks.ipv6,
    "other_letters": secret_checks.other_letters,
    "random_looking": secret_checks.random_looking,
    "said_password": secret_checks.said_password,
    "stated_password": secret_checks.stated_password,
    "stated_phrase": secret_checks.stated_phrase,
    "stated_words": secret_checks.stated_words,
    "recovery_code": secret_checks.recovery_code,
    **number_checks.IDENTITY_CHECKS,
}


@cache
def detector_version() -> str:
    """One short name for all that decides what is found: rules, words, and the data of others."""
    rows = [
        f"{rule.id}|{rule.category}|{rule.kind}|{rule.risk}|{rule.form}"
        f"|{rule.flags}|{rule.needs}|{rule.digits_min}|{rule.check}"
        f"|{rule.near}|{rule.veto.pattern if rule.veto else ''}"
        for rule in sorted(EVERY_RULE, key=lambda rule: rule.id)
    ]
    parts = [
        *rows,
        *sorted(secret_checks.PROSE_WORDS),
        *(",".join(sorted(words)) for words in (secret_checks.TALK, secret_checks.JOINING)),
        f"logic {LOGIC_REVISION}",
        *(f"{package} {_version(package)}" for package in ("phonenumbers", "stdnum")),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _version(package: str) -> str:
    """What a package calls its version, read of its source: most texts need nothing else of it."""
    spec = find_spec(package)
    loader = spec.loader if spec else None
    source = loader.get_source(package) if isinstance(loader, SourceFileLoader) else None
    told = _VERSION.search(source or "")
    return told[1] if told else str(import_module(package).__version__)


# ---- a detector of somebody else's ---------------------------------------------------------------

KIND: Final = lazy_pattern(r"[a-z][a-z0-9_]{0,31}")
NAME: Final = lazy_pattern(r"[A-Za-z0-9][A-Za-z0-9._:@/-]{0,63}")
HIDDEN: Final = "*"


def joint_version(name: str) -> str:
    """Who looked at a command, as the log tells it."""
    return f"{detector_version()}+{name}" if name else detector_version()


def joined(name: str, find: Callable[[str], Sequence[OutsideFinding]]) -> DetectFunction:
    """The rules, and beside them somebody who is shown no secret that the rules have found.

    What it answers wrongly is an error, and whoever screens refuses what could not be looked at.
    """

    def look(text: str, regions: tuple[str, ...]) -> tuple[PrivacyFinding, ...]:
        own = detect(text, regions=regions)
        told = find(without_secrets(text, own))
        return merged((*own, *(_checked(name, each, text) for each in told)), text)

    return look


def without_secrets(text: str, found: Sequence[PrivacyFinding]) -> str:
    """The text with a mark for every letter of a secret, each character in its place."""
    for each in found:
        if each.category == "secret":
            text = text[: each.start] + HIDDEN * (each.end - each.start) + text[each.end :]
    return text


def _checked(name: str, told: OutsideFinding, text: str) -> PrivacyFinding:
    if not KIND.fullmatch(told.kind) or told.risk not in ("high", "medium", "low"):
        raise ValueError(f"{name}: a kind is a word of small letters, a risk high, medium or low")
    if not 0 <= told.start < told.end <= len(text):
        raise ValueError(f"{name}: a finding stands outside of the text")
    return copied(PrivacyFinding, told, category="pii", rule=f"outside.{name}.{told.kind}")

"""Detection rules: the list of all, and which could apply to a text."""

from functools import cache
from typing import Final

from muniment.model.lazy_pattern import lazy_pattern
from muniment.rules.privacy.national_ids import IDENTITY_RULES
from muniment.rules.privacy.personal_data import PERSONAL_RULES
from muniment.rules.privacy.phone_numbers import PHONE_TOLD, PHONE_VALID
from muniment.rules.privacy.rule import DetectionRule
from muniment.rules.privacy.spoken_secrets import SPOKEN_RULES
from muniment.rules.privacy.told_aside import TOLD_ASIDE_RULES
from muniment.rules.privacy.vendor_keys import VENDOR_RULES

RULES: tuple[DetectionRule, ...] = (
    *VENDOR_RULES,
    *SPOKEN_RULES,
    *TOLD_ASIDE_RULES,
    *PERSONAL_RULES,
    *IDENTITY_RULES,
)
EVERY_RULE: tuple[DetectionRule, ...] = (*RULES, PHONE_VALID, PHONE_TOLD)

# ---- most rules need a word or digits, and most texts hold none ----------------------------------

_SIGN = lazy_pattern(r"[^a-z ]|$")
Needs = tuple[tuple[str, tuple[tuple[str, tuple[DetectionRule, ...]], ...]], ...]
# Texts with no digit, with a few (a day, a price), and with enough for a number of somebody's.
FEW_DIGITS: Final = 4
MANY_DIGITS: Final = 1 << 20


def rules_for(lowered: str, digits: int) -> list[DetectionRule]:
    """The rules to try on a text in lower case that holds so many digits."""
    bucket = 0 if not digits else FEW_DIGITS if digits <= FEW_DIGITS else MANY_DIGITS
    needing, always = _candidates(bucket, is_ascii=lowered.isascii())
    wanted: dict[str, DetectionRule] = {}
    for sign, needs in needing:
        if sign in lowered:
            for need, rules in needs:
                if need in lowered:
                    wanted |= {rule.id: rule for rule in rules}
    return [rule for rule in (*wanted.values(), *always) if digits >= rule.digits_min]


def _needing(rules: tuple[DetectionRule, ...], *, is_ascii: bool) -> Needs:
    """Who needs what, under a sign that stands in it: where that is not, no need is.

    What is all letters stands under nothing, which is in every text.
    """
    found: dict[str, dict[str, tuple[DetectionRule, ...]]] = {}
    for rule in rules:
        for need in rule.needs:
            if need.isascii() or not is_ascii:
                under = found.setdefault(_SIGN.findall(need)[0], {})
                under[need] = (*under.get(need, ()), rule)
    return tuple((sign, tuple(needs.items())) for sign, needs in found.items())


@cache
def _candidates(digits: int, *, is_ascii: bool) -> tuple[Needs, tuple[DetectionRule, ...]]:
    possible = tuple(rule for rule in RULES if rule.digits_min <= digits)
    return _needing(possible, is_ascii=is_ascii), tuple(each for each in possible if not each.needs)

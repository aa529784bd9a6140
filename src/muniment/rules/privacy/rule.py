"""Detection rule: the type of one rule, and of its findings."""

import re
from collections.abc import Callable
from functools import cached_property
from typing import Final, Literal

import msgspec

Category = Literal["secret", "pii"]
Risk = Literal["high", "medium", "low"]
AS_WRITTEN, ANY_CASE = int(re.UNICODE), int(re.UNICODE | re.IGNORECASE)
# How much harm the loss of each kind does; what is not named here does the most.
RISKS: Final[dict[str, Risk]] = {
    "email": "medium",
    "phone": "medium",
    "date_of_birth": "medium",
    "ip": "low",
}


class PrivacyFinding(msgspec.Struct, frozen=True, kw_only=True):
    category: Category
    kind: str
    risk: Risk
    rule: str
    start: int
    end: int


DetectFunction = Callable[[str, tuple[str, ...]], tuple[PrivacyFinding, ...]]


class OutsideFinding(msgspec.Struct, frozen=True, kw_only=True):
    """Where something personal stands in a text, what it is, and the harm of its loss."""

    kind: str
    start: int
    end: int
    risk: Risk = "medium"


class DetectionRule(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One row. The span is the group `value` where the pattern has one, else the whole match."""

    id: str
    category: Category
    kind: str
    risk: Risk
    form: str  # the pattern as it is written
    flags: int = AS_WRITTEN
    needs: tuple[str, ...] = ()  # lower case; without one of them the pattern cannot match
    digits_min: int = 0  # a text with fewer digits cannot match
    check: str = ""  # the name of the check that confirms a candidate
    near: str = ""  # words of which one must stand close by, as a pattern
    veto: re.Pattern[str] | None = None  # searched in the few code points before the match

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled for the first text that holds its signs: few rules ever meet one."""
        return re.compile(self.form, self.flags)

    @cached_property
    def near_words(self) -> re.Pattern[str]:
        return re.compile(self.near, ANY_CASE)


def finding(rule: DetectionRule, start: int, end: int) -> PrivacyFinding:
    return PrivacyFinding(
        category=rule.category, kind=rule.kind, risk=rule.risk, rule=rule.id, start=start, end=end
    )


def secret(
    name: str, kind: str, form: str, needs: tuple[str, ...], check: str = ""
) -> DetectionRule:
    """A secret told in words: any case, one of the words, and a check on what follows."""
    return DetectionRule(
        id=f"secret.{name}",
        category="secret",
        kind=kind,
        risk="high",
        form=form,
        flags=ANY_CASE,
        needs=needs,
        check=check,
    )


def personal(
    name: str,
    form: str,
    *,
    digits: int = 0,
    needs: tuple[str, ...] = (),
    check: str = "",
    near: str = "",
    veto: re.Pattern[str] | None = None,
) -> DetectionRule:
    """A piece of personal data; its kind is the first word of its name."""
    kind = name.partition(".")[0]
    return DetectionRule(
        id=f"pii.{name}",
        category="pii",
        kind=kind,
        risk=RISKS.get(kind, "high"),
        form=form,
        flags=ANY_CASE if form.startswith("(?i)") else AS_WRITTEN,
        needs=needs,
        digits_min=digits,
        check=check,
        near=near,
        veto=veto,
    )

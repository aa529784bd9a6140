"""Retention periods by hand: which day or month a record is of, and when that goes."""

import pytest

from muniment.model.policy import Governance, Policy
from muniment.model.policy.keep_days import KeepDays
from muniment.rules import retention_periods

AT = "2026-03-05T10:00:00.000Z"
DAILY = Policy(keep_days=KeepDays(sentences=100), governance=Governance(retention_epochs=10))


@pytest.mark.parametrize(
    ("asked", "at", "policy", "period"),
    [
        ("remember", AT, DAILY, "sentences/2026-03-05"),
        ("memorize", AT, DAILY, "memos/2026-03"),
        ("remember", "", DAILY, ""),
        ("adopt_policy", AT, DAILY, ""),
    ],
)
def test_a_record_is_of_a_day_where_days_count_else_of_a_month_or_is_kept_for_good(
    asked: str, at: str, policy: Policy, period: str
) -> None:
    assert retention_periods.period(asked, at, policy) == period


@pytest.mark.parametrize(
    ("named", "day"),
    [
        ("sentences/2026-03-05", "2026-06-13"),
        ("sentences/2026-01", "2026-05-11"),  # counted from the last day of the month
        ("sentences/2026-09", "2027-01-08"),
        ("sentences/2026-10", "2027-02-08"),
        ("sentences/2026-11", "2027-03-10"),
        ("sentences/2026-12", "2027-04-10"),
        ("memos/2026-12", ""),
    ],
)
def test_a_period_goes_so_many_days_after_its_last_one(named: str, day: str) -> None:
    assert retention_periods.goes_on(named, DAILY) == day


def test_nothing_goes_before_the_legal_retention_is_over() -> None:
    held = Policy(keep_days=KeepDays(sentences=1), governance=Governance(retention_epochs=10))

    assert retention_periods.goes_on("sentences/2026-03-05", held) == "2026-03-15"


def test_the_end_of_what_stays_stays_and_so_does_the_end_of_that() -> None:
    ends = [("kept", "a"), ("a", "b"), ("b", "c"), ("d", "d")]

    assert retention_periods.waiting({"a", "b", "c", "d"}, ends) == {"a", "b", "c"}

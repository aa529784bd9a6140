"""Rules of the detector by hand: how a row is made, and what it says of a place in a text."""

import re

from muniment.rules.privacy.rule import (
    ANY_CASE,
    AS_WRITTEN,
    DetectionRule,
    PrivacyFinding,
    finding,
    personal,
    secret,
)


def test_a_rule_of_a_secret_is_told_in_any_case_and_does_the_most_harm() -> None:
    rule = secret("wifi", "password", "wifi (?P<value>x)", ("wifi", "wlan"), "strong")

    assert rule == DetectionRule(
        id="secret.wifi",
        category="secret",
        kind="password",
        risk="high",
        form="wifi (?P<value>x)",
        flags=ANY_CASE,
        needs=("wifi", "wlan"),
        check="strong",
    )
    assert secret("a", "b", "c", ()).check == ""
    assert rule.pattern.search("my WIFI X")


def test_a_rule_of_personal_data_is_told_as_written_and_is_of_the_first_word_of_its_name() -> None:
    veto = re.compile("not")

    rule = personal(
        "email.plain", "a@b", digits=2, needs=("@",), check="mail", near="write", veto=veto
    )

    assert rule == DetectionRule(
        id="pii.email.plain",
        category="pii",
        kind="email",
        risk="medium",
        form="a@b",
        flags=AS_WRITTEN,
        needs=("@",),
        digits_min=2,
        check="mail",
        near="write",
        veto=veto,
    )
    assert not rule.pattern.search("A@B")
    assert rule.near_words.search("please WRITE")


def test_a_rule_of_personal_data_asks_for_nothing_that_it_is_not_given() -> None:
    rule = personal("passport", "(?i)pass")

    assert rule == DetectionRule(
        id="pii.passport",
        category="pii",
        kind="passport",
        risk="high",
        form="(?i)pass",
        flags=ANY_CASE,
        needs=(),
        digits_min=0,
        check="",
        near="",
        veto=None,
    )


def test_the_harm_of_a_loss_is_that_of_its_kind() -> None:
    kinds = ("email", "phone", "date_of_birth.long", "ip.v6", "card")

    assert [personal(each, "x").risk for each in kinds] == [
        "medium",
        "medium",
        "medium",
        "low",
        "high",
    ]


def test_a_finding_names_its_rule_and_its_place() -> None:
    assert finding(personal("email.plain", "x"), 3, 9) == PrivacyFinding(
        category="pii", kind="email", risk="medium", rule="pii.email.plain", start=3, end=9
    )

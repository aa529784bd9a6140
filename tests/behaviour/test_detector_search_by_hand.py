"""How a rule is searched, and what is kept where findings meet, case by case."""

import re
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

import pytest

from muniment.model.commands.command import TEXT_LENGTH_MAX
from muniment.rules.privacy import detect as detector
from muniment.rules.privacy import national_ids, number_checks, secret_checks, vendor_keys
from muniment.rules.privacy.lookalikes import THING_BEFORE
from muniment.rules.privacy.rule import (
    DetectionRule,
    OutsideFinding,
    PrivacyFinding,
    Risk,
    personal,
    secret,
)
from muniment.rules.privacy.spoken_secrets import nouns


def found(rule: DetectionRule, text: str) -> list[str]:
    return [text[each.start : each.end] for each in detector.spans(rule, text)]


def at(start: int, end: int, rule: str = "r", category: str = "pii") -> PrivacyFinding:
    kind = secret if category == "secret" else personal
    own = kind(rule, "k", "x", ()) if kind is secret else personal(rule, "x")
    return PrivacyFinding(
        category=own.category, kind=own.kind, risk=own.risk, rule=own.id, start=start, end=end
    )


def places(text: str, *each: PrivacyFinding) -> list[tuple[int, int, str]]:
    return [(one.start, one.end, one.rule) for one in detector.merged(each, text)]


# ── One rule in one text ────────────────────────────────────────────────────────────────────────


def test_a_refused_candidate_hides_none_that_begins_at_its_second_character() -> None:
    row = personal("row", "[0-9]{16}", check="card")

    assert found(row, "94111111111111111") == ["4111111111111111"]
    assert found(row, "41111111111111114111111111111111") == ["4111111111111111"] * 2


def test_a_word_before_a_number_says_that_it_is_no_such_number() -> None:
    rule = personal("n", "[0-9]{5}", veto=re.compile("order"))

    assert found(rule, "order 12345 or 12346") == []
    assert found(rule, "order" + "." * 35 + "12345") == []
    assert found(rule, "order" + "." * 36 + "12345") == ["12345"]


NEAR = personal("paper", "[0-9]{5}", near="passport")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("12345", False),
        ("passport 12345", True),
        ("Passport 12345", True),
        ("passport" + "." * 40 + "12345", True),
        ("passport" + "." * 41 + "12345", False),
        ("passport for order 12345", False),
        ("order 12345 (passport)", False),
        ("12345 (passport)", True),
        ("12345, passport", True),
        ("12345 is my passport", True),
        ("12345 with passport", False),
        ("12345. My passport", False),
        ("12345 is my old but still quite good passport", False),
        ("in 12345 (passport) and 67890 is my passport", True),
    ],
)
def test_a_number_is_that_of_a_paper_where_a_word_for_it_stands_close_by(
    text: str,
    told: bool,  # noqa: FBT001
) -> None:
    assert bool(found(NEAR, text)) is told


# ── Where findings meet ─────────────────────────────────────────────────────────────────────────


def test_findings_are_told_in_the_order_in_which_they_stand() -> None:
    text = "abcdefghij"

    assert places(text, at(6, 8), at(1, 3, "s", "secret"), at(0, 1)) == [
        (0, 1, "pii.r"),
        (1, 3, "secret.s"),
        (6, 8, "pii.r"),
    ]
    assert places(text, at(7, 9, "s", "secret"), at(0, 2)) == [(0, 2, "pii.r"), (7, 9, "secret.s")]


def test_of_a_finding_what_another_does_not_cover_stays_found_where_it_holds_a_word() -> None:
    over = at(2, 4, "s", "secret")

    assert places("abcdefgh", at(0, 6), over) == [
        (0, 2, "pii.r"),
        (2, 4, "secret.s"),
        (4, 6, "pii.r"),
    ]
    assert places("--cd--gh", at(0, 6), over) == [(2, 4, "secret.s")]
    assert places("-bcd--gh", at(0, 6), over) == [(0, 2, "pii.r"), (2, 4, "secret.s")]
    assert places("--cd-fgh", at(0, 6), over) == [(2, 4, "secret.s"), (4, 6, "pii.r")]
    assert places("--cd--gh", at(0, 2), over) == [(0, 2, "pii.r"), (2, 4, "secret.s")]


def test_the_earlier_wins_then_the_longer_then_the_rule_that_comes_first() -> None:
    assert places("abcdefgh", at(1, 4, "b"), at(0, 3, "c")) == [(0, 3, "pii.c"), (3, 4, "pii.b")]
    assert places("abcdefgh", at(0, 2, "a"), at(0, 3, "b")) == [(0, 3, "pii.b")]
    assert places("abcdefgh", at(0, 3, "b"), at(0, 3, "a")) == [(0, 3, "pii.a")]


def test_what_one_finding_takes_is_free_behind_its_end() -> None:
    assert places("abcdefgh", at(3, 5, "s", "secret"), at(5, 8), at(0, 8, "z")) == [
        (0, 3, "pii.z"),
        (3, 5, "secret.s"),
        (5, 8, "pii.z"),
    ]


def test_a_finding_that_moves_keeps_what_it_is() -> None:
    assert detector.moved(at(1, 2, "a"), 3, 5) == at(3, 5, "a")
    assert detector.moved(at(1, 2, "a"), 1, 5) == at(1, 5, "a")


# ── Texts and versions ──────────────────────────────────────────────────────────────────────────


def test_a_text_of_the_greatest_length_is_read_and_a_longer_one_refused_by_its_length() -> None:
    assert detector.detect(" " * TEXT_LENGTH_MAX) == ()
    with pytest.raises(detector.TextTooLongError) as refused:
        detector.detect(" " * (TEXT_LENGTH_MAX + 1))
    assert str(refused.value) == "a text of 32769 code points is longer than 32768"


def test_seven_digits_are_the_fewest_of_a_telephone_number() -> None:
    assert [each.kind for each in detector.detect("call me on 555-0143")] == ["phone"]
    assert detector.detect("call me on 555-014") == ()


def test_the_version_of_a_package_is_read_of_its_source_and_asked_of_what_has_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told, made = tmp_path / "mun_told.py", tmp_path / "mun_made.py"
    told.write_text("import mun_missing\n__version__ = '9.1'\n")
    made.write_text("__version__ = '.'.join('92')\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "mun_built_in", ModuleType("mun_built_in"))
    sys.modules["mun_built_in"].__spec__ = ModuleSpec("mun_built_in", None)
    monkeypatch.setattr(sys.modules["mun_built_in"], "__version__", 7, raising=False)

    assert [detector._version(each) for each in ("mun_told", "mun_made", "mun_built_in")] == [
        *("9.1", "9.2", "7"),
    ]


def test_who_looked_at_a_command_is_told_by_version_and_name() -> None:
    assert detector.joint_version("") == detector.detector_version()
    assert detector.joint_version("ner-1") == f"{detector.detector_version()}+ner-1"


# ── A detector of somebody else's ───────────────────────────────────────────────────────────────

SAID = "Anna 4111111111111111"


def beside(*told: OutsideFinding) -> tuple[PrivacyFinding, ...]:
    def find(_: str) -> Sequence[OutsideFinding]:
        return told

    return detector.joined("ner", find)(SAID, ("DE",))


@pytest.mark.parametrize("risk", ["high", "medium", "low"])
def test_what_an_outside_detector_finds_is_personal_and_of_its_own_rule(risk: Risk) -> None:
    name, card = beside(OutsideFinding(kind="person", start=0, end=4, risk=risk))

    assert card.rule == "pii.card.bare"
    assert name == PrivacyFinding(
        category="pii", kind="person", risk=risk, rule="outside.ner.person", start=0, end=4
    )
    assert beside(OutsideFinding(kind="all", start=0, end=len(SAID)))[0].kind == "all"


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (OutsideFinding(kind="Person", start=0, end=4), "ner: a kind is a word of small letters"),
        (OutsideFinding(kind="person", start=-1, end=4), "ner: a finding stands outside"),
        (OutsideFinding(kind="person", start=4, end=4), "ner: a finding stands outside"),
        (OutsideFinding(kind="person", start=0, end=22), "ner: a finding stands outside"),
    ],
)
def test_what_an_outside_detector_answers_wrongly_is_said(told: OutsideFinding, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        beside(told)


def test_an_outside_detector_is_asked_beside_the_rules_of_the_regions_that_were_named() -> None:
    look = detector.joined("ner", lambda _: ())

    assert look("2025550143 or 202-555-0143", ("DE",)) == detector.detect(
        "2025550143 or 202-555-0143", regions=("DE",)
    )
    assert detector.detect("or 202-555-0143 here", regions=("US",)) != detector.detect(
        "or 202-555-0143 here", regions=("FR",)
    )
    assert look("or 202-555-0143 here", ("FR",)) == detector.detect(
        "or 202-555-0143 here", regions=("FR",)
    )


def test_a_secret_is_hidden_letter_by_letter_from_an_outside_detector() -> None:
    found = (at(2, 4, "s", "secret"), at(5, 6), at(6, 8, "s", "secret"))

    assert detector.without_secrets("abcdefghij", found) == "ab**ef**ij"


# ── How rows are made ───────────────────────────────────────────────────────────────────────────


def test_a_key_of_a_vendor_is_found_as_it_is_written_and_needs_one_of_its_words() -> None:
    rule = vendor_keys.vendor("age", "a1 a2", "a[12]x", "private_key")

    assert (rule.id, rule.category, rule.kind, rule.risk) == (
        *("secret.age", "secret", "private_key", "high"),
    )
    assert rule.needs == ("a1", "a2")
    assert vendor_keys.vendor("a", "a", "a").kind == "api_key"
    assert found(rule, "a1x ba2x .a2x A1X") == ["a1x", "a2x"]


def test_papers_are_certain_or_near_a_word_for_them() -> None:
    certain = national_ids.certain("x", "[0-9]{5}", "has_digits", digits=4)
    near = national_ids.near("x", "[0-9]{5}", "has_digits", digits=4)
    needs = national_ids.NEEDS["national_id"]

    assert (certain.id, certain.kind, certain.digits_min, certain.check, certain.near) == (
        *("pii.national_id.x", "national_id", 4, "has_digits", ""),
    )
    assert (near.id, near.kind, near.digits_min, near.check) == (
        *("pii.national_id.x", "national_id", 4, "has_digits"),
    )
    assert (certain.needs, near.needs, near.near) == ((), needs, national_ids.IDENTITY)
    for rule in (certain, near):
        assert re.search(rule.form, "a 12345 b")
        assert not re.search(rule.form, "123456")


def test_a_number_that_is_told_needs_the_word_for_its_paper_and_is_no_number_of_a_thing() -> None:
    rule = national_ids._told("passport.x", "passport")

    assert (rule.id, rule.kind, rule.digits_min, rule.check) == (
        *("pii.passport.x", "passport", 5, "told_number"),
    )
    assert (rule.needs, rule.near) == (national_ids.NEEDS["passport"], "")
    assert rule.veto is THING_BEFORE
    assert found(rule, "PASSPORT 1234567") == ["1234567"]


def test_of_several_nouns_the_longest_is_tried_first_and_any_blank_parts_their_words() -> None:
    assert nouns(("a", "cc", "b", "a b")) == r"(?:a\sb|cc|a|b)"


def test_a_check_is_known_by_its_name_or_is_that_of_a_module() -> None:
    assert detector.checked_by("card") is number_checks.card
    assert detector.checked_by("said_password") is secret_checks.said_password
    assert detector.checked_by("")("abc") == 3
    assert detector.checked_by("stdnum.luhn")("79927398713") == 11
    assert detector.checked_by("stdnum.luhn")("79927398710") == 0

"""What each character is folded to, which rules a text is tried by, and what is no telephone."""

import pytest

from muniment.rules.privacy import patterns, phone_numbers
from muniment.rules.privacy.fold import FoldedText, _folded, fold
from muniment.rules.privacy.rule import DetectionRule, personal

# ── Characters ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("letter", "plain"),
    [
        ("\u200b", ""),
        ("\u034f", ""),
        ("\ufe0f", ""),
        ("٣", "3"),
        ("\u2013", "-"),
        ("\u2014", "-"),
        ("\u2212", "-"),
        ("\u30fc", "\u30fc"),
        ("\u00a0", " "),
        ("\u1680", " "),
        (" ", " "),
        ("\u00b4", "\u00b4"),
        ("ａ", "a"),
        ("½", "1\u20442"),
        ("ﬃ", "ffi"),
        ("\u3392", "MHz"),
        ("\ufdfa", "\ufdfa"),
        ("㏂", "㏂"),
        ("x", "x"),
    ],
)
def test_a_character_is_folded_to_a_few_plain_ones_or_to_itself(letter: str, plain: str) -> None:
    assert _folded(letter) == plain


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("plain", FoldedText(text="plain")),
        ("größer", FoldedText(text="größer")),
        ("ａb\u2013c", FoldedText(text="ab-c")),
        ("1\u30fc2\u30fcx", FoldedText(text="1-2\u30fcx")),
        ("\uff93\uff70", FoldedText(text="\u30e2\u30fc")),
        ("aﬃb", FoldedText(text="affib", starts=(0, 1, 1, 1, 2), ends=(1, 2, 2, 2, 3))),
        ("e\u0301x", FoldedText(text="éx", starts=(0, 2), ends=(2, 3))),
        ("a\u200bb", FoldedText(text="ab", starts=(0, 2), ends=(1, 3))),
        ("\u212b\u200b", FoldedText(text="Å", starts=(0,), ends=(1,))),
        ("1\u30fc\u200b2", FoldedText(text="1-2", starts=(0, 1, 3), ends=(1, 2, 4))),
    ],
)
def test_a_folded_text_knows_the_way_back(text: str, folded: FoldedText) -> None:
    assert fold(text) == folded
    assert all(text[slice(*folded.span(n, n + 1))] for n in range(len(folded.text)))


# ── Rules that a text is tried by ───────────────────────────────────────────────────────────────

ALWAYS = personal("always", "x")
TWO = personal("two", "x", needs=("tax", "vat no"))
ABROAD = personal("abroad", "x", needs=("été", "tax"))
MAIL = personal("mail", "x", needs=("@",))
FEW = personal("few", "x", digits=4, needs=("tax",))
MANY = personal("many", "x", digits=7)


@pytest.mark.parametrize(
    ("text", "digits", "rules"),
    [
        ("", 0, [ALWAYS]),
        ("a tax", 0, [TWO, ABROAD, ALWAYS]),
        ("the vat no", 0, [TWO, ALWAYS]),
        ("en été", 0, [ABROAD, ALWAYS]),
        ("été tax", 0, [TWO, ABROAD, ALWAYS]),
        ("a@b", 0, [MAIL, ALWAYS]),
        ("a tax", 3, [TWO, ABROAD, ALWAYS]),
        ("a tax", 4, [TWO, ABROAD, FEW, ALWAYS]),
        ("a tax", 5, [TWO, ABROAD, FEW, ALWAYS]),
        ("a tax", 7, [TWO, ABROAD, FEW, ALWAYS, MANY]),
        ("", 6, [ALWAYS]),
        ("", 7, [ALWAYS, MANY]),
        ("", 1 << 20, [ALWAYS, MANY]),
    ],
)
def test_a_text_is_tried_by_the_rules_whose_signs_it_holds(
    monkeypatch: pytest.MonkeyPatch, text: str, digits: int, rules: list[DetectionRule]
) -> None:
    monkeypatch.setattr(patterns, "RULES", (ALWAYS, TWO, ABROAD, MAIL, FEW, MANY))
    patterns._candidates.cache_clear()
    try:
        found = patterns.rules_for(text, digits)
    finally:
        patterns._candidates.cache_clear()
    assert sorted(each.id for each in found) == sorted(each.id for each in rules)


# ── Telephone numbers ───────────────────────────────────────────────────────────────────────────


def phones(text: str, *regions: str) -> list[tuple[str, str]]:
    found = phone_numbers.phones(text, regions or ("US", "DE"))
    return [(each.rule.removeprefix("pii.phone."), text[each.start : each.end]) for each in found]


US, DE = "202-555-0143", "+49 30 901820"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"She wrote {DE} down", [("valid", DE)]),
        (f"{DE} is it", [("valid", DE)]),
        (f"it is {DE}", [("valid", DE)]),
        (f"call me on {DE}", [("told", DE)]),
        (f"call{' ' * 40}{DE}", [("told", DE)]),
        (f"call{' ' * 41}{DE}", [("valid", DE)]),
        (f"call {DE} or, what is quite another thing here, {US}", [("told", DE), ("valid", US)]),
        ("she wrote 2025550143 down", []),
        ("call me on 2025550143", [("told", "2025550143")]),
        ("call me on 202-555", []),
        ("call me on 2024-01-31 12", []),
        ("call me on 2024-123456", []),
        ("call me on 192.168.100.200", []),
        ("call at 04:53:08.348856123", []),
        (f"call /{DE}", []),
        (f"call ${US}", []),
        (f"call €{US}", []),
        (f"call {US}€", []),
        (f"call {US}%", []),
        (f"call {US}=", []),
        (f"call {US}a", []),
        (f"call {US}_", []),
        (f"call {US}.", [("told", US)]),
        (f"order number {US}", []),
        (f"call me, order number {US}", []),
        (f"order number {DE}", [("valid", DE)]),
        (f"{US} {DE}", [("valid", US), ("valid", DE)]),
        (f"2025550143 or {US}", [("valid", US)]),
        (f"call {US}€ now", []),
        (f"call at 04:53:{US}", [("told", US)]),
        ("call +1 100-555-0143", [("told", "+1 100-555-0143")]),
        ("so +1 100-555-0143", []),
    ],
)
def test_a_telephone_number_is_no_number_of_something_else(
    text: str, found: list[tuple[str, str]]
) -> None:
    assert phones(text) == found


@pytest.mark.parametrize(
    ("raw", "like"),
    [
        ("2025550143", True),
        ("202-555-0143", False),
        ("1 234 567 890", True),
        ("48.137154, 11.576124", True),
        ("978-3-16-148410-0", True),
        ("3 11 19 27 38 42", True),
        (DE, False),
    ],
)
def test_what_looks_like_something_else_is_known(raw: str, like: bool) -> None:  # noqa: FBT001
    assert phone_numbers.is_lookalike(raw) is like


@pytest.mark.parametrize(
    ("text", "raw", "part"),
    [
        (f"so {US} it", US, False),
        (f"7-{US}", US, True),
        (f"x-{US}", US, False),
        (f"7.{US}", US, False),
        (f"{US}-7", US, True),
        (f"{US}.7", US, False),
        (f"{US}-x", US, False),
        (f"7 {DE}", DE, False),
        (f"7 {DE[1:]}", DE[1:], True),
        ("7 (202) 555-0143", "(202) 555-0143", False),
        (f"{DE} 7", DE, True),
        (US, US, False),
        (f"x7-{US}", US, True),
        (f"{US}-7x", US, True),
    ],
)
def test_a_number_that_goes_on_behind_its_own_mark_is_a_part_of_something(
    text: str,
    raw: str,
    part: bool,  # noqa: FBT001
) -> None:
    start = text.index(raw)

    assert phone_numbers.is_part(text, start, start + len(raw)) is part


def test_a_number_at_the_beginning_of_a_text_is_judged_by_what_little_stands_before_it() -> None:
    def is_phone(before: str, raw: str, *, told: bool = True) -> bool:
        return phone_numbers.is_phone(f"{before}{raw}", len(before), len(before + raw), told=told)

    assert is_phone("", DE)
    assert not is_phone("/", DE)
    assert not is_phone("4:53:", "08.348856123")
    assert is_phone("4:53 ", "08.348856123")
    assert is_phone("", "2025550143")
    assert not is_phone("", "2025550143", told=False)
    assert not is_phone("7-", US, told=False)


def test_a_number_behind_a_word_for_one_is_told_up_to_forty_characters_on() -> None:
    ends = [5, 50]

    assert [at for at in range(100) if phone_numbers.is_told_phone("", at, ends)] == [
        *range(5, 46),
        *range(50, 91),
    ]
    assert not phone_numbers.is_told_phone("", 3, [])


def test_a_row_that_was_cut_is_read_on_where_its_last_number_may_begin() -> None:
    row = " ".join([US] * 12)

    found = {each.start for each in phone_numbers.phones(f"x {row}", ("US",))}

    assert found == {2 + n * (len(US) + 1) for n in range(12)}

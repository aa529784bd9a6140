"""Text folding: other digits, widths and unseen marks hide nothing, and the cut is exact."""

import re
import string
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.model.unicode14 import category, is_newer, known
from muniment.rules.privacy import fold as folding
from muniment.rules.privacy.detect import detect
from muniment.rules.privacy.fold import fold

CARD = "4111 1111 1111 1111"
SCRIPTS = (
    "０１２３４５６７８９",
    "٠١٢٣٤٥٦٧٨٩",
    "۰۱۲۳۴۵۶۷۸۹",
    "०१२३४५६७८९",
    "๐๑๒๓๔๕๖๗๘๙",
    "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗",
    "０１２３４５６７８９",
)
MARKS = (
    " ",
    "-",
    ".",
    "/",
    "·",
    "_",
    "\u2013",
    "\u2212",
    "\u00a0",
    "\u2009",
    "\u3000",
    ":",
    " - ",
    "•",
)
UNSEEN = ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff", "\u00ad", "\u180e", "\ufe0f", "\u034f")


def cut(text: str) -> list[str]:
    return [text[each.start : each.end] for each in detect(text)]


def spelled(script: str) -> str:
    return CARD.translate(str.maketrans(string.digits, script))


@pytest.mark.covers("A-011", "A-099")
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_card_is_found_in_the_digits_of_any_script(script: str) -> None:
    assert cut(f"pay with {spelled(script)} please") == [spelled(script)]


@pytest.mark.parametrize("mark", MARKS)
def test_a_card_is_found_whatever_parts_its_groups(mark: str) -> None:
    number = CARD.replace(" ", mark)
    assert cut(f"pay with {number} please") == [number]


@pytest.mark.parametrize("mark", UNSEEN)
def test_marks_that_nobody_sees_hide_nothing(mark: str) -> None:
    number = mark.join(CARD)
    assert cut(f"pay with {number} please") == [number]
    secret = mark.join("hunter2")
    assert cut(f"my pass{mark}word is {secret} now") == [secret]


def test_widths_and_ligatures_hide_nothing() -> None:
    assert cut("mail ａｄａ＠ｅｘａｍｐｌｅ．ｏｒｇ now") == ["ａｄａ＠ｅｘａｍｐｌｅ．ｏｒｇ"]
    assert cut("ﾊﾟｽﾜｰﾄﾞ：hunter2") == ["hunter2"]
    assert cut("the ｐａｓｓｗｏｒｄ is hunter2") == ["hunter2"]
    assert cut("oﬃce: +49 30 901820") == ["+49 30 901820"]


BESIDE = st.text(alphabet="ab xyzéßшя中は한ﬃ½㎏①²\u200b\u0301🙂", max_size=12).map(
    lambda text: f"{text} "
)
SPELLINGS = st.sampled_from(
    [spelled(script) for script in SCRIPTS]
    + [mark.join(CARD) for mark in UNSEEN[:4]]
    + [CARD.replace(" ", mark) for mark in MARKS[:5]]
)


@settings(deadline=None)
@given(before=BESIDE, number=SPELLINGS, after=BESIDE)
def test_the_cut_is_exact_whatever_stands_beside_it(before: str, number: str, after: str) -> None:
    text = f"{before}card {number} {after}"

    (found,) = detect(text)

    assert text[found.start : found.end] == number
    assert (found.start, found.end) == (len(before) + 5, len(before) + 5 + len(number))


@settings(deadline=None)
@given(text=st.text(max_size=200))
def test_every_place_of_the_folded_text_leads_to_a_place_of_the_text(text: str) -> None:
    folded = fold(text)
    places = [folded.span(at, at + 1) for at in range(len(folded.text))]

    assert all(0 <= start < end <= len(text) for start, end in places)
    assert places == sorted(places)
    assert len(folded.text) <= folding.EXPANSION_MAX * max(1, len(text))


def test_every_digit_of_unicode_14_is_folded_to_its_value() -> None:
    every = [chr(code) for code in range(0x110000) if category(chr(code)) == "Nd"]

    assert len(every) == 660
    assert all(fold(each).text == str(unicodedata.decimal(each)) for each in every if each > "9")


def test_what_is_taken_for_plain_is_folded_to_itself() -> None:
    plain = re.compile(f"[{folding.PLAIN}]")
    letters = [chr(code) for code in range(0x110000) if plain.match(chr(code))]

    assert [each for each in letters if folding._folded(each) != each or is_newer(each)] == []


def test_a_character_newer_than_unicode_14_is_folded_alike_everywhere() -> None:
    newer = "\U0001e4f1"  # a digit since 15.0, of a script that 14.0 did not have
    assert is_newer(newer)
    assert fold(newer).text == known(newer)
    assert cut(f"pay with {newer * 16} please") == []

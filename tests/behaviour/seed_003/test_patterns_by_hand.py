"""What keeps coming up in many texts, and whether a summary still says what they said."""

import pytest

from muniment.model.policy.maintenance import Limit
from muniment.rules.memos import summarise

FEW = Limit(sentences_max=1, tokens_max=100)
FILLER = [f"A {word}." for word in ("rose", "harp", "lamp", "sofa", "vase", "sock", "boat", "bell")]


def higher(place: int, text: str) -> int:
    return int("walnut" in text)


def test_the_most_repeated_word_is_told_in_the_sentence_that_says_most_with_it() -> None:
    texts = [
        *("The deploy failed.", "The deploy failed on Monday 7.", "The deploy failed."),
        *("The kettle leaks.", "The kettle leaks.", "The kettle leaks.", "The kettle leaks."),
        *FILLER,
    ]

    assert summarise.patterns(texts, FEW).text == "The kettle leaks."
    assert summarise.patterns(texts, FEW).sources == (3,)
    assert summarise.patterns(texts[:3] + FILLER, FEW).text == "The deploy failed on Monday 7."


def test_of_words_that_are_repeated_as_often_the_first_by_its_letters_is_told() -> None:
    texts = ["A zebra.", "An apple."] * 3 + FILLER

    assert summarise.patterns(texts, FEW).text == "An apple."


def test_what_was_said_twice_is_no_pattern() -> None:
    texts = ["The kettle leaks."] * 2 + ["Otto owes 500 euros to Anna."] + FILLER

    assert summarise.patterns(texts, FEW).text == "Otto owes 500 euros to Anna."


def test_a_pattern_is_told_once_and_at_most_ten_go_first() -> None:
    names = [f"term{letter}" for letter in "abcdefghijkl"]
    texts = [f"The {name} leaks." for name in names for _ in range(3)]
    limit = Limit(sentences_max=40, tokens_max=400)

    told = summarise.patterns(texts, limit)

    assert told.sources == tuple(range(0, 36, 3))
    value = "Otto owes 500 euros to Anna by 14 March."
    eleven = Limit(sentences_max=11, tokens_max=400)
    assert value in summarise.patterns([*texts, value], eleven).text
    assert "terml" not in summarise.patterns([*texts, value], eleven).text


def test_every_pattern_goes_before_what_was_said_once() -> None:
    texts = ["The kettle leaks."] * 3 + ["A roof rots."] * 3 + ["Otto owes 500 euros to Anna."]

    told = summarise.patterns(texts + FILLER, Limit(sentences_max=2, tokens_max=100))

    assert told.text == "The kettle leaks.\nA roof rots."


def test_quality_is_how_much_of_the_weight_a_text_still_says() -> None:
    texts = ["It costs 500.", "Rain fell."]

    assert summarise.quality_ppm(texts, "500") == 8 * 1_000_000 // 12
    assert summarise.quality_ppm(texts, "It costs 500. Rain fell.") == 1_000_000
    assert summarise.quality_ppm(texts, "") == 0


def test_a_level_decides_which_sentence_tells_a_pattern_and_what_is_quoted() -> None:
    texts = ["The kettle leaks 7 9 11.", "The kettle has a walnut.", "The kettle is on.", *FILLER]

    assert summarise.patterns(texts, FEW).text == "The kettle leaks 7 9 11."
    assert summarise.patterns(texts, FEW, higher).text == "The kettle has a walnut."
    assert summarise.quoted(texts, FEW) == [(0, "The kettle leaks 7 9 11.")]
    assert summarise.quoted(texts, FEW, higher) == [(1, "The kettle has a walnut.")]
    assert summarise.summarise(texts, FEW, higher).text == "The kettle has a walnut."


def test_where_no_sentence_fits_the_beginning_of_the_most_telling_one_is_told() -> None:
    tight = Limit(sentences_max=3, tokens_max=4)
    texts = [
        "Nothing was said of it today.",
        "Anna owes Otto 500 euros now.",
        "Nothing at all was.",
    ]

    told = summarise.summarise(texts, tight)

    assert told.text.startswith("Anna owes")
    assert told.sources == (1,)
    assert told.tokens == 4
    same = summarise.summarise(["It rained so much today.", "It rained so much today."], tight)
    assert same.sources == (0,)


@pytest.mark.parametrize(
    ("text", "summary", "kept"),
    [
        ("Otto paid 500. It cost 7.", "It was 500 and 7 for Otto", True),
        ("Otto paid 500. It cost 7.", "It was 500 for Otto", False),
        ("We met Anna.", "Anna was met", True),
        ("We met Anna.", "anna was met", True),
        ("We met Anna.", "somebody was met", False),
        ("It was “a b c”", "a b c", True),
        ("Nothing.", "", True),
    ],
)
def test_a_summary_keeps_the_values_that_it_names(text: str, summary: str, kept: bool) -> None:  # noqa: FBT001
    assert summarise.keeps_values(text, summary) is kept


def test_of_three_words_two_are_kept() -> None:
    found = summarise.keeps_words_ppm("walnut basil cedar", "basil and cedar")

    assert (found, type(found)) == (666_666, int)
    assert summarise.keeps_words_ppm("", "basil") == 1_000_000

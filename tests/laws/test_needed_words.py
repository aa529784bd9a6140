"""A pattern that is passed over, as a text has not the words it needs, is nowhere in that text."""

import re
import sys
from itertools import chain
from pathlib import Path
from re import _parser  # type: ignore[attr-defined]

import pytest
from bench.sentences import sentences
from hypothesis import given
from hypothesis import strategies as st

from muniment.model.languages import word_pattern
from muniment.model.languages.language_table import Language
from muniment.model.languages.needed_words import LETTERS, needs_of
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.word_pattern import WordPattern, begins_of

PHRASES = Path(__file__).parents[2] / "bench" / "lives" / "phrases"
SAID = (path.read_text("utf-8").splitlines() for path in sorted(PHRASES.glob("*.txt")))
TEXTS = (*chain.from_iterable(SAID), *sentences(100))
LANGUAGES = (*LATIN, *OTHERS)
NO_PHRASES = {"name", "letters", "not_letters", "gap", "seams", "accents", "small_letters"}


def experienced(language: Language) -> list[WordPattern]:
    """Every row of a table that is read as a pattern, each as if it had been tried often."""
    rows = [getattr(language, field) for field in language.__struct_fields__]
    told = [row for name, row in zip(language.__struct_fields__, rows, strict=True)
            if name not in NO_PHRASES and isinstance(row, str | tuple)
            and all(isinstance(each, str) for each in row)]  # fmt: skip
    states = chain(language.states.values(), language.asks_states.values())
    made = (language.times, language.dated, language.counted, language.first_person,
            language.states_nothing, *language.all_dates)  # fmt: skip
    patterns = [
        WordPattern(each.source)
        for each in (*made, *(p for row in (*told, *states) for p in language.patterns(row)))
    ]
    for each in patterns:
        each._tried = word_pattern.TRIED_MIN
    return patterns


def spans(found: object) -> list[tuple[int, int]]:
    return [match.span() for match in found]  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda each: each.name)
def test_what_is_found_is_what_the_regular_expression_finds(language: Language) -> None:
    texts = TEXTS[:: max(1, len(TEXTS) // 120)]
    for pattern in experienced(language):
        plain = re.compile(pattern.source, re.IGNORECASE)
        for text in texts:
            found = spans(plain.finditer(text))
            assert spans(pattern.finditer(text)) == found, text
            assert (pattern.search(text) is not None) == bool(found), text


WRITTEN = (
    "I my we moved lived in to Rome May 3rd 2024 not no longer left is isn't last week ago two "
    "days \u017fince \u017fold \u0130s mov\u0131ng \u212aept wir nach umgezogen fr\u00fcher"
)
PARTED = " |, |.|'|\u2019|-|_|\n|  ||\u00e9|\u0663|\u093f"
WORDS = st.sampled_from(WRITTEN.split())
GAPS = st.sampled_from(PARTED.split("|"))
UNDER = "\u0345"  # the iota that is written under a letter; a folded text has none
ENGLISH = [(each, re.compile(each.source, re.IGNORECASE)) for each in experienced(LATIN[0])]


@given(st.lists(st.tuples(WORDS, GAPS), max_size=12))
def test_it_finds_the_same_however_words_are_joined_and_written(
    parts: list[tuple[str, str]],
) -> None:
    text = "".join(word + gap for word, gap in parts)
    for pattern, plain in ENGLISH:
        assert spans(pattern.finditer(text)) == spans(plain.finditer(text))


def test_letters_that_a_pattern_takes_for_one_are_one() -> None:
    """Whatever the case: also where a letter has several forms, or one beyond ASCII."""
    for code in range(sys.maxunicode + 1):
        letter = chr(code)
        if letter.lower() == letter.upper() == letter.casefold() or letter == UNDER:
            continue
        forms = {letter.lower(), letter.upper(), letter.casefold(), letter.title(), "i", "s", "k"}
        if letter.isascii():
            forms |= {"\u0130", "\u0131", "\u017f", "\u212a"}
        for other in filter(lambda form: len(form) == 1, forms):
            if other != letter and re.fullmatch(re.escape(letter), other, re.IGNORECASE):
                assert LETTERS[code] == LETTERS[ord(other)], (letter, other)


@pytest.mark.parametrize(
    ("source", "needs", "begins"),
    [
        (r"\b(?:not|no longer)\b", {" not ", " longer "}, {" not ", " no "}),
        (r"\b\w+ (?:lives|moved) in\b", {" lives ", " moved "}, set()),
        (r"\w{2,}ed\b", {"ed "}, set()),
        (r"(?-i:[A-Z])\w+ (?:is|was)(?: now)* home\b", {" home "}, set()),
        (r"\b(?:a|\w+) \d", {" 0", " 1", " 2", " 3", " 4", " 5", " 6", " 7", " 8", " 9"}, set()),
        (r"moved?|left", {"move", "moved", "left"}, set()),
        (r"\w+", set(), set()),
    ],
)
def test_the_words_that_a_pattern_needs_are_read_from_it(
    source: str, needs: set[str], begins: set[str]
) -> None:
    tree = _parser.parse(source, re.IGNORECASE)

    assert set(next(iter(needs_of(tree)), set())) == needs
    assert begins_of(tree) == begins

"""A word pattern finds what the regular expression finds, and looks only where its words begin."""

import re
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model.languages.language_table import Language
from muniment.model.languages.tables import LATIN, OTHERS
from muniment.model.languages.word_pattern import WordPattern, heads_of

PHRASES = Path(__file__).parents[2] / "bench" / "lives" / "phrases"
TEXTS = tuple(
    line
    for path in sorted(PHRASES.glob("*.txt"))
    for line in path.read_text("utf-8").splitlines()
    if line.strip()
)
ROWS = (
    "ago", "from_now", "within", "lately", "last", "this", "next", "weekday_last", "weekday_next",
    "dates", "left_alone", "tells_past", "looks_ahead", "announces", "begins", "asks_when",
    "asks_amount", "asks_for_all", "asks_of_then", "tells_change", "ends", "is_over", "long_ago",
    "unsaid",
)  # fmt: skip


def patterns(language: Language) -> list[WordPattern]:
    states = chain(language.states.values(), language.asks_states.values())
    rows = [getattr(language, row) for row in ROWS]
    return [each for row in (*rows, *states) for each in language.patterns(row)]


def spans(found: object) -> list[tuple[int, int]]:
    return [match.span() for match in found]  # type: ignore[attr-defined]


@pytest.mark.parametrize("language", [*LATIN, *OTHERS], ids=lambda each: each.name)
def test_it_finds_in_every_text_what_the_regular_expression_finds(language: Language) -> None:
    # given every phrase of a table, and what people say in lives
    for pattern in patterns(language):
        plain = re.compile(pattern.source, re.IGNORECASE)
        for text in TEXTS[:: max(1, len(TEXTS) // 400)]:
            # when it is looked for, then the same is found, at the same places
            assert spans(pattern.finditer(text)) == spans(plain.finditer(text)), text


SAID = (
    "as of now not noted no longer left leaving quit cancelled canceled ended was is isn't last "
    "week next Friday the 3rd May 2024 2024-05-03 in two days ago a year since from May on I used "
    "to live moved to broke up over with and my Now QUIT any more anymore"
)
WORDS = st.sampled_from(sorted(set(SAID.split())))
GAPS = st.sampled_from([" ", " ", " ", ", ", ".", "'", "-", "_", "\n", "  ", ""])


@given(st.lists(st.tuples(WORDS, GAPS), max_size=12))
def test_it_finds_the_same_however_words_are_joined(parts: list[tuple[str, str]]) -> None:
    text = "".join(word + gap for word, gap in parts)
    for pattern in patterns(LATIN[0]):
        plain = re.compile(pattern.source, re.IGNORECASE)
        assert spans(pattern.finditer(text)) == spans(plain.finditer(text))
        assert pattern.sub("#", text) == plain.sub("#", text)


@pytest.mark.parametrize(
    ("source", "heads"),
    [
        (r"\b(?:not|no longer)\b", {"not ", "no lon"}),
        (r"\b(?:as of|cancell?ed)", {"as of", "cancel"}),
        (r"(?<!\w)[ab]c(?!\w)", {"ac ", "bc "}),
        (r"\b(?:\w+ ago|now)\b", set()),  # it may begin with any word
        (r"now\b", set()),  # and may stand inside one
    ],
)
def test_how_a_pattern_begins_is_read_from_it(source: str, heads: set[str]) -> None:
    cut = {head[: max(size for size in (0, 3, 4, 6) if size <= len(head))] for head in heads}
    assert heads_of(source) == cut

"""The Plain view: every value as lines of `key: value`, readable without a single bracket."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.adapters.rendering.plain_text import lines, plain, scalar, visible

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
# Values whose own text and keys hold no brackets: then there must be none at all.
WORDS = st.text(alphabet="abc xyz.:-_/\n\t\r", max_size=12)
BRACKETLESS = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=20,
)

EXAMPLES = [
    pytest.param({"a": 1}, ["a: 1"], id="a key and its value"),
    pytest.param({"b": 2, "a": 1, "B": 3}, ["B: 3", "a: 1", "b: 2"], id="keys are sorted"),
    pytest.param(
        {"policy": {"short_term": {"turns": 3}}}, ["policy.short_term.turns: 3"], id="nested keys"
    ),
    pytest.param(
        {"recalled": [{"id": "x"}, {"id": "y"}]},
        ["recalled.count: 2", "recalled.1.id: x", "recalled.2.id: y"],
        id="a list is counted from one",
    ),
    pytest.param({"a": [[1], []]}, ["a.count: 2", "a.1.count: 1", "a.1.1: 1", "a.2.count: 0"]),
    pytest.param({"a": (1, 2)}, ["a.count: 2", "a.1: 1", "a.2: 2"], id="a tuple is a list"),
    pytest.param({}, [], id="an empty object prints nothing"),
    pytest.param({"a": {}, "b": 1}, ["b: 1"], id="also when it is nested"),
    pytest.param([], ["count: 0"], id="an empty list is counted"),
    pytest.param([{}], ["count: 1"], id="a list of nothing"),
    pytest.param("text", ["value: text"], id="a lone text"),
    pytest.param(None, ["value: null"], id="a lone null"),
    pytest.param(True, ["value: true"], id="a lone true"),
    pytest.param(7, ["value: 7"], id="a lone number"),
    pytest.param(
        {"n": None, "t": True, "f": False, "i": -7, "x": 1.5},
        ["f: false", "i: -7", "n: null", "t: true", "x: 1.5"],
        id="scalars",
    ),
    pytest.param({"a": "one\r\ntwo\tthree"}, [r"a: one\r\ntwo\tthree"], id="CR LF TAB"),
    pytest.param({"a": ""}, ["a: "], id="an empty text"),
    pytest.param({"a": "null"}, ["a: null"], id="a text that looks like null"),
    pytest.param({"a": "{[x]}"}, ["a: {[x]}"], id="brackets in a text are text"),
    pytest.param({"a": "k: v"}, ["a: k: v"], id="a text may look like a line"),
    pytest.param({"a: b": 1}, [r"a:\x20b: 1"], id="a key may not"),
    pytest.param({"": 1}, ['"": 1'], id="an empty key is seen"),
    pytest.param({"line\nbreak": 1}, [r"line\nbreak: 1"], id="a key stays on its line"),
    pytest.param({"a": "\x1b[31mred"}, [r"a: \x1b[31mred"], id="no text steers a terminal"),
    pytest.param({"a": "x\u2028y\u202ez"}, [r"a: x\u2028y\u202ez"], id="nor hides"),
    pytest.param({"a": "Zoë 日本 👩\u200d🚀"}, ["a: Zoë 日本 👩\u200d🚀"], id="letters stay"),
]


@pytest.mark.covers("B-111", "B-112", "B-113")
@pytest.mark.parametrize(("value", "expected"), EXAMPLES)
def test_a_value_reads_as(value: object, expected: list[str]) -> None:
    assert lines(value) == expected
    assert plain(value) == "".join(f"{line}\n" for line in expected)


def test_what_is_not_json_has_no_plain_form() -> None:
    with pytest.raises(TypeError, match="bytes has no Plain form"):
        scalar(b"bytes")


@given(VALUES)
def test_every_line_is_one_key_and_one_value(value: object) -> None:
    told = plain(value)
    assert told.splitlines() == lines(value)
    for line in lines(value):
        key, separator, _ = line.partition(": ")
        assert key
        assert separator


@given(BRACKETLESS)
def test_there_is_no_bracket_outside_of_text(value: object) -> None:
    assert not set(plain(value)) & set("{}[]")


@given(VALUES)
def test_there_is_a_line_for_each_scalar_and_each_list(value: object) -> None:
    assert len(lines(value)) == leaves(value)


@given(st.text())
def test_a_visible_text_is_one_line_and_stays_so(text: str) -> None:
    shown = visible(text)
    assert len(shown.splitlines()) <= 1
    assert visible(shown) == shown


def leaves(value: object) -> int:
    match value:
        case dict():
            return sum(leaves(inner) for inner in value.values())
        case list():
            return 1 + sum(leaves(inner) for inner in value)
        case _:
            return 1

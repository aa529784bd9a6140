"""A pattern of a policy is read in bounded time, whatever text somebody sends."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model.errors import PolicyError
from muniment.model.policy import Privacy

TEXT_CHARACTERS = 20_000
SECONDS_MAX = 3.0  # of CPU, for a text of that length; without a bound it is minutes, or years

# Each of them is a slip of the pen, and stops everything for as long as somebody likes.
ENDLESS = [
    r"(\w+\s*)+x",
    r"x(a|aa)+$",
    r"(.*a){9}",
    r"x(a{0,30}){0,30}b",
    r"((a{1,9}){1,9}){1,9}b",
    r"salary.*acme.*bonus",
    r"(?=.*a.*b)x",
    r"a?" * 50 + "b",
    r"yx{1,5000}y",
    r"(x)(?(1)a*|b*)c",
]
USUAL = [
    "project nightfall",
    r"\bnightfall\b",
    r"project[ _-]?nightfall",
    r"\d{3}-\d{2}-\d{4}",
    r"(?:\d{4}[ -]?){3}\d{4}",
    r"[\w.]{1,64}@acme\.(com|org|de)",
    r"salary.{0,200}acme",
    r"(merger|takeover)\s{1,3}(talks?|bids?)",
    r"\d{1,3}(\.\d{1,3}){3}",
    r"(?i:kaufvertrag|contrat)",
    r"(?<!not )secret",
    r"(a)\1",
    r"\w+@acme",
    r"sk-[A-Za-z0-9]+",
    r".*nightfall.*",
    r"salary.*acme",
    r"salary.*?acme",
    r"^salary: \d+$",
    r"(?>a+)b",
]


@pytest.mark.parametrize("pattern", ENDLESS)
def test_a_pattern_that_one_text_could_keep_busy_is_refused_with_the_policy(pattern: str) -> None:
    with pytest.raises(PolicyError, match="limit each repetition"):
        Privacy(deny_patterns=(pattern,))


@pytest.mark.parametrize("pattern", USUAL)
def test_what_people_write_to_name_a_secret_is_a_pattern(pattern: str) -> None:
    assert Privacy(deny_patterns=(pattern,)).denies("x") is False


def test_a_pattern_finds_what_it_names() -> None:
    privacy = Privacy(deny_patterns=(r"salary.{0,200}acme", r"(?:\d{4}[ -]?){3}\d{4}"))
    assert privacy.denies("my Salary at Acme")
    assert privacy.denies("4111-1111 1111-1111")
    assert not privacy.denies("salary" + " " * 300 + "acme")


def test_a_repetition_without_an_end_finds_what_it_would_find_and_reaches_far_between_two() -> None:
    privacy = Privacy(deny_patterns=(r"\w+@acme", r"sk-[a-z0-9]+", r"salary.*bonus"))
    assert privacy.denies("write to ann.marie@Acme today")
    assert privacy.denies("the key is sk-4f2a9")
    assert privacy.denies("my salary, " + "and more, " * 70 + "and the bonus")
    assert not privacy.denies("salary" + " " * 900 + "bonus")
    assert not privacy.denies("write to @acme, sk-")


ATOMS = st.sampled_from(["a", ".", r"\w", "[ab]", "(a|b)", "(a|ab)", "(?:aa?)", r"\b", "(?=a)"])
REPEATS = st.sampled_from(["", "?", "*", "+", "{2}", "{1,9}", "{0,40}", "{0,999}", "*?", "{3,}"])
PARTS = st.tuples(ATOMS, REPEATS).map(lambda each: each[0] + each[1])
PATTERNS = st.recursive(
    st.lists(PARTS, min_size=1, max_size=4).map("".join),
    lambda inner: st.tuples(inner, REPEATS).map(lambda each: f"(?:{each[0]}){each[1]}"),
    max_leaves=3,
)


@given(PATTERNS, st.text("ab! ", max_size=60))
def test_a_pattern_denies_what_it_matches_as_it_stands(pattern: str, text: str) -> None:
    try:
        privacy = Privacy(deny_patterns=(pattern,))
    except PolicyError:
        return
    assert privacy.denies(text) == bool(re.search(pattern, text, re.IGNORECASE))


@given(PATTERNS)
def test_whatever_pattern_is_allowed_no_text_takes_it_long(pattern: str) -> None:
    try:
        privacy = Privacy(deny_patterns=(pattern + "!",))
    except PolicyError:
        return
    for text in ("a" * TEXT_CHARACTERS, "ab" * (TEXT_CHARACTERS // 2)):
        begun = time.process_time()
        assert not privacy.denies(text)
        assert time.process_time() - begun < SECONDS_MAX, pattern

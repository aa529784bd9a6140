"""Cues and what was told: shortcuts that must never answer otherwise than the long way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.model.kinds.conversation_item import EventType, Source
from muniment.model.text import self_statements
from muniment.model.text.near_duplicates import ToldTexts, same, saying
from muniment.model.text.phrase_pattern import Cue
from muniment.rules.conversation import classify, importance, retractions
from muniment.rules.memos import gate

CUES = [
    gate._CONSEQUENCE,
    gate._THE_USER,
    importance._EMPHASIS,
    *(cue for _, cue in (*classify._TYPES, *self_statements.FACTS)),
    *retractions.CUES,
]
PHRASES = """
my name is Ada/i'm called Bea/call me Cid/my time zone is CET/my timezone is CET/i speak Dutch/
our project is called Elm/i edit with Vim/i write code in Zed/my units are metric/i measure in feet/
not Ada but Bea/actually/i like tea/never use tabs/use x/let's use it/we decided/they asked/users/
you must/it fails/errors/because/avoid/customers/my editor is Vim/my language is Dutch/remember my/
i no longer use Vim/i stopped editing with Vim/i don't speak Dutch/i do not measure in feet/
i quit working on Elm/i'm not called Bea/stop calling me Cid/my name isn't Ada/
i switched from Vim to Zed/i use Zed instead of Vim/forget i use Vim/forget that i edit with Vim/
forget i speak Dutch/forget i measure in feet/forget i work on Elm/forget i am called Bea/
forget my name
""".replace("\n", "").split("/")
WORDS = [*(word for phrase in PHRASES for word in phrase.split()), "the", "_", "it's"]
BETWEEN = [" ", " ", " ", "_", "-", ", ", "\u017f", "\u0301", "\u0130", "é", "ß", "我", "²"]
told = st.builds(
    lambda pieces, between, spelled: spelled(between.join(pieces)),
    st.lists(st.sampled_from([*PHRASES, *WORDS]), max_size=5),
    st.sampled_from(BETWEEN),
    st.sampled_from([str, str.upper]),
)
said = st.lists(
    st.sampled_from(["the", "kettle", "is", "on", "not", "Ada", "Bob", "3", "4", "tea", "été"]),
    max_size=7,
).map(" ".join)


@pytest.mark.parametrize("cue", CUES, ids=lambda cue: min(cue.needs))
def test_every_cue_is_among_the_phrases_that_follow(cue: Cue) -> None:
    assert any(cue.search(phrase) for phrase in PHRASES)


@given(told)
def test_a_cue_finds_exactly_what_its_pattern_finds(text: str) -> None:
    for cue in CUES:
        found, wanted = cue.search(text), cue.pattern.search(text)

        assert (found and found.span()) == (wanted and wanted.span())


@given(told)
def test_what_a_sentence_is_does_not_hang_on_the_shortcut(text: str) -> None:
    kinds = [kind for kind, cue in classify._TYPES if cue.pattern.search(text)]
    facts = classify.profile_facts(text)
    told = EventType.CORRECTION if any(each.anew for each in facts) else EventType.FACT
    plain = told if facts else EventType.CONTEXT

    assert classify.event_type(Source.USER, text) is (kinds[0] if kinds else plain)


@given(st.lists(said, max_size=8), st.sampled_from([0, 500_000, 800_000, 900_000, 1_000_000]))
def test_the_first_that_says_the_same_is_found_as_if_each_were_compared(
    texts: list[str], least_ppm: int
) -> None:
    known = ToldTexts(least_ppm)
    for place, text in enumerate(texts):
        alike = [same(saying(text), saying(each), least_ppm) for each in texts[:place]]

        assert known.twin(saying(text)) == (alike.index(True) if any(alike) else -1)
        known.add(saying(text))

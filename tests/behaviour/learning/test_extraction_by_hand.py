"""Which facts of a model's answer are believed, and under which code each other one is dropped."""

import json
from collections.abc import Mapping

import pytest

from muniment.model.policy.learning import Learning
from muniment.rules import extraction
from muniment.rules.extraction import Believed, ExtractedFact, ShownText

SAID = ShownText(label="e1", text="I moved to Lisbon with Otto Brandt in 2024.")
TOLD_BY_OTTO = ShownText(label="e2", text="I grew roses in Porto.", speaker="Otto")
GOOD = {
    "statement": "The user lives in Lisbon",
    "relation": "lives_in",
    "object": "Lisbon",
    "quote": "I moved to Lisbon",
    "source": "e1",
}


def judged(*facts: object, denied: str = "", **learning: object) -> Believed:
    """What stands of an answer with these facts, under a policy that denies whatever names this."""
    return extraction.believed(
        json.dumps({"facts": facts}),
        [SAID, TOLD_BY_OTTO],
        Learning(**learning),  # type: ignore[arg-type]
        lambda text: f"deny:{denied}" if denied and denied in text else "",
    )


def dropped(fact: Mapping[str, object], denied: str = "", **learning: object) -> dict[str, int]:
    told = judged(fact, denied=denied, **learning)
    assert told.facts == () or not told.dropped
    assert not told.reason
    return told.dropped


def test_a_fact_that_is_quoted_and_named_there_is_believed_as_it_is_told() -> None:
    told = judged({**GOOD, "op": "replace", "replaces": "fact:user/city", "time": "2024-03"})

    wanted = ExtractedFact(
        op="replace",
        statement="The user lives in Lisbon",
        relation="lives_in",
        object="Lisbon",
        quote="I moved to Lisbon",
        source="e1",
        time="2024-03",
        replaces="fact:user/city",
    )
    assert told == Believed(facts=(wanted,))


def test_an_answer_that_cannot_be_read_says_so_and_tells_nothing() -> None:
    told = extraction.believed("certainly!", [SAID], Learning(), lambda _: "")

    assert told == Believed(reason="answer_unreadable")


@pytest.mark.parametrize(
    ("fact", "code"),
    [
        ({**GOOD, "op": "wish"}, "wrong_schema"),
        ({**GOOD, "statement": "  "}, "wrong_schema"),
        ({**GOOD, "op": "replace"}, "wrong_schema"),
        ({**GOOD, "op": "replace", "replaces": " "}, "wrong_schema"),
        ({**GOOD, "op": "replace", "statement": "", "replaces": "k"}, "wrong_schema"),
        ({**GOOD, "op": "end"}, "wrong_schema"),
        ({**GOOD, "source": "e9"}, "source_unknown"),
        ({**GOOD, "quote": "I moved to Porto"}, "quote_not_in_source"),
        ({**GOOD, "source": "e2", "quote": "I grew roses"}, "not_the_user"),
        ({**GOOD, "subject": "Anna"}, "not_in_source"),
        ({**GOOD, "object": "Porto"}, "not_in_source"),
        ({**GOOD, "statement": "The user lives in Lisbon since 2023"}, "not_in_source"),
        ({**GOOD, "statement": "The user lives in Lisbon, Portugal"}, "not_in_source"),
    ],
)
def test_what_the_text_does_not_say_is_dropped_under_its_code(
    fact: dict[str, object], code: str
) -> None:
    assert dropped(fact) == {code: 1}


@pytest.mark.parametrize(
    "fact",
    [
        {**GOOD, "op": "end", "statement": "", "replaces": "fact:user/city"},
        {**GOOD, "subject": "otto  brandt"},
        {**GOOD, "subject": "OTTO BRANDT"},
        {**GOOD, "object": "LISBON"},
        {**GOOD, "statement": "LISBON is where the user lives"},
        {**GOOD, "statement": "Grown since 2024, and in Lisbon"},
        {**GOOD, "source": "e2", "quote": "I grew roses", "subject": "Otto", "object": "roses"}
        | {"statement": "Otto grew roses in Porto"},
    ],
)
def test_what_the_text_says_in_other_letters_is_believed(fact: dict[str, object]) -> None:
    assert dropped(fact) == {}


@pytest.mark.parametrize(
    "part", ["statement", "subject", "relation", "object", "category"], ids=str
)
def test_what_a_policy_denies_is_dropped_wherever_the_fact_says_it(part: str) -> None:
    fact = {**GOOD, part: {"subject": "Otto"}.get(part, "moved")}

    assert dropped(fact, denied=str(fact[part])) == {f"deny:{fact[part]}": 1}
    assert dropped(fact, never_keep=(str(fact[part]),)) == {"never_keep": 1}


def test_where_the_wanted_categories_are_named_no_other_is_kept() -> None:
    fact = {**GOOD, "category": "HOME"}

    assert dropped(fact, categories=("Home", "work")) == {}
    assert dropped(fact, categories=("work",)) == {"category_not_wanted": 1}
    assert dropped(fact) == {}


def test_each_code_is_counted_and_what_is_told_behind_is_still_judged() -> None:
    lost = {**GOOD, "source": "e9"}

    told = judged(lost, {"op": "nothing"}, lost, {**GOOD, "op": 1}, GOOD)

    assert told.dropped == {"source_unknown": 2, "wrong_schema": 1}
    assert [each.statement for each in told.facts] == ["The user lives in Lisbon"]


def test_more_facts_than_the_policy_takes_are_dropped_as_too_many() -> None:
    facts = [{**GOOD, "statement": f"The user lives {n} in Lisbon"} for n in ("a", "b", "c", "d")]

    told = judged(*facts, {**GOOD, "source": "e9"}, facts_max=2)

    assert [each.statement for each in told.facts] == [str(e["statement"]) for e in facts[:2]]
    assert told.dropped == {"too_many": 2, "source_unknown": 1}


def test_a_fact_that_is_told_twice_is_kept_as_it_was_told_first() -> None:
    ends = [{**GOOD, "op": "end", "statement": "", "replaces": key} for key in ("a", "b", "a")]

    told = judged(GOOD, {**GOOD, "object": "lisbon", "statement": f" {GOOD['statement']}"}, *ends)

    assert [(each.op, each.object, each.replaces) for each in told.facts] == [
        ("add", "Lisbon", ""),
        ("end", "Lisbon", "a"),
        ("end", "Lisbon", "b"),
    ]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Lives In", "lives_in"),
        (" -- Où? -- ", "où"),
        ("a.-_b", "a_b"),
        ("!", ""),
        ("x" * 90, "x" * 80),
        ("Xerox", "xerox"),
    ],
)
def test_a_text_is_a_part_of_a_key_in_small_letters_with_single_strokes(
    text: str, part: str
) -> None:
    assert extraction.slug(text) == part


def test_a_fact_names_its_key_and_its_day_by_itself() -> None:
    fact = ExtractedFact(subject="Otto B.", relation="Lives in", time="2024-03-05T10:00")

    assert (fact.key, fact.day) == ("fact:otto_b/lives_in", "2024-03-05")
    assert (ExtractedFact().key, ExtractedFact(time="2024-13-01").day) == ("fact:user/says", "")

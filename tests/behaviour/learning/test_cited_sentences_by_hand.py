"""Which sentences of a model's summary stand: each rests on words that were said, or is dropped."""

import json

import pytest

from muniment.model.kinds.cited_summary import CitedSentence, SentenceCitation, SummaryKind
from muniment.model.kinds.episode import Origin
from muniment.model.text import grounding
from muniment.rules import cited_sentences
from muniment.rules.cited_sentences import CitableText, StandingSentences

SHOWN = {
    "4.1": CitableText(id="e4", text="I moved to Lisbon in 2019.", origin=Origin.USER),
    "5.1": CitableText(id="e5", text="The ferry is at 08:35", origin=Origin.TOOL),
    "6.1": CitableText(id="e6", text="we pay 500 euros", origin=Origin.AGENT, speaker="Ida"),
}
BEFORE = [
    CitedSentence(text=f"Sentence {n}.", citations=(SentenceCitation(id="e1"),), origin="user")
    for n in (1, 2)
]
MOVED = "The user moved to Lisbon."


def sentence(text: str, *sources: str, quote: str = "", **more: object) -> dict[str, object]:
    quotes = {name: quote or each.text for name, each in SHOWN.items()}
    cites = [{"source": each, "quote": quotes.get(each, quote)} for each in sources or ["4.1"]]
    return {"text": text, "cites": cites, **more}


def judged(
    *sentences: object, kind: SummaryKind = SummaryKind.PROFILE, denies: str = ""
) -> StandingSentences:
    answer = json.dumps({"sentences": sentences})
    return cited_sentences.standing(
        answer, kind, SHOWN, BEFORE, lambda text: "denied" if denies and denies in text else ""
    )


def texts(found: StandingSentences) -> list[str]:
    return [each.text for each in found.sentences]


# ── What stands ─────────────────────────────────────────────────────────────────────────────────


def test_a_sentence_stands_with_the_words_it_quotes_and_on_the_least_word_of_all() -> None:
    said = sentence("Ida pays 500 euros at  08:35", "5.1", "6.1", section="home")

    assert judged(said).sentences == (
        CitedSentence(
            text="Ida pays 500 euros at 08:35",
            section="home",
            citations=(
                SentenceCitation(id="e5", label="5.1", quote="The ferry is at 08:35"),
                SentenceCitation(id="e6", label="6.1", quote="we pay 500 euros"),
            ),
            origin=Origin.TOOL,
        ),
    )


@pytest.mark.parametrize(
    ("kind", "section", "kept"),
    [
        (SummaryKind.PROFILE, "work", "work"),
        (SummaryKind.PROFILE, "open", ""),
        (SummaryKind.REFLECTION, "open", "open"),
        (SummaryKind.CONVERSATION, "work", ""),
        (SummaryKind.PROFILE, "his secrets", ""),
    ],
)
def test_a_sentence_stands_under_a_heading_of_its_kind_or_under_none(
    kind: SummaryKind, section: str, kept: str
) -> None:
    (found,) = judged(sentence(MOVED, section=section), kind=kind).sentences

    assert found.section == kept


def test_a_sentence_of_the_summary_before_stays_as_it_was() -> None:
    found = judged({"keep": "s2"}, {"keep": "s3"}, {"keep": "s0"})

    assert found.sentences == (BEFORE[1],)
    assert found.dropped == {"sentence_unknown": 2}


def test_what_is_said_twice_is_kept_once_as_it_was_said_first() -> None:
    found = judged(sentence(MOVED), sentence("the user moved to LISBON.".replace("the", "The")))

    assert texts(found) == [MOVED]
    assert found.dropped == {}


# ── What is dropped ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("a string", "wrong_schema"),
        ({"text": 7}, "wrong_schema"),
        (sentence("  "), "wrong_schema"),
        ({"text": MOVED}, "not_cited"),
        (sentence(MOVED, "4.1", "9.9"), "source_unknown"),
        (sentence(MOVED, quote="I moved to Porto"), "quote_not_in_source"),
        (sentence(MOVED, quote="to"), "quote_not_in_source"),
        (sentence("The user moved to Porto."), "not_in_source"),
        (sentence("Ada moved to Lisbon."), "not_in_source"),
        (sentence("The user moved in 2018."), "not_in_source"),
        (sentence("The user moved to Lisbon. It was in 2019."), "several_sentences"),
        (sentence("The user has a secret."), "denied"),
    ],
)
def test_what_rests_on_nothing_that_was_said_is_dropped_and_counted(
    said: object, code: str
) -> None:
    found = judged(said, said, sentence(MOVED), denies="secret")

    assert found.dropped == {code: 2}
    assert texts(found) == [MOVED]
    assert found.reason == ""


def test_three_letters_are_enough_of_a_quote() -> None:
    assert texts(judged(sentence(MOVED, quote="201"))) == [MOVED]


@pytest.mark.parametrize("text", ["It is in Lisbon.", "My move was to Lisbon."])
def test_a_sentence_may_begin_with_a_word_that_names_nobody(text: str) -> None:
    assert texts(judged(sentence(text))) == [text]


def test_a_name_at_the_end_of_one_text_and_the_next_speaker_are_two_words() -> None:
    shown = "Lisbon"  # the last word of one text, before a speaker that nobody named
    said = sentence("We pay from Lisbon", "4.1", "6.1", quote="")
    said["cites"] = [{"source": "4.1", "quote": shown}, {"source": "6.1", "quote": "we pay"}]

    assert texts(judged(said)) == ["We pay from Lisbon"]


@pytest.mark.parametrize(
    ("kind", "most"), [(SummaryKind.TITLE, 80), (SummaryKind.LOOP, 320), (SummaryKind.PROFILE, 320)]
)
def test_a_sentence_is_as_long_as_its_kind_allows_and_no_longer(
    kind: SummaryKind, most: int
) -> None:
    start = "The user moved to Lisbon "
    fits, over = start + "x" * (most - len(start)), start + "x" * (most - len(start) + 1)

    assert texts(judged(sentence(fits), kind=kind)) == [fits]
    assert judged(sentence(over), kind=kind).dropped == {"too_long": 1}


@pytest.mark.parametrize(("kind", "most"), [(SummaryKind.TITLE, 1), (SummaryKind.LOOP, 8)])
def test_beyond_the_sentences_of_its_kind_more_are_dropped_and_a_fault_keeps_its_own_code(
    kind: SummaryKind, most: int
) -> None:
    said = [sentence(f"The user moved to Lisbon, {'x' * n}.") for n in range(1, 11)]

    found = judged(*said[:most], "a string", *said[most:], kind=kind)

    assert texts(found) == [each["text"] for each in said[:most]]
    assert found.dropped == {"wrong_schema": 1, "too_many": 10 - most}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("no JSON", "answer_unreadable"),
        ('{"sentences": 7}', "answer_unreadable"),
        ('{"sentences": [7]}', "nothing_stands"),
        ('{"sentences": []}', ""),
        ("{}", ""),
    ],
)
def test_an_answer_without_a_sentence_that_stands_says_why(answer: str, reason: str) -> None:
    found = cited_sentences.standing(answer, SummaryKind.LOOP, SHOWN, BEFORE, lambda _: "")

    assert (found.sentences, found.reason) == ((), reason)


# ── Names and numbers ───────────────────────────────────────────────────────────────────────────


def stands(statement: str, text: str) -> bool:
    said = {"text": statement, "cites": [{"source": "1", "quote": text}]}
    found = cited_sentences.standing(
        json.dumps({"sentences": [said]}),
        SummaryKind.LOOP,
        {"1": CitableText(id="e1", text=text, origin=Origin.USER)},
        [],
        lambda _: "",
    )
    return bool(found.sentences)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Ida's boat sank", "A boat of Ida sank"),
        ("Ida\u2019s boat sank", "A boat of Ida sank"),
        ("a boat of Ida sank", "It was Ida's boat"),
        ("a boat of Ida sank", "It was Ida\u2019s boat"),
        ("a boat of IDA sank", "It was Ida"),
    ],
)
def test_a_name_stands_in_capitals_or_as_an_owner_as_well(text: str, statement: str) -> None:
    assert stands(statement, text)


@pytest.mark.parametrize(
    ("subject", "is_user"),
    [
        ("", True),
        ("  ", True),
        ("The USER", True),
        ("la usuaria", False),
        ("usuaria", True),
        ("user Ida", False),
        ("Ida", False),
    ],
)
def test_whoever_has_no_name_is_the_user(*, subject: str, is_user: bool) -> None:
    assert grounding.is_user(subject) is is_user


@pytest.mark.parametrize(
    ("text", "number", "there"),
    [
        ("we pay 500 euros", "500", True),
        ("we pay 500 euros", "50", False),
        ("we pay 500 euros", "00", False),
        ("we pay 1,500 euros", "500", False),
        ("we pay 1.500.000 euros", "500", False),
        ("it weighs 3.5 kg", "5", False),
        ("it weighs 3.5 kg", "3.5", True),
        ("it leaves at 08:35", "8:35", True),
        ("it leaves at 8:35", "08:35", True),
        ("it leaves at 08:35", "8", True),
        ("it was on 14.05.2026.", "2026", True),
        ("it was on 14.05.2026.", "5", True),
        ("it was on 14.5.26", "14", True),
        ("it was on 14.05.", "14", True),
        ("it was on 2026-05-14", "14", True),
        ("on the 14th we left for room B2", "14 and 2", True),
        ("zero, or 0", "0", True),
    ],
)
def test_a_number_stands_where_it_was_said_and_not_as_a_part_of_another(
    *, text: str, number: str, there: bool
) -> None:
    assert stands(f"It said {number}", text) is there

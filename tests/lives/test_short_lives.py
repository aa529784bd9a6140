"""Short lives through every door: what was said is answered weeks later, what was let go is not.

`make lives` lives long ones. Here stand floors that must never be passed downwards.
"""

from itertools import combinations
from pathlib import Path

import pytest
from bench.lives import phrasebook, plot, report
from bench.lives.doors import DOORS
from bench.lives.living import Lived, live
from bench.lives.phrasebook import LANGUAGES, SETS, Phrasebook
from bench.lives.plot import Plan, Question

SHORT = Plan(seed=1, days=30, turns=70, questions=45)
# Of a hundred questions, inside a context of 800 tokens.
INSIDE_MIN = {
    "remember": 92,
    "remember_many": 92,
    "conversation": 90,
    "job": 92,
    "memorize": 92,
    "do": 87,
    "channel": 85,
    "mixed": 85,
}
KEPT_WHOLE = ("remember", "remember_many")  # doors whose ids can be forgotten today
OTHER_LANGUAGES_INSIDE_MIN = 75
BOOKS = [(language, held_out) for language in LANGUAGES for held_out in SETS]


def inside(lived: Lived) -> float:
    return 100 * report.summary([lived])["in800"]


@pytest.mark.parametrize("door", DOORS)
def test_what_was_told_through_any_door_is_inside_a_context_weeks_later(door: str) -> None:
    lived = live(SHORT, door, None, prompted=door == "mixed")
    assert len(lived.answers) >= SHORT.questions - 15
    assert inside(lived) >= INSIDE_MIN[door]
    foreign = [each for each in lived.answers if each.leaked and each.how != report.FORGOTTEN]
    assert not foreign, "what one person told is never shown to another"
    if door in KEPT_WHOLE:
        assert not [each for each in lived.answers if each.leaked], "what was forgotten is gone"


@pytest.mark.parametrize("door", ["conversation", "remember"])
def test_a_turn_of_talk_takes_few_entries_and_few_bytes(door: str, tmp_path: Path) -> None:
    """After the first quarter, in which the files of a memory begin."""
    lived = live(Plan(seed=1, days=12, turns=60, questions=2), door, tmp_path)
    grown = lived.stages[1:]
    turns = sum(each.turns for each in grown)
    assert sum(each.entries for each in grown) <= report.ENTRIES_MAX * turns
    assert sum(each.bytes for each in grown) <= report.BYTES_MAX * turns
    assert lived.proved == sum(each.entries for each in lived.stages)


@pytest.mark.parametrize("held_out", [0, 1], ids=["tuned", "held-out"])
def test_a_life_of_several_people_and_tongues_is_answered(*, held_out: int) -> None:
    plan = Plan(
        seed=2,
        days=30,
        turns=90,
        questions=45,
        people=4,
        languages=("de", "ja", "ru", "zh"),
        held_out=held_out,
    )
    assert inside(live(plan, "remember", None)) >= OTHER_LANGUAGES_INSIDE_MIN


def test_a_seed_draws_the_same_life_and_another_seed_another() -> None:
    def told(seed: int) -> list[plot.Step]:
        return list(plot.steps(Plan(seed=seed, days=9, turns=60)))

    assert told(1) == told(1)
    assert told(1) != told(2)


def test_a_question_asks_for_what_was_told_before_it() -> None:
    said = ""
    asked = 0
    for step in plot.steps(Plan(seed=3, days=30, turns=300)):
        if isinstance(step, plot.Turn):
            said += "\n".join([step.said, step.tool.result if step.tool else "", ""])
        elif isinstance(step, Question) and step.answer:
            assert step.answer.casefold() in said.casefold()
            asked += 1
    assert asked > 30


@pytest.mark.parametrize(("language", "held_out"), BOOKS)
def test_every_kind_of_fact_can_be_told_changed_and_asked(language: str, *, held_out: int) -> None:
    book = phrasebook.read(language, held_out=held_out)
    assert {"small", "noun", "adjective", "lead", "reply", "echo", "who"} <= set(book.talk)
    for kind in book.kinds:
        phrases = kind.phrases
        assert {"value", "told", "changed", "asked"} <= set(phrases), kind.name
        assert all("{new}" in each for mark in ("told", "changed") for each in phrases[mark])
        assert all("{old}" in each for each in phrases.get("ended", ()))
        assert kind.by_tool or "page" in phrases, kind.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_held_out_lives_share_no_phrase_with_those_that_are_tuned_on(language: str) -> None:
    books = [spelled(phrasebook.read(language, held_out=each)) for each in SETS]
    for one, other in combinations(books, 2):
        assert not one & other


def spelled(book: Phrasebook) -> set[str]:
    """Every phrase and value of a book; what a page claims stands in both, as the files say."""
    tables = [book.talk, *(kind.phrases for kind in book.kinds)]
    return {
        phrase
        for table in tables
        for mark, said in table.items()
        if mark != "page"
        for phrase in said
    }

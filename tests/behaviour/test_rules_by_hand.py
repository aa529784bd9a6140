"""Rules of promotion and of tuning by hand: what is left of a job, and which trial is better."""

import pytest

from muniment.model.kinds.episode import ConsolidatedItem, WorkingEntry, WorkingType
from muniment.rules import promotion, tuning


def entry(name: str, type_: WorkingType, references: int) -> WorkingEntry:
    return WorkingEntry(
        wm_id=name, type=type_, value=name, created_at_tick=0, ttl_ticks=9, references=references
    )


def item(name: str, references: int, promoted_at: int, tokens: int) -> ConsolidatedItem:
    return ConsolidatedItem(
        cwm_id_item=name,
        value=name,
        promoted_from="",
        promoted_at_tick=promoted_at,
        references=references,
        ttl_ticks_cwm=9,
        token_estimate=tokens,
    )


@pytest.mark.parametrize(
    ("cap", "kept", "left"),
    [
        (9, "cbda", ""),
        (8, "cbd", "a"),
        (7, "cba", "d"),
        (5, "cb", "da"),
        (3, "ca", "bd"),
        (0, "", "cbda"),
    ],
)
def test_the_most_used_and_newest_items_that_fit_stay_and_the_others_leave(
    cap: int, kept: str, left: str
) -> None:
    items = (item("a", 1, 1, 1), item("b", 2, 1, 3), item("c", 2, 2, 2), item("d", 1, 2, 3))

    stay, leave = promotion.keep(items, cap)

    assert ["".join(e.cwm_id_item for e in each) for each in (stay, leave)] == [kept, left]


def test_a_job_leaves_behind_the_facts_and_the_context_that_were_used_oldest_first() -> None:
    newest_first = (
        entry("d", WorkingType.CONTEXT, 2),
        entry("c", WorkingType.HINT, 3),
        entry("b", WorkingType.FACT, 0),
        entry("a", WorkingType.FACT, 1),
    )

    left = promotion.worth_an_episode(newest_first)

    assert [each.wm_id for each in left] == ["a", "d"]


@pytest.mark.parametrize(
    ("feedback", "understood", "wished"),
    [
        ("be more brief", True, {"more", "brief"}),
        ("use the map", True, set()),  # words of three letters carry no wish
        ("be more brief", False, set()),
    ],
)
def test_the_longer_words_of_a_feedback_carry_its_wish(
    feedback: str, wished: set[str], *, understood: bool
) -> None:
    assert tuning.wishes(feedback, understood=understood) == wished


@pytest.mark.parametrize(
    ("wished", "notes", "ranks", "score"),
    [
        ({"brief"}, ["be brief"], [], 2_000_000),
        ({"brief", "kind"}, ["be brief"], [], 1_000_000),
        (set(), ["be brief"], [], 0),
        (set(), [], [1], 1_000_000),
        (set(), [], [2], 500_000),
        (set(), [], [1, 0], 500_000),
        ({"brief"}, ["brief"], [4, 4], 2_250_000),
        (set(), ["word " * 200], [1], 1_000_000),  # so many words cost nothing
        (set(), ["word " * 100, "word " * 102], [1], 996_000),
    ],
)
def test_a_trial_gains_by_wishes_met_and_loops_found_and_loses_by_length(
    wished: set[str], notes: list[str], ranks: list[int], score: int
) -> None:
    assert tuning.score(frozenset(wished), notes, ranks) == score

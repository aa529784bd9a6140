"""Rules of threads by hand: how long they last, what they remember, and what a retune counts."""

import msgspec
import pytest

from muniment.model.kinds.thread import Assessment, TextTopics, Thread, ThreadLink
from muniment.model.policy.maintenance import Threading
from muniment.rules.memos import threads

T0 = "2026-03-01T09:00:00.000Z"
NEXT_DAY = "2026-03-02T09:00:00.000Z"
EMPTY = Thread(
    thread_id="thread:1", user_id="tuff", created_at=T0, last_activity_at=T0, channels=("slack",)
)


@pytest.mark.parametrize(
    ("at", "hours", "old"),
    [
        (NEXT_DAY, 24, True),
        ("2026-03-02T08:59:59.999Z", 24, False),
        (NEXT_DAY, 25, False),
        (T0, 0, True),
        ("", 0, False),
    ],
)
def test_a_thread_is_old_once_so_many_hours_have_passed(at: str, hours: int, old: bool) -> None:  # noqa: FBT001
    assert threads.is_old(T0, at, hours) is old
    assert threads.is_old("", at, hours) is False


def test_a_silence_lasts_only_where_both_moments_are_known() -> None:
    assert not threads.has_ended("", NEXT_DAY, 30)
    assert threads.has_ended(T0, NEXT_DAY, 30)


def test_of_a_text_every_word_and_name_is_known_and_the_most_frequent_are_its_topics() -> None:
    text = "we " + " ".join(f"{word} " * count for word, count in COUNTED) + "for Claire in Paris."

    found = threads.words(text)

    assert found.keywords == tuple(sorted([*(word for word, _ in COUNTED), "claire", "paris"]))
    assert found.entities == ("claire", "paris")
    assert found.topics == (*(word for word, _ in COUNTED[:11]), "apple")


COUNTED = [
    *(("zebra", 4), ("walnut", 3), ("basil", 2), ("cedar", 2), ("daisy", 2), ("ember", 2)),
    *(
        ("grape", 2),
        ("hazel", 2),
        ("iris", 2),
        ("jade", 2),
        ("lemon", 2),
        ("apple", 1),
        ("kiwi", 1),
    ),
]


def test_a_thread_that_says_more_adds_its_words_and_the_newest_names_stand_first() -> None:
    begun = threads.told(EMPTY, "The budget for Claire is late.")
    both = threads.told(begun, "The budget of Otto grew.")

    assert begun.counts["budget"] == 1
    assert both.counts["budget"] == 2
    assert list(both.counts) == sorted(both.counts)
    assert {"late", "grew"} <= set(both.counts)
    assert both.entities.index("otto") < both.entities.index("claire")


def test_a_thread_that_speaks_of_much_keeps_what_it_spoke_of_most() -> None:
    full = msgspec.structs.replace(
        EMPTY,
        counts={f"word{n}": 2 + n for n in range(64)},
        entities=tuple(f"name{n}" for n in range(64)),
    )

    told = threads.told(full, "Then Otto likes walnut walnut walnut")

    assert len(told.counts) == len(told.entities) == 64
    assert told.counts["walnut"] == 3
    assert "word0" not in told.counts
    assert "otto" in told.entities
    assert "name63" not in told.entities


def test_the_score_is_in_whole_millionths_and_topics_are_the_twelve_most_frequent() -> None:
    other = msgspec.structs.replace(EMPTY, counts={f"w{n:02}": 20 - n for n in range(13)})
    spoken = TextTopics(keywords=("w00", "w12", "x"), topics=("w12", "w00", "x"))

    found = threads.score(spoken, other, at=T0, policy=Threading())

    assert found == (666_666, 666_666, 666_666, 333_333, 1_000_000)
    assert all(type(each) is int for each in found)


@pytest.mark.parametrize(
    ("last", "at", "recency"),
    [(T0, NEXT_DAY, 500_000), (T0, "", 1_000_000), ("", T0, 1_000_000), (NEXT_DAY, T0, 1_000_000)],
)
def test_what_was_said_of_late_counts_more(last: str, at: str, recency: int) -> None:
    other = msgspec.structs.replace(EMPTY, last_activity_at=last)

    assert threads.score(TextTopics(), other, at=at, policy=Threading())[4] == recency


def test_a_link_holds_the_parts_of_its_score_and_the_threshold() -> None:
    assert threads.judge(7, (800_000, 1, 2, 3, 4), 700_000, None) == ThreadLink(
        n=7,
        score_ppm=800_000,
        keyword_ppm=1,
        entity_ppm=2,
        topic_ppm=3,
        recency_ppm=4,
        threshold_ppm=700_000,
        linked=True,
    )


@pytest.mark.parametrize(
    ("confidence", "by", "model_ppm"),
    [(0.8, "score", 200_000), (0.800_001, "model", 199_999), (-1.0, "score", 1_000_000)],
)
def test_a_model_that_is_as_sure_as_the_score_does_not_decide(
    confidence: float, by: str, model_ppm: int
) -> None:
    told = threads.judge(
        1, (800_000, 0, 0, 0, 0), 700_000, Assessment(related=False, confidence=confidence)
    )

    assert (told.by, told.model_ppm, told.linked) == (by, model_ppm, by == "score")


LINK = threads.judge(1, (700_000, 0, 0, 0, 0), 600_000, None)


@pytest.mark.parametrize(
    ("changed", "true"),
    [
        ({}, True),
        ({"linked": False}, False),
        ({"model_ppm": 500_000}, False),
        ({"model_ppm": 500_001, "linked": False}, True),
        ({"model_ppm": 0}, False),
        ({"model_ppm": 0, "settled": True}, True),
        ({"settled": False}, False),
    ],
)
def test_what_turned_out_is_a_persons_word_else_the_models_else_what_was_decided(
    changed: dict[str, object],
    true: bool,  # noqa: FBT001
) -> None:
    assert threads.truth(msgspec.structs.replace(LINK, **changed)) is true


def scored(score: int, *, true: bool) -> ThreadLink:
    return msgspec.structs.replace(LINK, score_ppm=score, settled=true)


def test_a_retune_tells_how_both_thresholds_do() -> None:
    links = [
        *(scored(700_000, true=False), scored(700_001, true=False), scored(800_001, true=True)),
        *(scored(500_000, true=True), scored(400_000, true=False), scored(400_000, true=False)),
    ]

    assert threads.retuned(links, 700_000) == threads.Tuning(
        before_ppm=700_000,
        after_ppm=750_000,
        accuracy_before_ppm=666_666,
        accuracy_after_ppm=833_333,
        false_links_before=1,
        false_links_after=0,
        missed_links_before=1,
        missed_links_after=1,
    )


def test_without_links_a_threshold_is_right() -> None:
    told = threads.retuned([], 720_000)

    assert (told.after_ppm, told.accuracy_before_ppm, told.accuracy_after_ppm) == (
        *(720_000, 1_000_000, 1_000_000),
    )


def test_of_two_thresholds_that_are_as_near_the_lower_is_taken() -> None:
    links = [scored(700_000, true=True), scored(699_000, true=True), scored(701_000, true=False)]

    assert threads.retuned(links, 701_000).after_ppm == 650_000
    assert threads.retuned([scored(725_000, true=False)], 724_999).after_ppm == 750_000

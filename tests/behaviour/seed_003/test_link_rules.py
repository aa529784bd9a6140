"""Whether a thread goes on with another: the score, the model beside it, and the retune."""

import msgspec
import pytest

from muniment.model.errors import PolicyError
from muniment.model.kinds.thread import Assessment, TextTopics, Thread, ThreadLink
from muniment.model.policy import from_builtins
from muniment.model.policy.maintenance import Threading
from muniment.rules.memos import threads

POLICY = Threading()
T0 = "2026-03-01T09:00:00.000Z"
LATER = "2026-03-01T10:00:00.000Z"
NEXT_DAY = "2026-03-02T09:00:00.000Z"


def thread(*said: str, at: str = T0) -> Thread:
    made = Thread(
        thread_id="thread:1",
        user_id="tuff",
        created_at=at,
        last_activity_at=at,
        channels=("slack",),
    )
    for text in said:
        made = threads.told(made, text)
    return made


PARIS = thread(
    "The budget report for Paris is late.",
    "Claire owns the Paris budget report.",
    "Send the budget report to Claire by 14 March.",
)


def link(n: int, score: int, *, truth: bool) -> ThreadLink:
    made = threads.judge(n, (score, 0, 0, 0, 0), 700_000, None)
    return msgspec.structs.replace(made, settled=truth)


@pytest.mark.covers("D-155")
def test_the_score_is_the_weighed_sum_of_four_parts() -> None:
    text = "Is the budget report for Claire in Paris done?"
    total, keyword, entity, topic, recency = threads.score(
        threads.words(text), PARIS, at=NEXT_DAY, policy=POLICY
    )

    assert recency == 500_000  # one half-life of silence
    assert total == (300_000 * (keyword + entity) + 200_000 * (topic + recency)) // 1_000_000
    assert entity == 1_000_000  # both names are known


@pytest.mark.covers("D-155")
def test_a_part_is_how_much_of_what_is_said_the_thread_knows() -> None:
    known = msgspec.structs.replace(PARIS, counts={"late": 3, "owns": 1}, entities=("paris",))
    said = TextTopics(
        keywords=("late", "owns", "red", "wine"),
        entities=("paris", "rome", "oslo", "bern", "kyiv"),
        topics=("late", "owns", "red"),
    )

    _, keyword, entity, topic, _ = threads.score(said, known, at=LATER, policy=POLICY)

    assert keyword == 500_000
    assert entity == 200_000
    assert topic == 1_000_000  # all that the thread is about, though more is said


@pytest.mark.covers("D-155")
def test_who_names_nobody_is_judged_by_what_they_speak_of_and_who_says_nothing_by_nothing() -> None:
    known = msgspec.structs.replace(PARIS, counts={"late": 3})

    parts = threads.score(TextTopics(keywords=("late", "red")), known, at=LATER, policy=POLICY)

    assert parts[1:4] == (500_000, 500_000, 0)
    assert threads.score(TextTopics(), known, at=LATER, policy=POLICY)[1:4] == (0, 0, 0)


@pytest.mark.covers("D-155")
def test_the_same_subject_soon_after_is_linked_and_another_is_not() -> None:
    same = threads.words("Has Claire sent the Paris budget report?")
    other = threads.words("Which wine goes with grilled sardines tonight?")

    assert threads.score(same, PARIS, at=LATER, policy=POLICY)[0] > POLICY.link_above_ppm
    assert threads.score(other, PARIS, at=LATER, policy=POLICY)[0] < 300_000


@pytest.mark.covers("D-155", "D-156")
@pytest.mark.parametrize(
    ("score", "assessed", "expected"),
    [
        (800_000, (True, 0.9), (True, "score", False, 900_000)),
        (800_000, (False, 0.9), (False, "model", True, 100_000)),  # the model is surer
        (800_000, (False, 0.6), (True, "score", True, 400_000)),  # the score is
        (600_000, (True, 0.9), (True, "model", True, 900_000)),
        (100_000, (True, 0.85), (False, "score", True, 850_000)),  # 0.9 sure that they are not
        (100_000, (False, 0.5), (False, "score", False, 500_000)),
    ],
)
def test_where_score_and_model_disagree_the_surer_decides_and_it_is_recorded(
    score: int, assessed: tuple[bool, float], expected: tuple[bool, str, bool, int]
) -> None:
    asked = Assessment(related=assessed[0], confidence=assessed[1])

    told = threads.judge(1, (score, 0, 0, 0, 0), 700_000, asked)

    assert (told.linked, told.by, told.disagreed, told.model_ppm) == expected


def test_exactly_at_the_threshold_is_not_above_it() -> None:
    assert not threads.judge(1, (700_000, 0, 0, 0, 0), 700_000, None).linked
    assert threads.judge(1, (700_001, 0, 0, 0, 0), 700_000, None).linked


@pytest.mark.covers("D-156")
def test_a_retune_takes_the_threshold_that_would_have_been_right_most_often() -> None:
    links = [link(n, 620_000, truth=True) for n in range(40)]
    links += [link(n, 480_000, truth=False) for n in range(40, 95)]
    links += [link(n, 900_000, truth=True) for n in range(95, 100)]

    tuning = threads.retuned(links, 700_000)

    assert (tuning.accuracy_before_ppm, tuning.missed_links_before) == (600_000, 40)
    assert (tuning.accuracy_after_ppm, tuning.after_ppm) == (1_000_000, 600_000)
    assert (tuning.false_links_after, tuning.missed_links_after) == (0, 0)


def test_a_threshold_that_is_right_stays() -> None:
    links = [link(n, 900_000 if n % 2 else 100_000, truth=bool(n % 2)) for n in range(100)]

    assert threads.retuned(links, 700_000).after_ppm == 700_000


@pytest.mark.covers("D-155")
def test_the_nearest_word_about_a_timeout_counts() -> None:
    policy = Threading(channel_timeouts_minutes={"email": 600})

    assert threads.timeout_minutes(policy, "slack") == 30
    assert threads.timeout_minutes(policy, "email") == 600
    assert threads.timeout_minutes(policy, "email", user=90) == 90
    assert threads.timeout_minutes(policy, "email", user=90, thread=5) == 5


def test_silence_must_be_longer_than_the_timeout() -> None:
    assert not threads.has_ended(T0, "2026-03-01T09:30:00.000Z", 30)
    assert threads.has_ended(T0, "2026-03-01T09:30:00.001Z", 30)
    assert not threads.has_ended(T0, "", 30)  # without a clock no time passes
    assert not threads.has_ended(T0, NEXT_DAY, 0)  # an explicit channel never times out


def test_what_a_thread_remembers_of_its_words_is_bounded() -> None:
    long = thread(*[f"Word{n} number {n} again and again" for n in range(500)])

    assert len(long.counts) <= 64
    assert len(long.entities) <= 64


def test_weights_that_do_not_add_up_are_refused() -> None:
    with pytest.raises(PolicyError, match="add up"):
        from_builtins({"threads": {"keyword_weight_ppm": 400_000}})

"""What a compaction writes down: each strategy's whole event, its limits, and each refusal."""

from typing import Any

import msgspec
import pytest
from tests import world
from tests.behaviour.seed_003.test_threads import Watch

from muniment.engine.api.agent import Agent
from muniment.engine.streams import admission
from muniment.model.commands.threads import Compact, RecordOutput
from muniment.model.events import Received, WriteDenied
from muniment.model.events.memos import MemoKept, MemosEvicted
from muniment.model.events.threads import MemosCompacted, OutputRecorded
from muniment.model.kinds.memo import QUOTES_RECALLED
from muniment.model.policy import Policy
from muniment.model.policy.maintenance import Compaction
from muniment.model.policy.memo_gate import Gating

REQUEST = "0" * 64
ONE = "The Lisbon ferry leaves at 08:35 from quay four."
TWO = "Marta brings 12 blankets and a stove to the harbour."


def agent(clock: Watch | None = None, gating: Gating | None = None, **rules: object) -> Agent:
    compaction = msgspec.structs.replace(Compaction(), **rules)
    policy = Policy(compaction=compaction, gating=gating or Gating())
    return world.memory(policy, clock=clock).agent("ada", user="tuff")


def kept(ada: Agent, *texts: str, place: str = "EM", **item: object) -> tuple[str, ...]:
    given = {"type": "metric", "importance": 0.5} | item
    told = [ada.memorize(given | {"text": each}, store=place) for each in texts]
    return tuple(each.id for each in told)


def told(
    ada: Agent, strategy: str, ids: tuple[str, ...], subject: str = "user_tuff", **more: object
) -> list[Any]:
    """What is written for a command, behind the command itself."""
    given = {"strategy": strategy, "memo_ids": ids, "subject": subject, **more}
    command = msgspec.convert(given, Compact)
    found = [each.event for each in ada._session.append(admission.admit(command)).lines]
    return [each for each in found if not isinstance(each, Received)]


def compacted(events: list[Any]) -> MemosCompacted:
    (found,) = (each for each in events if isinstance(each, MemosCompacted))
    return found


def refused(events: list[Any]) -> str:
    (denied,) = events
    assert isinstance(denied, WriteDenied)
    return denied.reason


def answered(ada: Agent, text: str) -> list[Any]:
    """A model's words, so that a test decides what a summary says."""
    command = RecordOutput(
        request=REQUEST, purpose="summarise", model="oracle-1", text=text, subject="user_tuff"
    )
    return [each.event for each in ada._session.append(admission.admit(command)).lines[1:]]


# ── Refusals ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("strategy", "place"),
    [("summary", "EM"), ("tail", "WM"), ("merge", "SM"), ("density", "EM"), ("reservoir", "EM")],
)
def test_what_has_nothing_to_be_told_by_or_is_somebody_elses_is_not_compacted(
    strategy: str, place: str
) -> None:
    memory = world.memory()
    ada, ida = (memory.agent("ada", user=each) for each in ("tuff", "ida"))
    (mine,), theirs = kept(ada, ONE, place=place), kept(ida, ONE, ONE, TWO, TWO, place=place)
    limits: dict[str, Any] = {"items_max": 1}

    for ids in ((), (mine,), (mine, mine), ("nobody",), theirs, (mine, theirs[0])):
        assert refused(told(ada, strategy, ids, **limits)) == "nothing_to_compact"
    assert len(ida.memos(place)) == 4


@pytest.mark.parametrize("limits", [{"items_max": 2}, {"tokens_max": 25}, {}])
@pytest.mark.parametrize("strategy", ["density", "reservoir"])
def test_what_is_within_its_limits_is_not_thinned(strategy: str, limits: dict[str, Any]) -> None:
    ada = agent()

    assert refused(told(ada, strategy, kept(ada, ONE, TWO), **limits)) == "nothing_to_compact"


def test_a_tail_that_is_not_there_or_not_shortened_by_its_summary_stays_as_it_is() -> None:
    ada = agent()

    assert refused(told(ada, "tail", (), task_id="elsewhere")) == "nothing_to_compact"
    assert refused(told(ada, "tail", kept(ada, "ab 1", "d 2", place="WM"))) == "nothing_gained"


def test_a_summary_that_the_gate_would_not_keep_is_not_written() -> None:
    """It is word for word what is kept already."""
    ada = agent()

    assert refused(told(ada, "summary", kept(ada, ONE, ONE))) == "nothing_gained"
    assert len(ada.memos("EM")) == 2


def test_words_of_a_model_are_recorded_once_for_each_request() -> None:
    ada = agent()

    first, second = (answered(ada, f"The {each} words.") for each in ("first", "second"))

    assert [each.text for each in first if isinstance(each, OutputRecorded)] == ["The first words."]
    assert second == [WriteDenied(reason="output_exists", asked="record_output", detail=REQUEST)]


def test_a_request_that_was_never_answered_is_named_in_the_refusal() -> None:
    ada = agent()

    found = told(ada, "summary", kept(ada, ONE, TWO), request=REQUEST)

    assert found == [WriteDenied(reason="output_missing", asked="compact", detail=REQUEST)]


# ── Summaries ───────────────────────────────────────────────────────────────────────────────────


def test_a_summary_says_what_it_stands_for_what_left_and_what_that_saved() -> None:
    ada = agent(quality_min_ppm=0, saving_min_ppm=0)
    ids = kept(ada, ONE, TWO, source="tool", importance=0.5) + kept(ada, "It is calm.")
    answered(ada, "The Lisbon ferry leaves at 08:35, quay four.")

    *_, event, done = told(ada, "summary", ids, request=REQUEST, task_id="t1", trigger="steps")

    assert isinstance(event, MemoKept)
    memo = event.memo
    assert done == MemosCompacted(
        place="EM",
        strategy="summary",
        trigger="steps",
        told_by=memo.id,
        sources=ids,
        gone=ids[:1],
        resolution="meso",
        by="oracle-1",
        quality_ppm=compacted([done]).quality_ppm,
        tokens_before=12 + 13 + 3,
        tokens_after=11 + 13 + 3,
        archived=True,
        subject="user_tuff",
    )
    assert 0 < compacted([done]).quality_ppm < 1_000_000
    assert memo.metadata == {
        "summary_of": 3, "resolution": "meso", "by": "oracle-1", QUOTES_RECALLED: True,
    }  # fmt: skip
    assert (memo.type, memo.source, memo.task_id) == ("summary", "model", "t1")
    assert (memo.key, memo.episode_id, memo.places) == ("task:t1", "", ("EM",))
    assert memo.importance_ppm == max(ada.memo(each).importance_ppm for each in ids)


def test_a_summary_of_an_episode_has_its_key_and_the_one_source_of_all() -> None:
    ada = agent(quality_min_ppm=0, saving_min_ppm=0)
    answered(ada, "The Lisbon ferry leaves at 08:35, quay four.")

    found = told(
        ada, "summary", kept(ada, ONE, TWO, source="tool"), request=REQUEST, episode_id="ep:1"
    )

    (memo,) = (each.memo for each in found if isinstance(each, MemoKept))
    assert (memo.key, memo.episode_id, memo.source) == ("ep:1", "ep:1", "tool")


@pytest.mark.parametrize(
    ("saving", "length", "done"),
    [
        (500_000, 24, True),  # six of twelve tokens
        (500_000, 25, False),
        (590_000, 20, True),  # seven of twelve, where 7.08 are asked for
        (590_000, 21, False),
        (0, 44, True),  # one of twelve
        (0, 45, False),
        (0, 49, False),
        (1_000_000, 16, False),
    ],
)
def test_a_summary_is_written_where_it_saves_the_share_that_the_policy_asks_for(
    *, saving: int, length: int, done: bool
) -> None:
    ada = agent(quality_min_ppm=0, saving_min_ppm=saving)
    ids = kept(ada, "alpha beta " + "y" * 37, "gamma delta")
    answered(ada, "alpha beta " + "x" * (length - 11))

    found = told(ada, "summary", ids, request=REQUEST)

    assert isinstance(found[-1], MemosCompacted) is done


@pytest.mark.parametrize(
    ("words", "gone"), [("alpha beta 7", True), ("alpha 7", False), ("alpha beta gamma", False)]
)
def test_a_memo_leaves_where_the_summary_has_its_values_and_half_of_its_words(
    *, words: str, gone: bool
) -> None:
    ada = agent(quality_min_ppm=0, saving_min_ppm=0)
    ids = kept(ada, "alpha beta gamma delta 7", "omega omicron upsilon, a long tail to spare")
    answered(ada, f"{words} omega omicron upsilon")

    found = compacted(told(ada, "summary", ids, request=REQUEST))

    assert found.gone == (ids if gone else ids[1:])


# ── Larger summaries ────────────────────────────────────────────────────────────────────────────

MANY = tuple(
    f"Boat {n}{of} came in with {n * 7} crates of cod."
    for n in range(9)
    for of in (" of the northern fleet", "")
)


# So small that sentences must be chosen.
SMALL: dict[str, Any] = {
    "micro_sentences": 1,
    "micro_tokens": 20,
    "meso_tokens": 60,
    "macro_tokens": 82,
}
SMALL["saving_min_ppm"] = 0


def test_words_of_a_model_are_taken_up_to_the_limits_of_quality_and_of_length() -> None:
    said = "Boat 1 with 7 crates of cod came in."

    def by(**rules: int) -> tuple[str, str, int]:
        ada = agent(**SMALL | {"quality_min_ppm": 0} | rules)
        ids = kept(ada, *MANY)
        answered(ada, said)
        found = compacted(told(ada, "summary", ids, request=REQUEST))
        return found.by, found.fallback, found.quality_ppm

    model, _, quality = by()
    assert (model, by(quality_min_ppm=quality)[:2]) == ("oracle-1", ("oracle-1", ""))
    assert by(quality_min_ppm=quality + 1)[:2] == ("extractive", "quality")
    assert by(macro_tokens=9)[:2] == ("oracle-1", "")
    assert by(macro_tokens=8)[:2] == ("extractive", "quality")


@pytest.mark.parametrize("strategy", ["summary", "tail"])
def test_a_summary_grows_until_it_says_enough(strategy: str) -> None:
    place, sizes = ("WM", ["micro", "meso", "macro"]) if strategy == "tail" else ("EM", [])
    sizes = sizes or ["meso", "macro"]

    def grown(quality: int) -> tuple[str, int, str]:
        ada = agent(quality_min_ppm=quality, **SMALL)
        found = compacted(told(ada, strategy, kept(ada, *MANY, place=place)))
        return found.resolution, found.quality_ppm, ada.memo(found.told_by).text

    wanted = 0
    seen: list[str] = []
    while len(seen) < len(sizes):
        size, quality, text = grown(wanted)
        assert grown(quality) == (size, quality, text), "which is just enough"
        seen.append(size)
        wanted = quality + 1
        assert ("northern fleet" in text) is (size == "macro"), "what keeps coming up comes last"
    assert seen == sizes
    assert grown(1_000_000)[0] == "macro"


# ── Scratchpads ─────────────────────────────────────────────────────────────────────────────────


def test_the_tail_of_two_memos_is_told_by_one_and_both_are_found_in_episodes() -> None:
    ada = agent(gating=Gating(working_items_max=2), quality_min_ppm=0)
    ids = kept(ada, ONE, TWO, place="WM", task_id="t1")
    answered(ada, "A ferry leaves.")

    left, *_, event, done = told(ada, "tail", ids, request=REQUEST, task_id="t1", trigger="full")

    assert isinstance(event, MemoKept)
    assert isinstance(left, MemosEvicted)
    assert (left.place, left.memo_ids) == ("WM", ids)
    assert (left.policy, left.reason) == ("tail_summary", "full")
    assert (event.displaced, event.limit) == ((), ""), "they made room themselves"
    assert done == MemosCompacted(
        place="WM",
        strategy="tail",
        trigger="full",
        told_by=event.memo.id,
        sources=ids,
        gone=(),
        resolution="micro",
        by="oracle-1",
        quality_ppm=compacted([done]).quality_ppm,
        tokens_before=12 + 13,
        tokens_after=4,
        subject="user_tuff",
    )
    assert event.memo.metadata == {"summary_of": 2, "resolution": "micro", "by": "oracle-1"}
    assert [memo.id for memo in ada.memos("EM")] == list(ids)[::-1]


# ── One of several alike ────────────────────────────────────────────────────────────────────────


def test_of_memos_that_say_the_same_the_most_important_and_then_the_newest_stays() -> None:
    clock = Watch()
    ada = agent(clock, Gating(novelty_min_ppm=0))
    said = ("restart the worker, then drain the queue", "restart the worker then drain the queue")
    ids: tuple[str, ...] = ()
    for n, weight in enumerate((0.5, 0.9, 0.9, 0.5)):
        clock.later(hours=1)
        ids += kept(ada, said[n % 2], place="SM", importance=weight)
    other = kept(ada, "restart the worker, then drain a queue", place="SM", type="plan")
    assert all(other)

    (done,) = told(ada, "merge", ids + other)

    assert done == MemosCompacted(
        place="SM",
        strategy="merge",
        trigger="manual",
        told_by=ids[2],
        sources=ids,
        gone=(ids[1], ids[3], ids[0]),
        by="clusters",
        quality_ppm=1_000_000,
        tokens_before=40,
        tokens_after=10,
        subject="user_tuff",
    )


# ── Down to a budget ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("limits", "reason"), [({"tokens_max": 13}, "tokens"), ({"items_max": 1}, "items")]
)
def test_what_is_thinned_is_named_with_the_rule_and_the_limit(
    limits: dict[str, Any], reason: str
) -> None:
    ada = agent(Watch())
    ids = kept(ada, ONE, importance=0.5) + kept(ada, TWO, importance=0.9)

    assert told(ada, "density", ids, **limits) == [
        MemosEvicted(
            place="EM",
            memo_ids=ids[:1],
            policy="utility_density",
            reason=reason,
            subject="user_tuff",
        )
    ]


def test_a_sample_names_who_left_it() -> None:
    ada = agent()
    ids = kept(ada, ONE, TWO)

    (found,) = told(ada, "reservoir", ids, items_max=0)

    assert found == MemosEvicted(
        place="EM",
        memo_ids=ids,
        policy="weighted_reservoir",
        reason="items",
        subject="user_tuff",
    )


@pytest.mark.parametrize(("hours", "gone"), [(47, 0), (23, 1)])
def test_what_is_older_by_a_whole_day_is_worth_half(hours: int, gone: int) -> None:
    clock = Watch()
    ada = agent(clock, half_life_days=1)
    ids = kept(ada, ONE, importance=0.9)
    clock.later(hours=hours)
    ids += kept(ada, ONE.replace("four", "nine"), importance=0.5)

    (found,) = told(ada, "density", ids, items_max=1)

    assert isinstance(found, MemosEvicted)
    assert found.memo_ids == (ids[gone],)


def test_without_a_clock_the_newest_memo_says_what_day_it_is() -> None:
    """Every call is a job of its own, and begins at a moment of its own."""
    ada = agent(half_life_days=1)
    ids = kept(ada, ONE, importance=0.5) + kept(ada, ONE.replace("four", "nine"), importance=0.9)
    assert ada.memo(ids[1]).timestamp < ada.memo(ids[0]).timestamp

    (found,) = told(ada, "density", ids, items_max=1)

    assert isinstance(found, MemosEvicted)
    assert found.memo_ids == ids[1:]

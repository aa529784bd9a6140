"""What has an end of its own is recalled until then, and read in the past after it."""

from collections.abc import Callable

import pytest
from tests import world

from muniment.engine.api.agent import Agent
from muniment.model import ids
from muniment.model.errors import RefusedError
from muniment.model.policy import Policy
from muniment.model.policy.memo_gate import Gating
from muniment.retrieval.index.hashing_embedder import HashingEmbedder

MARCH = ids.time_ms("2026-03-01T10:00:00.000Z")
DAY = 24 * 60
BOAT = "The purple boat is in the harbour"


def by_remember(ada: Agent) -> None:
    ada.remember(BOAT, expires=60)


def by_many(ada: Agent) -> None:
    ada.remember_many([BOAT], expires="PT1M")


def by_observe(ada: Agent) -> None:
    with ada.job("a job") as job:
        job.observe(BOAT, expires="2026-03-01T10:01Z")


def by_record(ada: Agent) -> None:
    ada.conversation(session="monday").record(user=BOAT, expires=60)


def memo(**told: object) -> Callable[[Agent], None]:
    def keep(ada: Agent) -> None:
        with ada.job("a job") as job:
            job.memorize({"type": "fact", "text": BOAT, "source": "user", "importance": 1} | told)

    return keep


DOORS: dict[str, Callable[[Agent], None]] = {
    "remember": by_remember,
    "remember_many": by_many,
    "observe": by_observe,
    "record": by_record,
    "memo by ttl": memo(ttl=60),
    "memo by validity": memo(validity={"until": "2026-03-01T10:01:00.000Z"}),
    "memo by expires": memo(expires=60),
    "memo by retention": memo(retention="a minute"),
}


def world_of(clock: world.StillClock) -> Agent:
    gating = Gating(retention_seconds={"a minute": 60})
    return world.memory(clock=clock, policy=Policy(gating=gating)).agent("ada", user="tuff")


def is_recalled(ada: Agent, **then: object) -> bool:
    return any(hit.text == BOAT for hit in ada.recall("purple boat", **then).hits)  # type: ignore[arg-type]


@pytest.mark.covers("D-098", "D-099")
@pytest.mark.parametrize("door", list(DOORS))
def test_it_is_recalled_until_its_time_has_come_and_not_after(door: str) -> None:
    clock = world.StillClock(MARCH)
    ada = world_of(clock)
    DOORS[door](ada)
    told = ada.seq
    assert is_recalled(ada)
    assert BOAT in ada.context("purple boat").text
    clock.later(minutes=40 * DAY)
    assert not is_recalled(ada)
    assert BOAT not in ada.context("purple boat").text
    assert BOAT not in ada.conversation(session="monday").recall("purple boat").text
    with ada.job("another") as job:
        assert BOAT not in job.assemble_context("purple boat").text
    assert is_recalled(ada, at=told)
    assert BOAT in ada.context("purple boat", at=told).text


def test_the_very_second_counts() -> None:
    clock = world.StillClock(MARCH)
    ada = world_of(clock)
    ada.remember(BOAT, expires="2026-03-01T10:02:00Z")
    clock.later(minutes=1)
    assert is_recalled(ada)
    clock.later(minutes=1)
    assert not is_recalled(ada)


def test_what_lasts_for_days_is_read_on_each_of_them_later() -> None:
    clock = world.StillClock(MARCH)
    ada = world_of(clock)
    ada.remember(BOAT, expires="2026-03-10")
    clock.later(minutes=40 * DAY)
    assert not is_recalled(ada)
    assert is_recalled(ada, valid_at="2026-03-10")
    assert BOAT in ada.context("purple boat", valid_at="2026-03-05").text
    assert not is_recalled(ada, valid_at="2026-03-11")


def test_a_memo_that_is_over_is_listed_no_more_and_stays_in_the_log() -> None:
    clock = world.StillClock(MARCH)
    ada = world_of(clock)
    memo(ttl=60)(ada)
    kept = ada.memos("SM")[0]
    clock.later(minutes=2)
    assert ada.memos("SM") == []
    assert ada.memo(kept.id).expires == "2026-03-01T10:01:00.000Z"


def test_why_not_says_that_it_had_its_time() -> None:
    clock = world.StillClock(MARCH)
    ada = world_of(clock)
    told = ada.remember(BOAT, expires=60)
    clock.later(minutes=2)
    assert ada.why_not(told.episodic_id, "purple boat").stage == "expired"


def test_the_answer_of_before_is_made_again_after_it_is_over() -> None:
    clock = world.StillClock(MARCH)
    ada = world_of(clock)
    by_remember(ada)
    context = ada.context("purple boat")
    ada.flush()
    clock.later(minutes=40 * DAY)
    assert ada.regenerate(context.receipt.receipt_id).text == context.text


@pytest.mark.covers("D-100")
def test_a_vector_that_comes_with_a_memo_is_the_one_it_is_found_by() -> None:
    ada = world_of(world.StillClock(MARCH))
    like = HashingEmbedder().embed("purple boat")
    for n, vector in enumerate([b"", like]):
        with ada.job(f"job {n}") as job:
            item = {"type": "fact", "text": f"zzz{n} qqq{n}", "source": "user", "importance": 1}
            job.memorize(item | {"embedding": vector}, store="SM")
    assert [hit.text for hit in ada.recall("purple boat").hits] == ["zzz1 qqq1"]


PAST = "2001-01-01"
TOO_LATE: dict[str, Callable[[Agent], object]] = {
    "remember": lambda ada: ada.remember(BOAT, expires=PAST).reason,
    "a day that is over": lambda ada: ada.remember(BOAT, expires="2026-02-28").reason,
    "a moment ago": lambda ada: ada.remember(BOAT, expires="2026-03-01T10:00Z").reason,
    "memo": lambda ada: (
        ada.memorize({"type": "fact", "text": BOAT, "expires": PAST}, store="SM").routing
    ),
    "observe": lambda ada: refused(lambda: ada.job("a job").observe(BOAT, expires=PAST)),
    "record": lambda ada: refused(
        lambda: ada.conversation(session="monday").record(user=BOAT, expires=PAST)
    ),
}


def refused(write: Callable[[], object]) -> str:
    with pytest.raises(RefusedError) as told:
        write()
    assert "later `expires`" in told.value.sentence
    return told.value.reason


@pytest.mark.parametrize("write", TOO_LATE.values(), ids=TOO_LATE)
def test_what_ends_before_it_is_told_is_refused_by_its_reason(
    write: Callable[[Agent], object],
) -> None:
    ada = world_of(world.StillClock(MARCH))

    assert "expires_already" in str(write(ada))

    assert not is_recalled(ada)
    assert ada.records(limit=9).records == ()


def test_many_that_end_before_they_are_told_are_none() -> None:
    ada = world_of(world.StillClock(MARCH))
    assert ada.remember_many([BOAT], expires=PAST) == 0


def test_what_was_so_in_the_past_may_be_told_with_its_end() -> None:
    ada = world_of(world.StillClock(MARCH))

    assert ada.remember(BOAT, happened_at="2000-02-01", expires=PAST).stored

    assert not is_recalled(ada)


def test_today_is_not_over() -> None:
    ada = world_of(world.StillClock(MARCH))
    assert ada.remember(BOAT, expires="2026-03-01").stored
    assert is_recalled(ada)
